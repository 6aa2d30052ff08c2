import type {
  CheckerFault,
  DriverFault,
  DriverStage,
  Fault,
  Json,
  OutputFinding,
} from "../model/vocabulary.js";

/** What a bad output says; it must turn up nowhere but in the returned copy. */
export const badOutputText = "SYNTHETIC-BAD-OUTPUT";

/** What is added to a value to spoil it; a format is spoilt by putting `badOutputText` in its place. */
export const spoiltFields: {
  readonly [as in Exclude<OutputFinding, "format">]: { readonly [name: string]: Json };
} = {
  personal: { contact: "CANARY-person@example.org" },
  question: { choice: null },
  impact: { impact: "high" },
  secret: { note: "api_key=CANARY-SECRET" },
};

/** Texts that a fault puts into a value on its way out, and that may turn up nowhere else. */
export function plantedTexts(fault: Fault): readonly string[] {
  if (fault.kind === "bad_output") return [badOutputText];
  if (fault.kind !== "spoilt_output") return [];
  if (fault.as === "format") return [badOutputText];
  const values = Object.values(spoiltFields[fault.as]);
  return values.flatMap((value) => (typeof value === "string" && value.includes("CANARY") ? [value] : []));
}

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
  const { kind } = fault;
  return kind !== "throw_at" && kind !== "bad_output" && kind !== "spoilt_output" && !isCheckerFault(fault);
}

export function isCheckerFault(fault: Fault): fault is CheckerFault {
  return (
    fault.kind === "checker_throws" ||
    fault.kind === "checker_rejects_falsy" ||
    fault.kind === "checker_hangs" ||
    fault.kind === "checker_garbled"
  );
}
