import type {
  AttemptName,
  Checkpoint,
  Code,
  Context,
  CrashPoint,
  Decision,
  DecisionAnswer,
  DecisionName,
  DecisionPoint,
  DriverFault,
  Fault,
  Grant,
  Happening,
  Observation,
  Outcome,
  PolicySetting,
  Profile,
  RuleFlaw,
  RuleSetting,
  SnapshotRevision,
  TraceFlaw,
} from "../model/vocabulary.js";
import type { Footprint } from "./footprint.js";

/** What the system under test reports while it moves: fired faults, delivered cancels, log lines, late activity. */
export type Reported = Extract<Happening, { kind: "fault_fired" | "cancel_delivered" | "logged" | "late" }>;

export type StartWorld = {
  readonly policy: PolicySetting;
  /** Held from the start; with the ability `capabilities`. The clock starts at 0. */
  readonly capabilities?: readonly Grant[];
  /** Receives what is reported, in order, until the next `start` or `stop`. */
  readonly report: (reported: Reported) => void;
};

export type Submission = {
  readonly attempt: AttemptName;
  readonly delivery: string;
  /** JSON text as the agent produced it. */
  readonly request: string;
  readonly context: Context;
  readonly faults: readonly Fault[];
};

/** Where an attempt stands after it moved. */
export type Progress =
  | { readonly kind: "parked"; readonly at: Checkpoint; readonly snapshotRevision: SnapshotRevision }
  /** `atRelease` was read in the moment in which the call settled. */
  | { readonly kind: "returned"; readonly outcome: Outcome; readonly atRelease: Observation }
  /** Waiting for something outside, such as a checker that does not answer. */
  | { readonly kind: "blocked"; readonly on: string };

export type Crashed =
  | { readonly kind: "crashed" }
  /** The crash point was not passed: the attempt merely advanced. */
  | { readonly kind: "missed"; readonly progress: Progress }
  /** The same of a decision. */
  | { readonly kind: "missed_deciding"; readonly progress: DecisionProgress };

/** Where a decision stands after it moved. */
export type DecisionProgress =
  | { readonly kind: "held" }
  | { readonly kind: "answered"; readonly answer: DecisionAnswer };

/** Where a crash strikes. */
export type CrashAt =
  | { readonly kind: "parked" }
  | { readonly kind: "at"; readonly attempt: AttemptName; readonly at: CrashPoint }
  /** On the way of a new attempt to its first halt. */
  | { readonly kind: "entering"; readonly submission: Submission; readonly at: CrashPoint }
  /** On the way of a held decision to its answer. */
  | { readonly kind: "deciding"; readonly decision: DecisionName; readonly at: DecisionPoint };

/** What a system with approvals, capabilities, runs and a clock has besides; each method with its ability. */
export type GuardedPort = {
  /** `held`: stops where the handler does, before it opens its transaction. Another decision or attempt may move meanwhile. */
  readonly decide: (decision: Decision, pace: "at_once" | "held") => Promise<DecisionProgress>;
  /** Lets a held decision go on to its answer. */
  readonly settle: (decision: DecisionName) => Promise<DecisionProgress>;
  readonly setClock: (now: number) => Promise<void>;
  readonly setCapability: (capability: Grant, held: boolean) => Promise<void>;
  /** Writes out what waits, restores it from that text, and compares. A tampered text names another digest in one place. */
  readonly roundTrip: (tampered: boolean) => Promise<"restored" | "refused">;
  /** Whether the executor's own driver would repeat the call of this ended attempt now. It starts nothing. */
  readonly drive: (attempt: AttemptName) => Promise<"repeats" | "rests">;
};

/** What a system with rules and reservations has besides; with the abilities `rules` and `reservations`. */
export type RuledPort = {
  readonly say: (text: string) => Promise<void>;
  /** The rules as text of the rules' own language, with that flaw; a flawed text has to be refused. */
  readonly setRules: (to: RuleSetting, flaw: RuleFlaw) => Promise<"taken" | "refused">;
  readonly reconcile: () => Promise<void>;
  /** Done by the harness to the executor's store: the state of each reservation becomes a word that there is not. */
  readonly damageLedger: () => Promise<void>;
  /** Judges a trace of all calls that came to the rules so far, as a file of the CI gate. */
  readonly gate: (flaw: TraceFlaw) => Promise<readonly Code[]>;
};

/** What steps read and wrote, for a search that leaves out schedules which differ in nothing but the order of neighbours. */
export type Footprints =
  /** Every step counts as dependent on every other. */
  | { readonly kind: "none" }
  | {
      readonly kind: "reported";
      /** Begins to watch, for good; until then watching costs nothing. */
      readonly watch: () => void;
      /**
       * What was touched since `watch` or the last `take`, whichever came later, by the executor alone: not by the
       * observer, so not what `atRelease` shows, nor by a fault in force. `unknown` if a start, a crash or a restart
       * was among it.
       */
      readonly take: () => Footprint;
    };

/**
 * A system under test. One action at a time: a method's promise settles when everything it set in motion is at rest.
 * A rejection means that the executor or its adapter broke; the harness reports `broken`, never a verdict.
 */
export type Port = {
  readonly profile: Profile;
  /** Opens or resets to an empty store under this policy. Callable again after any state. */
  readonly start: (world: StartWorld) => Promise<void>;
  readonly submit: (submission: Submission) => Promise<Progress>;
  readonly advance: (attempt: AttemptName) => Promise<Progress>;
  /** Requests a cancel; it is delivered at the attempt's checkpoint when it next moves. */
  readonly cancel: (attempt: AttemptName) => Promise<void>;
  /** Ends the wait for a checker that does not answer. */
  readonly expire: (attempt: AttemptName) => Promise<Progress>;
  readonly setPolicy: (setting: PolicySetting) => Promise<void>;
  readonly arm: (fault: DriverFault) => Promise<void>;
  readonly disarm: (fault: DriverFault) => Promise<void>;
  /** Drops every fault that has not fired, of attempts and of the store. */
  readonly clearFaults: () => Promise<void>;
  readonly crash: (where: CrashAt) => Promise<Crashed>;
  readonly restart: () => Promise<"up" | "failed">;
  /** Reads through the second observer. `probeLock` also asks whether anyone holds the write lock. */
  readonly observe: (how: { readonly probeLock: boolean }) => Observation | Promise<Observation>;
  readonly stop: () => Promise<void>;
  readonly footprints: Footprints;
  /** Absent where the profile claims none of it. */
  readonly guarded?: GuardedPort;
  readonly ruled?: RuledPort;
};
