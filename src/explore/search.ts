import { expand } from "./expand.js";
import type { Bound, Exploration, Outcome, Reduction } from "./exploration.js";
import type { Machine } from "./machine.js";
import { createRun, explorationOf, type Run } from "./run.js";

export type SearchOptions = {
  readonly reduction: Reduction;
  /** A graph keeps every step, for backward analysis and walks: 8 bytes each, and 4 a state. */
  readonly stored: "states" | "graph";
  readonly maxStates?: number;
  /** Milliseconds from the start, by `now`. */
  readonly timeMs?: number;
  /**
   * Bytes of the arrays that grow with the states. To decide liveness on a finished graph takes about 5 bytes a step
   * and 20 a state more, for as long as it takes.
   */
  readonly maxBytes?: number;
  /** Ends the search at the first broken promise; it is undecided what else there is. */
  readonly stopAtFirst?: boolean;
  /** Asked now and then; true ends the search. */
  readonly isInterrupted?: () => boolean;
  readonly now?: () => number;
};

/**
 * Searches breadth first what the machine can reach. A search that ends early is `undecided`, and says of nothing that
 * it holds. Throws if the machine breaks its own word: a value outside the schema, progress that does not grow, or a
 * reduction asked of a machine without one.
 */
export function search(machine: Machine, options: SearchOptions): Exploration {
  const going = startSearch(machine, options);
  while (!going.advance(statesBetweenChecks)) {}
  return going.exploration();
}

/** A search that can be left and taken up again, so that others have their turn. */
export type Search = {
  /** Expands up to so many states; whether the search is over. */
  readonly advance: (states: number) => boolean;
  readonly progress: () => { readonly states: number; readonly expanded: number; readonly depth: number };
  /** What has been found so far; `interrupted` unless the search is over. */
  readonly exploration: () => Exploration;
};

/** Searches the same as `search`, as far as it is told to advance. */
export function startSearch(machine: Machine, options: SearchOptions): Search {
  const run = createRun(machine, options);
  const now = options.now ?? performance.now.bind(performance);
  const end = now() + (options.timeMs ?? Number.POSITIVE_INFINITY);
  let outcome: Outcome | undefined = undecidedAtOnce(run);
  const advance = (states: number): boolean => {
    for (let left = states; outcome === undefined && left > 0; left -= statesBetweenChecks) {
      if (options.isInterrupted?.() === true) outcome = undecided("interrupted");
      else if (now() >= end) outcome = undecided("time");
      else outcome = expandSome(run, Math.min(left, statesBetweenChecks), options);
    }
    return outcome !== undefined;
  };
  return {
    advance,
    progress: () => ({ states: run.table.count, expanded: run.expanded, depth: run.levels.length - 1 }),
    exploration: () => explorationOf(run, outcome ?? undecided("interrupted"), options.reduction),
  };
}

/** Often enough for a clock, seldom enough to cost nothing. */
const statesBetweenChecks = 1024;

function undecided(reason: Bound | "interrupted" | "violation"): Outcome {
  return { kind: "undecided", reason };
}

function undecidedAtOnce(run: Run): Outcome | undefined {
  return run.table.count === 0 ? undecided("max_states") : undefined;
}

function expandSome(run: Run, states: number, options: SearchOptions): Outcome | undefined {
  const end = run.expanded + states;
  while (run.expanded < end) {
    if (options.stopAtFirst === true && run.isBroken) return undecided("violation");
    if (run.expanded === run.table.count) return { kind: "complete" };
    if (!expand(run, end - run.expanded)) {
      return undecided(run.table.count >= run.table.mostStates ? "max_states" : "memory");
    }
  }
  return undefined;
}
