import type { Action, FaultKind } from "../model/vocabulary.js";
import type { Machine } from "./machine.js";

/** Steps of a bounded machine as actions that an executor can be given: attempts bear the names of their own. */
export type ConcretePath = {
  /** Takes the next step, numbered as in the state that stands for where the path has come to. */
  readonly follow: (action: number) => Action | "epilogue";
};

/** A machine of a profile within bounds: as the search sees it, and as executors are held against it. */
export type ReferenceMachine = Machine & {
  readonly faults: readonly FaultKind[];
  /** Transitions of the machine that the search has met so far, as a campaign counts them. */
  readonly transitionsMet: () => readonly string[];
  /** A path from the initial state. `canonical`: its numbers are those of the states that stand for mirror images. */
  readonly path: (numbers: "canonical" | "as_they_are") => ConcretePath;
};

/** The actions of a path as the search tells it, up to where faults are gone: from there every run is driven alike. */
export function actionsOfPath(
  machine: ReferenceMachine,
  path: readonly { readonly action: number }[],
): readonly Action[] {
  const concrete = machine.path("as_they_are");
  const actions: Action[] = [];
  for (const { action } of path) {
    const taken = concrete.follow(action);
    if (taken === "epilogue") break;
    actions.push(taken);
  }
  return actions;
}
