import type { Action, Event } from "../model/vocabulary.js";

/** Every promise that an executor can be asked about; which of them it is asked, its profile says. */
export const promiseIds = [
  "receipt-before-release",
  "one-effect-per-key",
  "one-receipt-per-attempt",
  "receipt-tells-truth",
  "outcome-tells-truth",
  "effect-has-request",
  "refused-leaves-nothing",
  "rollback-is-complete",
  "commit-survives",
  "no-stale-commit",
  "checked-every-time",
  "cancel-is-not-success",
  "audit-failure-is-loud",
  "receipts-hold-no-payload",
  "key-binds-arguments",
  "fail-closed",
  "revision-only-grows",
  "unknown-is-not-failed",
  "approval-binds",
  "denied-stays-denied",
  "approve-once-executes-once",
  "pause-consumes-nothing",
  "consent-survives",
  "decision-tells-truth",
  "asks-once",
  "authority-at-commit",
  "recovery-by-kind",
  "repair-is-bounded",
  "identity-from-context",
  "layers-do-not-average",
  "gate-equals-guard",
  "reservation-is-exclusive",
  "nothing-after-the-end",
  "every-attempt-ends",
  "always-recoverable",
  "matches-the-machine",
] as const;
export type PromiseId = (typeof promiseIds)[number];

/** One broken promise: where in the history, what was expected, what was seen. Texts are whole sentences or short clauses. */
export type Violation = {
  readonly promise: PromiseId;
  /** Position of the event that shows it. */
  readonly position: number;
  readonly action: number;
  /** What was broken, in one sentence. */
  readonly sentence: string;
  readonly expected: string;
  readonly seen: string;
};

/** The judge's answer for one run. */
export type RunVerdict = {
  /** Those of the first action that broke a promise; named promises before `matches-the-machine`. */
  readonly violations: readonly Violation[];
  /** Promises whose guarded situation occurred. */
  readonly occurred: readonly PromiseId[];
  /** Promises that could not be decided in this run, with the reason. */
  readonly undecided: readonly { readonly promise: PromiseId; readonly reason: string }[];
};

/** What a campaign knows of one promise. Precedence when reports merge: violated > broken > undecided > vacuous > holds. */
export type PromiseVerdict =
  | { readonly kind: "holds" }
  | { readonly kind: "violated" }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "undecided"; readonly reason: string }
  | { readonly kind: "vacuous" }
  | { readonly kind: "not_checked"; readonly lacks: readonly string[] };

export type PromiseReport = {
  readonly promise: PromiseId;
  readonly verdict: PromiseVerdict;
  /** In how many runs the situation it guards occurred. */
  readonly occurredInRuns: number;
};

/** The first run that broke a promise, and its minimised form. */
export type Counterexample = {
  readonly promise: PromiseId;
  readonly run: number;
  readonly violation: Violation;
  /** As generated. */
  readonly actions: readonly Action[];
  readonly minimal: {
    readonly actions: readonly Action[];
    readonly violation: Violation;
    /** History of the minimal list, for the timeline. */
    readonly history: readonly Event[];
    /** `one_minimal`: dropping or simplifying anything loses this failure. `out_of_budget`: it may still shrink. */
    readonly kind: "one_minimal" | "out_of_budget" | "not_reproduced";
    readonly candidatesTried: number;
    /** Why it could not be minimised, where that is not for want of budget. */
    readonly why?: string;
  };
};

/** A run in which the harness, the adapter or the executor failed to answer. */
export type Broken = {
  readonly run: number;
  readonly where: string;
  readonly message: string;
  readonly actions: readonly Action[];
};

/**
 * All that a campaign or a shard of one found, as plain JSON. Everything but `times` is a function of
 * seed, executor, budget and version, whatever the number of workers.
 */
export type CampaignReport = {
  readonly format: "commitpoint-report";
  readonly formatVersion: 1;
  readonly version: string;
  readonly executor: string;
  readonly profile: string;
  readonly seed: number;
  readonly maxActions: number;
  readonly shard: { readonly index: number; readonly count: number };
  readonly budget:
    | { readonly kind: "runs"; readonly runs: number }
    | { readonly kind: "time"; readonly milliseconds: number };
  readonly interrupted: boolean;
  readonly runs: { readonly first: number; readonly planned: number; readonly executed: number };
  /** Generated actions: `performed` + `skipped`. The epilogue is not counted. */
  readonly actions: {
    readonly performed: number;
    readonly skipped: number;
    readonly byKind: { readonly [kind: string]: number };
  };
  readonly allowVacuous: readonly PromiseId[];
  /** The worst of all; `nothing_executed` and `nothing_checked` are never success. */
  readonly verdict:
    | "holds"
    | "violated"
    | "broken"
    | "undecided"
    | "vacuous"
    | "nothing_executed"
    | "nothing_checked";
  readonly promises: readonly PromiseReport[];
  readonly counterexamples: readonly Counterexample[];
  readonly broken: readonly Broken[];
  /** Transitions of the machine, see `coverage.ts`. */
  readonly coverage: {
    readonly reachable: number;
    readonly reached: { readonly [transition: string]: number };
    readonly notReached: readonly string[];
  };
  /** The only part that differs between two runs of the same campaign. */
  readonly times: {
    readonly startedAt: string;
    readonly wallMs: number;
    readonly actionsPerSecond: number;
    readonly workers: number;
  };
};
