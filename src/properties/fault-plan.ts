import type { CheckerFault, DriverFault, Fault, FaultKind, Profile } from "../model/vocabulary.js";
import { checkerStages, driverStages } from "../model/vocabulary.js";
import { isCheckerFault, isDriverFault, stageOf } from "../sut/fault-kinds.js";
import type { Chooser } from "./chooser.js";

/** Every single fault that a profile claims, each stage and point apart. */
export function faultsOf(profile: Profile): readonly Fault[] {
  const claimed = new Set<FaultKind>(profile.faults);
  const points = [...profile.checkpoints, ...profile.crashPoints];
  const every: readonly Fault[] = [
    ...points.map((at): Fault => ({ kind: "throw_at", at })),
    { kind: "bad_output" },
    ...spoiltOutputs,
    ...driverFaults,
    ...checkerFaults,
  ];
  return every.filter(
    (fault) => claimed.has(fault.kind) && (!isCheckerFault(fault) || profile.layers.includes(fault.stage)),
  );
}

export function driverFaultsOf(profile: Profile): readonly DriverFault[] {
  return faultsOf(profile).filter(isDriverFault);
}

/** Only a form can be made anew, so only there it matters how often it goes wrong. */
const spoiltOutputs: readonly Fault[] = [
  ...([1, 2, 3] as const).map((tries): Fault => ({ kind: "spoilt_output", as: "format", tries })),
  ...(["personal", "question", "impact", "secret"] as const).map(
    (as): Fault => ({ kind: "spoilt_output", as, tries: 1 }),
  ),
];

const driverFaults: readonly DriverFault[] = [
  { kind: "receipt_ignored" },
  { kind: "receipt_aborted" },
  { kind: "effect_ignored" },
  ...(["busy", "commit_refused", "disk_full", "read_only"] as const).flatMap((kind) =>
    driverStages.map((stage): DriverFault => ({ kind, stage })),
  ),
];

const checkerFaults: readonly CheckerFault[] = (
  ["checker_throws", "checker_rejects_falsy", "checker_hangs", "checker_garbled"] as const
).flatMap((kind) => checkerStages.map((stage): CheckerFault => ({ kind, stage })));

/** Up to `most` faults that can stand in one plan. */
export function pickPlan(pick: Chooser, faults: readonly Fault[], most: number): readonly Fault[] {
  const plan: Fault[] = [];
  for (let n = 0; n < most && faults.length > 0; n++) {
    const fault = faults[pick(faults.length)];
    if (fault !== undefined && plan.every((other) => canStandTogether(other, fault))) plan.push(fault);
  }
  return plan;
}

/** A stage fails in one way at a time; two throws at one place are one. */
export function canStandTogether(left: Fault, right: Fault): boolean {
  if (isDriverFault(left) && isDriverFault(right)) return stageOf(left) !== stageOf(right);
  if (isCheckerFault(left) && isCheckerFault(right)) return left.stage !== right.stage;
  if (left.kind === "throw_at" && right.kind === "throw_at") return left.at !== right.at;
  return left.kind !== right.kind;
}
