import type { FaultKind } from "../model/vocabulary.js";
import type { Broken, Counterexample, PromiseId, PromiseReport } from "../properties/verdict.js";
import type { GuardedBounds } from "./guarded/workload.js";
import type { Bounds } from "./pipeline/bounded.js";
import type { RuledBounds } from "./ruled/workload.js";
import type { AuditDifference } from "./schedules/independence-audit.js";
import type { Difference } from "./schedules/repetition.js";
import type { Sample } from "./schedules/sampling.js";
import type { SpaceSize } from "./schedules/space-size.js";

/** Why a search is not complete, which leaves everything that it found no violation of undecided. */
export type Unfinished =
  | "max_states"
  | "time"
  | "memory"
  | "interrupted"
  | "executions"
  | "stopped_at_violation"
  | "nondeterministic"
  | "broken";

export type Completeness =
  | { readonly kind: "complete" }
  | { readonly kind: "undecided"; readonly reason: Unfinished };

/** What one search of the reference machine found: that with no fault, or with one choice of kinds of fault. */
export type MachineReport = {
  readonly faults: readonly FaultKind[];
  /** Where a profile has machines for several. */
  readonly workload?: string;
  readonly outcome: Completeness;
  readonly reduction: { readonly partialOrder: boolean; readonly symmetry: boolean };
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** States in which nothing more can be done: everything is spent, or the last attempt that tries the recovery is over. */
  readonly deadEnds: number;
  /** Bytes of all arrays that grow with the states, at their most, for each state. */
  readonly bytesPerState: number;
  /** Steps taken, by kind of action. */
  readonly steps: readonly { readonly kind: string; readonly count: number }[];
  readonly promises: readonly MachinePromise[];
  /** Units of a campaign's coverage that the search met. */
  readonly transitionsMet: readonly string[];
  /** Only where memory ran out. */
  readonly bitstate?: BitstateReport;
};

/** What searches with a bit field found, of which none can say that it has met every state. */
export type BitstateReport = {
  readonly seeds: number;
  /** The most that any of them met. */
  readonly states: number;
  /** The probability that all of them miss a state that each was offered, and how many states that is. */
  readonly missedByAll: number;
  readonly expectedMissed: number;
};

export type MachinePromise = {
  readonly promise: PromiseId;
  readonly verdict:
    | { readonly kind: "holds" | "violated" | "undecided" }
    | { readonly kind: "not_checked"; readonly reason: string };
  /** Whether the situation that it guards occurs. */
  readonly occurs: "yes" | "no" | "undecided";
  /** The shortest way to the violation, as the machine names its steps; empty if there is none. */
  readonly path: readonly string[];
};

/** How much of the machine's graph was walked on the real executor. */
export type EdgesReport = {
  readonly outcome: Completeness;
  readonly walked: number;
  readonly reachable: number;
  readonly cutOff: number;
  readonly walks: number;
  readonly actions: number;
  /** What a campaign with the requests and faults of these bounds walks, given as many actions. */
  readonly campaign:
    | { readonly walked: number; readonly actions: number; readonly runs: number }
    | "not_made";
};

/** Which schedules of the real executor were executed. */
export type SchedulesReport = {
  readonly workload: string;
  readonly threads: readonly string[];
  readonly outcome: Completeness;
  readonly footprints: "reported" | "none";
  readonly executions: { readonly complete: number; readonly blocked: number; readonly repeated: number };
  readonly states: number;
  readonly audit: {
    readonly audited: number;
    readonly unaudited: number;
    readonly differences: readonly AuditDifference[];
  };
  readonly nondeterminism: readonly Difference[];
  /** Where the search was not finished: how many schedules there are, and what random ones found. */
  readonly sampled: { readonly size: SpaceSize; readonly samples: readonly Sample[] } | "not_needed";
};

/** All that an exploration found, as plain JSON. Everything but `times` depends on bounds, executor and version alone, unless a limit of time cut it short. */
export type ExploreReport = {
  readonly format: "commitpoint-exploration";
  readonly formatVersion: 1;
  readonly version: string;
  readonly profile: string;
  /** `none`: the reference machine alone was explored. */
  readonly executor: string;
  readonly seed: number;
  readonly bounds: Bounds;
  /** In place of the bounds beside it, where the profile has approvals. */
  readonly guarded?: GuardedBounds;
  /** The same where it has rules. */
  readonly ruled?: RuledBounds;
  readonly interrupted: boolean;
  readonly allowVacuous: readonly PromiseId[];
  readonly machine: readonly MachineReport[];
  readonly edges: readonly (EdgesReport & { readonly faults: readonly FaultKind[] })[];
  readonly schedules: readonly SchedulesReport[];
  /** Over all parts together; a situation need occur in one of them only. */
  readonly promises: readonly PromiseReport[];
  readonly counterexamples: readonly (Counterexample & {
    readonly foundBy: "machine" | "edges" | "schedules";
  })[];
  readonly broken: readonly Broken[];
  readonly verdict: "holds" | "violated" | "broken" | "undecided" | "vacuous" | "nothing_checked";
  readonly times: {
    readonly startedAt: string;
    readonly wallMs: number;
    readonly parts: readonly { readonly part: string; readonly wallMs: number }[];
  };
};
