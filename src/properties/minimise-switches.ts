import type { Action, AttemptName } from "../model/vocabulary.js";
import { repaired } from "./minimise-repair.js";
import { createTrials, type Fails, type MinimiseBudget, type Trials } from "./minimise-trials.js";

export type Reordered = {
  /** The actions given, none more and none less; each actor's own stay in their order. */
  readonly actions: readonly Action[];
  /** `switchesIn(actions)`, never more than in the list given. */
  readonly switches: number;
  /**
   * `swap_minimal`: every order that `plainerOrders` lists loses the failure. `out_of_budget`: it still fails, but
   * may have a plainer order. `not_reproduced`: the list given does not fail in the same way, and is handed back.
   */
  readonly kind: "swap_minimal" | "out_of_budget" | "not_reproduced";
  /** How often `fails` was asked, the list given included. */
  readonly candidatesTried: number;
};

/**
 * Reorders a failing list of actions until no swap of two neighbouring blocks has fewer context switches and still
 * fails in this way. Another kind of reordering may have fewer yet. Rejects if `fails` rejects.
 */
export const fewerSwitches = async (options: {
  readonly actions: readonly Action[];
  readonly fails: Fails;
  readonly budget: MinimiseBudget;
  /** Milliseconds on any scale that only grows; read only if the budget has a time. */
  readonly now?: () => number;
}): Promise<Reordered> => {
  const { actions } = options;
  const trials = createTrials(options);
  if (!(await trials.fails(actions))) {
    return ended(actions, trials.spent() ? "out_of_budget" : "not_reproduced", trials);
  }
  const plainest = await descended(actions, trials);
  return ended(plainest, trials.spent() ? "out_of_budget" : "swap_minimal", trials);
};

/** How often neighbouring actions are those of different actors: see `actorOf`. */
export const switchesIn = (actions: readonly Action[]): number => Math.max(0, runStarts(actions).length - 1);

/**
 * Every list with fewer context switches that comes from swapping two neighbouring blocks of actions, fewest first.
 * The blocks share no actor, so that each actor's own actions stay in order, and no action comes before the one that
 * makes its attempt.
 */
export const plainerOrders = (actions: readonly Action[]): readonly (readonly Action[])[] => {
  const before = switchesIn(actions);
  return blockSwaps(actions)
    .map((order) => ({ order, switches: switchesIn(order) }))
    .filter(({ order, switches }) => switches < before && repaired(order).length === order.length)
    .sort((one, other) => one.switches - other.switches)
    .map(({ order }) => order);
};

const ended = (actions: readonly Action[], kind: Reordered["kind"], trials: Trials): Reordered => ({
  actions,
  switches: switchesIn(actions),
  kind,
  candidatesTried: trials.tried(),
});

/** Ends, because each step has fewer switches than the one before. */
const descended = async (actions: readonly Action[], trials: Trials): Promise<readonly Action[]> => {
  for (const order of plainerOrders(actions)) {
    if (await trials.fails(order)) return descended(order, trials);
  }
  return actions;
};

/**
 * Blocks of whole runs are enough: a cut inside a run makes a switch at either side of what is put there, and the
 * swap removes no more than these two.
 */
const blockSwaps = (actions: readonly Action[]): readonly (readonly Action[])[] => {
  const cuts = [...runStarts(actions), actions.length];
  return cuts.flatMap((from, index) =>
    cuts.slice(index + 1).flatMap((middle, further) =>
      cuts
        .slice(index + further + 2)
        .map((end) => ({ left: actions.slice(from, middle), right: actions.slice(middle, end), end }))
        .filter(({ left, right }) => shareNoActor(left, right))
        .map(({ left, right, end }) => [...actions.slice(0, from), ...right, ...left, ...actions.slice(end)]),
    ),
  );
};

/** Where the actor changes, the start of the list included. */
const runStarts = (actions: readonly Action[]): readonly number[] =>
  actions.flatMap((action, index) => {
    const before = actions[index - 1];
    return before !== undefined && actorOf(before) === actorOf(action) ? [] : [index];
  });

const shareNoActor = (left: readonly Action[], right: readonly Action[]): boolean => {
  const actors = new Set(left.map(actorOf));
  return right.every((action) => !actors.has(actorOf(action)));
};

/** The attempt that an action starts, moves, stops or kills on its way; the operator for all the others. */
const actorOf = (action: Action): AttemptName | "operator" => {
  if ("attempt" in action) return action.attempt;
  if (action.kind !== "crash") return "operator";
  if (action.where.kind === "at") return action.where.attempt;
  return action.where.kind === "entering" ? action.where.entry.attempt : "operator";
};
