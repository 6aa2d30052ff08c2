import type { CheckerFault, DriverFault, DriverStage, Fault } from "../model/vocabulary.js";

/** What a bad output says; it must turn up nowhere but in the returned copy. */
export const badOutputText = "SYNTHETIC-BAD-OUTPUT";

/** The stage a driver fault hits. */
export function stageOf(fault: DriverFault): DriverStage {
  switch (fault.kind) {
    case "effect_ignored":
      return "execute";
    case "receipt_ignored":
    case "receipt_aborted":
      return "receipt";
    default:
      return fault.stage;
  }
}

export function sameDriverFault(left: DriverFault, right: DriverFault): boolean {
  return left.kind === right.kind && stageOf(left) === stageOf(right);
}

export function isDriverFault(fault: Fault): fault is DriverFault {
  return fault.kind !== "throw_at" && fault.kind !== "bad_output" && !isCheckerFault(fault);
}

export function isCheckerFault(fault: Fault): fault is CheckerFault {
  return (
    fault.kind === "checker_throws" ||
    fault.kind === "checker_rejects_falsy" ||
    fault.kind === "checker_hangs" ||
    fault.kind === "checker_garbled"
  );
}
