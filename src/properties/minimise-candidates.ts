import type { Action } from "../model/vocabulary.js";
import { attemptsMade, detached, repaired } from "./minimise-repair.js";
import { type Simpler, simplerActions } from "./minimise-simplify.js";
import { smallerThroughout } from "./minimise-throughout.js";

/**
 * Every smaller neighbour of a list. A neighbour is shorter, or as long with one action simpler, or with one value
 * simpler wherever it occurs; so every chain of neighbours ends.
 */
export const smallerNeighbours = (
  actions: readonly Action[],
  simpler: Simpler,
): readonly (readonly Action[])[] => [
  ...actions.flatMap((_, index) => smallerAt(actions, index, simpler)),
  ...smallerThroughout(actions, simpler),
];

/** The neighbours in which the action at `index` is dropped, merged with the next, or simpler; none past the end. */
export const smallerAt = (
  actions: readonly Action[],
  index: number,
  simpler: Simpler,
): readonly (readonly Action[])[] => {
  const action = actions[index];
  if (action === undefined) return [];
  return [
    repaired(actions.toSpliced(index, 1)),
    // Its retries may do without it, as submissions of their own.
    ...attemptsMade(action).map((attempt) => repaired(detached(actions, attempt).toSpliced(index, 1))),
    ...merged(action, actions[index + 1]).map((one) => actions.toSpliced(index, 2, one)),
    ...simplerActions(action, simpler).map((one) => actions.toSpliced(index, 1, one)),
  ];
};

/** Two advances of one attempt in a row may do as one finish. */
const merged = (action: Action, next: Action | undefined): readonly Action[] =>
  action.kind === "advance" && next?.kind === "advance" && next.attempt === action.attempt
    ? [{ kind: "finish", attempt: action.attempt }]
    : [];
