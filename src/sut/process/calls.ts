import type {
  AttemptName,
  Decision,
  DecisionName,
  DriverFault,
  Grant,
  PolicySetting,
  WriteLock,
} from "../../model/vocabulary.js";
import type { LeftBehind } from "../guarded/system.js";
import type {
  CrashAt,
  Crashed,
  DecisionProgress,
  Progress,
  Reported,
  StartWorld,
  Submission,
} from "../port.js";

/** What an executor's process is forked with; `bug` is the name of a faulty guarded executor, or `none`. */
export type ExecutorSettings = {
  readonly directory: string;
  readonly notificationUrl: string;
  /** Real time that one move may take before the executor counts as stuck. */
  readonly budgetMs: number;
  readonly bug: string;
};

/** What the harness asks of an executor's process, one call at a time; an answer of nothing is `null`. */
export type Calls = {
  start: (world: Pick<StartWorld, "policy" | "capabilities">) => LeftBehind;
  takeUp: (left: LeftBehind, armed: readonly DriverFault[]) => null;
  submit: (submission: Submission) => Progress;
  advance: (attempt: AttemptName) => Progress;
  cancel: (attempt: AttemptName) => null;
  expire: (attempt: AttemptName) => Progress;
  setPolicy: (setting: PolicySetting) => null;
  arm: (fault: DriverFault) => null;
  disarm: (fault: DriverFault) => null;
  clearFaults: () => null;
  /** Never answered if the point is passed: the process stands still there until it is killed. */
  crash: (where: CrashAt) => Crashed;
  probeLock: () => WriteLock;
  decide: (decision: Decision, pace: "at_once" | "held") => DecisionProgress;
  settle: (decision: DecisionName) => DecisionProgress;
  setClock: (now: number) => null;
  setCapability: (capability: Grant, held: boolean) => null;
  roundTrip: (tampered: boolean) => "restored" | "refused";
  drive: (submission: Submission) => "repeats" | "rests";
};

export type CallName = keyof Calls;

/** One call on its way to the process, with its name. */
export type Called<Name extends CallName = CallName> = {
  [One in Name]: { readonly name: One; readonly given: Parameters<Calls[One]> };
}[Name];

/** One line of what the process says, in order and written before it goes on. */
export type Said =
  | { readonly kind: "reported"; readonly reported: Reported }
  /** `answer` is JSON text. */
  | { readonly kind: "answered"; readonly answer: string }
  | { readonly kind: "threw"; readonly message: string }
  /** It stands at the point at which it was to be killed, and does nothing more. */
  | { readonly kind: "stands" };

/** The descriptor that the process writes its lines to; the channel for calls is the one before. */
export const linesDescriptor = 4;

// Both ends are the same build of this package, so what they tell each other is taken at its word.

/** One line of the process; throws if it is no JSON. */
export function parseSaid(line: string): Said {
  return JSON.parse(line);
}

/** The one argument that the process is forked with; throws if it is no JSON. */
export function parseSettings(text: string): ExecutorSettings {
  return JSON.parse(text);
}
