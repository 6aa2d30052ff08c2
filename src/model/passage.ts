import type { PredictedOutcome } from "./predicted.js";
import type {
  CheckerStage,
  Checkpoint,
  Code,
  Context,
  CrashPoint,
  DriverStage,
  Fault,
  StageEvent,
  Status,
} from "./vocabulary.js";
import type { Effect, Traveller, Verdict, World } from "./world.js";

/** An attempt on its way through the pipeline, and the world as far as it has changed it. */
export type Passage = {
  readonly world: World;
  readonly attempt: Traveller;
  /** The crash point at which the harness waits to kill the executor. */
  readonly kill: CrashPoint | "none";
  /** What the receipt will say; accepted unless a stage says otherwise. */
  readonly verdict: Verdict;
  /** On its way through the approval: nothing is to be opened for it. */
  readonly approval?: "settled";
};

/** How a passage comes to rest. */
export type Halt =
  | { readonly kind: "parked"; readonly passage: Passage; readonly at: Checkpoint }
  | { readonly kind: "blocked"; readonly passage: Passage; readonly on: CheckerStage }
  | { readonly kind: "killed"; readonly passage: Passage }
  | { readonly kind: "ended"; readonly passage: Passage; readonly outcome: PredictedOutcome };

/** What a stage makes of a passage: on to the next stage, or straight to the receipt, or at rest. */
export type Turn =
  | { readonly kind: "goes_on"; readonly passage: Passage }
  | { readonly kind: "settled"; readonly passage: Passage }
  | Halt;

export function goOn(passage: Passage): Turn {
  return { kind: "goes_on", passage };
}

/** The verdict is final; the receipt is what remains. */
export function settle(passage: Passage, status: Status, code: Code): Turn {
  return { kind: "settled", passage: { ...passage, verdict: { status, code } } };
}

export function fail(passage: Passage, code: Code): Turn {
  return settle(passage, "error", code);
}

/** The passage with one more stage event. */
export function say(passage: Passage, event: StageEvent): Passage {
  const { attempt } = passage;
  return { ...passage, attempt: { ...attempt, events: [...attempt.events, event] } };
}

export function throwsAt({ attempt }: Passage, at: Checkpoint | CrashPoint): boolean {
  return attempt.faults.some((fault) => fault.kind === "throw_at" && fault.at === at);
}

/** What happens at a crash point; one that the profile does not claim is never announced. A kill beats a throw. */
export function passing<T>(
  passage: Passage,
  at: CrashPoint,
  thrown: () => T,
  passed: () => T,
): T | Extract<Halt, { kind: "killed" }> {
  if (!passage.world.profile.crashPoints.includes(at)) return passed();
  if (passage.kill === at) return { kind: "killed", passage };
  return throwsAt(passage, at) ? thrown() : passed();
}

/** Asks the checker of a stage. One that throws or answers unreadably has given no verdict, and no verdict is a refusal. */
export function asking(passage: Passage, stage: CheckerStage, answered: () => Turn): Turn {
  for (const fault of passage.attempt.faults) {
    if (!("stage" in fault) || fault.stage !== stage) continue;
    return fault.kind === "checker_hangs"
      ? { kind: "blocked", passage, on: stage }
      : fail(passage, "no_verdict");
  }
  return answered();
}

/** The stage at which a fault strikes the store's driver. */
export function driverStage(fault: Fault): DriverStage | "none" {
  switch (fault.kind) {
    case "receipt_ignored":
    case "receipt_aborted":
      return "receipt";
    case "effect_ignored":
      return "execute";
    case "busy":
    case "commit_refused":
    case "disk_full":
    case "read_only":
      return fault.stage;
    default:
      return "none";
  }
}

/** The driver fault in force at a stage: one of the attempt's own plan before an armed one. */
export function driverFault({ attempt, world }: Passage, stage: DriverStage): Fault["kind"] | "none" {
  const strikes = (fault: Fault): boolean => driverStage(fault) === stage;
  return (attempt.faults.find(strikes) ?? world.armed.find(strikes))?.kind ?? "none";
}

/** The durable effect under the key of this attempt's request, or of its call where there is no key, if there is one. */
export function effectUnderKey({ attempt, world }: Passage): Effect | "none" {
  const { facts, context } = attempt;
  if (facts.kind === "invalid") return "none";
  const tool = toolOf(world, context);
  const found = world.effects.find(
    (effect) =>
      effect.tenant === context.tenant &&
      effect.tool === tool &&
      effect.key === facts.key &&
      (facts.key !== "" || isOfCall(effect, context)),
  );
  return found ?? "none";
}

/** The tool that a call goes to. */
export function toolOf({ tool }: World, { dispatch }: Context): string {
  return dispatch?.tool ?? tool;
}

export type CallName = Pick<Context, "tenant" | "runId" | "callId">;

export function isOfCall(row: CallName, call: CallName): boolean {
  return row.callId === call.callId && row.runId === call.runId && row.tenant === call.tenant;
}
