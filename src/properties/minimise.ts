import type { Action } from "../model/vocabulary.js";
import { smallerAt, smallerNeighbours } from "./minimise-candidates.js";
import { repaired } from "./minimise-repair.js";
import type { Simpler } from "./minimise-simplify.js";
import { smallerThroughout } from "./minimise-throughout.js";
import { createTrials, type Fails, type MinimiseBudget, type Trials } from "./minimise-trials.js";

export type Minimised = {
  readonly actions: readonly Action[];
  /**
   * `one_minimal`: every smaller neighbour loses the failure. `out_of_budget`: it still fails, but may still shrink.
   * `not_reproduced`: the list given does not fail in the same way, and is handed back as it is.
   */
  readonly kind: "one_minimal" | "out_of_budget" | "not_reproduced";
  /** How often `fails` was asked, the list given included. */
  readonly candidatesTried: number;
};

/**
 * Shrinks a failing list of actions until dropping any one action, or simplifying any one argument by one step,
 * loses this failure. Whole chunks go first, so that a list of 40 shrinks in some dozens of candidates. Names are
 * never renumbered, no candidate is tried twice, and `fails` alone decides: a candidate that fails in another way
 * is none. Rejects if `fails` rejects.
 */
export const minimise = async (options: {
  readonly actions: readonly Action[];
  readonly fails: Fails;
  readonly simpler: Simpler;
  readonly budget: MinimiseBudget;
  /** Milliseconds on any scale that only grows; read only if the budget has a time. */
  readonly now?: () => number;
}): Promise<Minimised> => {
  const { actions, simpler } = options;
  const trials = createTrials(options);
  if (!(await trials.fails(actions))) {
    const kind = trials.spent() ? "out_of_budget" : "not_reproduced";
    return { actions, kind, candidatesTried: trials.tried() };
  }
  const minimal = await toFixpoint(await withoutChunks(actions, trials), simpler, trials);
  const kind = trials.spent() ? "out_of_budget" : "one_minimal";
  return { actions: minimal, kind, candidatesTried: trials.tried() };
};

export type OneMinimality =
  | { readonly kind: "one_minimal" }
  | { readonly kind: "smaller"; readonly actions: readonly Action[] };

/** Looks for the first smaller neighbour of `actions` that still fails; it asks about each neighbour once. */
export const isOneMinimal = async (options: {
  readonly actions: readonly Action[];
  readonly fails: Fails;
  readonly simpler: Simpler;
}): Promise<OneMinimality> => {
  const { actions, simpler, fails } = options;
  const trials = createTrials({ fails, budget: { candidates: Number.POSITIVE_INFINITY }, known: [actions] });
  const smaller = await firstFailing(actions, smallerNeighbours(actions, simpler), trials);
  return smaller === actions ? { kind: "one_minimal" } : { kind: "smaller", actions: smaller };
};

/** Drops halves, quarters and so on, from the end forward: what an action depends on always stands before it. */
const withoutChunks = async (actions: readonly Action[], trials: Trials): Promise<readonly Action[]> => {
  let current = actions;
  for (let size = Math.ceil(actions.length / 2); size > 1; size = Math.ceil(size / 2)) {
    for (let end = current.length; end > 0; end -= size) {
      const kept = current.filter((_, index) => index < end - size || index >= end);
      current = await firstFailing(current, [repaired(kept)], trials);
    }
  }
  return current;
};

/** Sweeps until one whole sweep changes nothing: by then every neighbour of the list has been tried. */
const toFixpoint = async (
  actions: readonly Action[],
  simpler: Simpler,
  trials: Trials,
): Promise<readonly Action[]> => {
  let before: readonly Action[] = [];
  let current = actions;
  while (current !== before) {
    before = current;
    for (let index = before.length - 1; index >= 0; index -= 1) {
      current = await descended(current, (list) => smallerAt(list, index, simpler), trials);
    }
    current = await descended(current, (list) => smallerThroughout(list, simpler), trials);
  }
  return current;
};

const descended = async (
  actions: readonly Action[],
  smaller: (actions: readonly Action[]) => readonly (readonly Action[])[],
  trials: Trials,
): Promise<readonly Action[]> => {
  const next = await firstFailing(actions, smaller(actions), trials);
  return next === actions ? actions : descended(next, smaller, trials);
};

/** The first candidate that fails in the same way; `actions` itself if none does. */
const firstFailing = async (
  actions: readonly Action[],
  candidates: readonly (readonly Action[])[],
  trials: Trials,
): Promise<readonly Action[]> => {
  for (const candidate of candidates) {
    if (await trials.fails(candidate)) return candidate;
  }
  return actions;
};
