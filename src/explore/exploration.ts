import type { Graph } from "./graph.js";
import type { Slots } from "./machine.js";

/** What a search found, and the states it met. A verdict other than `violated` holds for the machine as bounded. */
export type Exploration = {
  readonly machine: string;
  readonly reduction: Reduction;
  readonly outcome: Outcome;
  readonly states: number;
  /** Steps taken, those to states already met included. */
  readonly transitions: number;
  /** The most steps that a shortest way to a state met takes. */
  readonly depth: number;
  /** States without an enabled action, in the order met. */
  readonly deadEnds: Uint32Array;
  /** Steps taken, by kind of action. */
  readonly steps: readonly { readonly kind: string; readonly count: number }[];
  readonly always: readonly { readonly id: string; readonly verdict: AlwaysVerdict }[];
  readonly sometimes: readonly { readonly id: string; readonly verdict: SometimesVerdict }[];
  readonly liveness: readonly { readonly id: string; readonly verdict: LivenessVerdict }[];
  readonly bytes: {
    /** All arrays that grow with the states, slack included. */
    readonly now: number;
    /** The most at any time, growing included. */
    readonly peak: number;
  };
  readonly stored: Stored;
};

export type Reduction = { readonly partialOrder: boolean; readonly symmetry: boolean };

export type Outcome =
  | { readonly kind: "complete" }
  | { readonly kind: "undecided"; readonly reason: Bound | "interrupted" | "violation" };

export type Bound = "max_states" | "time" | "memory";

/** One step of a path, as the machine tells it. */
export type PathStep = { readonly action: number; readonly name: string };

/** Steps one after the other from the initial state. */
export type Path = readonly PathStep[];

/** `not_checked` says why the search as made cannot decide it. */
type NotDecided =
  | { readonly kind: "undecided" }
  | { readonly kind: "not_checked"; readonly why: NotCheckedReason };

export type NotCheckedReason =
  | "partial_order_is_not_sound_for_it"
  | "symmetry_is_not_sound_for_it"
  | "the_graph_is_not_stored";

export type AlwaysVerdict =
  | { readonly kind: "holds" }
  /** Over a shortest path; over a shortest one of the reduced graph if the search was reduced. */
  | { readonly kind: "violated"; readonly path: Path }
  | NotDecided;

export type SometimesVerdict =
  | { readonly kind: "occurs"; readonly path: Path }
  | { readonly kind: "never_occurs" }
  | NotDecided;

export type LivenessVerdict =
  | { readonly kind: "holds" }
  /** The path leads to a state of least depth from which it does not hold. */
  | { readonly kind: "violated"; readonly path: Path; readonly failure: Failure }
  | NotDecided;

/** How it goes on from a state that breaks a liveness promise. */
export type Failure =
  | { readonly kind: "no_way_to_the_goal" }
  /** After these steps no step may be taken, and the goal is not reached. */
  | { readonly kind: "stuck"; readonly after: Path }
  /** After `after` the steps `round` lead back to the same state, or to its mirror image. */
  | { readonly kind: "goes_round"; readonly after: Path; readonly round: Path };

/** The states of a search by number, from 0 for the initial one, in the order met: breadth first. */
export type Stored = {
  readonly count: number;
  readonly read: (state: number, into: Slots) => void;
  /** Steps of a shortest way there. */
  readonly depthOf: (state: number) => number;
  /** A shortest way there; under symmetry it ends in the state or in a mirror image. */
  readonly pathTo: (state: number) => Path;
  readonly graph: { readonly kind: "stored"; readonly graph: Graph } | { readonly kind: "not_stored" };
};
