/** A state as a vector of small integers, one for each slot of the machine's schema. */
export type Slots = Uint8Array;

/** What a state or a step shows of the promises; the same lists are one verdict. */
export type Showing = {
  /** Names of `always` promises that are broken here. */
  readonly broken: readonly string[];
  /** Names of promises whose guarded situation occurs here. */
  readonly occurred: readonly string[];
};

/** A promise about what can or must still happen, decided backwards over the whole stored graph. */
export type Liveness = {
  readonly id: string;
  /**
   * `recoverable`: from every state, some way over `via` leads to the goal.
   * `inevitable`: from every state, every way over `via` leads to the goal, and none goes on for ever before it.
   */
  readonly kind: "recoverable" | "inevitable";
  readonly goal: (state: Slots) => boolean;
  /** Steps that the way may use. */
  readonly via: (action: number) => boolean;
  /** States from which it is asked; all of them if absent. */
  readonly from?: (state: Slots) => boolean;
};

/** How far a search may leave out what only repeats in another order; see `reductions` of the search. */
export type Reductions = {
  /** Which process an action belongs to, from 0. An action of the surroundings is a process of its own. */
  readonly processes: number;
  readonly processOf: (action: number) => number;
  /**
   * Whether everything this process can do here commutes with whatever the others can do before it moves, and shows
   * nothing of a promise over more than one process or more than one shared object.
   */
  readonly isLocal: (state: Slots, process: number) => boolean;
  /** Rewrites a state to the one that stands for all its mirror images. */
  readonly toCanonical: (state: Slots) => void;
};

/**
 * A machine as the search sees it. Actions are numbers; `enabled` lists those of a state always in the same order.
 * The vectors handed over belong to the caller: a machine keeps none of them.
 */
export type Machine = {
  readonly name: string;
  readonly schema: Schema;
  readonly initial: (into: Slots) => void;
  /** The most actions that any state has. */
  readonly mostEnabled: number;
  /** Writes the actions enabled in `state` to `into`; how many. */
  readonly enabled: (state: Slots, into: Int32Array) => number;
  /** `next` holds a copy of `state` and becomes the state after the action. */
  readonly step: (state: Slots, action: number, next: Slots) => void;
  /** Kinds for the counts per action, and the kind of each action. */
  readonly actionKinds: readonly string[];
  readonly kindOf: (action: number) => number;
  readonly actionName: (state: Slots, action: number) => string;
  /** What can be shown; a machine may add to the list while it is searched. Number 0 shows nothing. */
  readonly showings: readonly Showing[];
  /** The number of what a state shows by itself; asked once for each new state. */
  readonly showingOfState: (state: Slots) => number;
  /** The number of what a step shows; asked for every step, with `next` as `step` left it, before any reduction. */
  readonly showingOfStep: (state: Slots, action: number, next: Slots) => number;
  readonly always: readonly PromiseScope[];
  /** Situations that ought to occur, so that what the promises guard is met at all. */
  readonly sometimes: readonly PromiseScope[];
  readonly liveness: readonly Liveness[];
  /** Grows with every step, which proves that nothing goes round in circles; checked where a reduction relies on it. */
  readonly progress?: (state: Slots) => number;
  readonly reductions?: Reductions;
};

export type PromiseScope = {
  readonly id: string;
  /** What is asked over `one_attempt` or `one_object` survives partial order; all but `names` survive symmetry. */
  readonly over: "one_attempt" | "one_object" | "everything";
  readonly looksAt: "values" | "names";
};

/** The slots of a state, and how many values each takes. */
export type Schema = {
  readonly fields: readonly Field[];
};

export type Field = {
  readonly name: string;
  /** Slots in a row with the same range. */
  readonly length: number;
  /** Values are 0 to `values` - 1, at most 256. */
  readonly values: number;
};
