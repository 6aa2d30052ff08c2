import type { Action, AttemptName } from "../../model/vocabulary.js";
import { attemptSlots } from "./layout.js";
import type { PipelineMachine } from "./pipeline-machine.js";

/** Steps of the bounded machine as actions that an executor can be given: attempts bear the names of their own. */
export type ConcretePath = {
  /** Takes the next step, numbered as in the state that stands for where the path has come to. */
  readonly follow: (action: number) => Action | "epilogue";
};

/** A path from the initial state. `canonical`: its numbers are those of the states that stand for mirror images. */
export function concretePath(machine: PipelineMachine, numbers: "canonical" | "as_they_are"): ConcretePath {
  const { layout, table, bounded, symmetry } = machine;
  const attempts = bounded.bounds.attempts;
  const state = new Uint8Array(layout.slots);
  const next = new Uint8Array(layout.slots);
  const actions = new Int32Array(machine.mostEnabled);
  const names: AttemptName[] = [];
  let submitted = 0;
  machine.initial(state);
  const isFree = (of: Uint8Array, slot: number): boolean => of[layout.attempts + slot * attemptSlots] === 0;

  const asItIs = (action: number): number => {
    if (numbers === "as_they_are") return action;
    const { slotFrom, requestTo } = symmetry.mirroring(state);
    if (action < table.surroundings) {
      const slot = Math.floor(action / table.perAttempt);
      return action + ((slotFrom[slot] ?? slot) - slot) * table.perAttempt;
    }
    const meant = table.actions[action];
    if (meant?.kind !== "submit" && meant?.kind !== "probe") return action;
    const request = requestTo.indexOf(meant.request);
    return table.actions.findIndex((one) =>
      one.kind === "submit" && meant.kind === "submit"
        ? one.request === request && one.plan === meant.plan
        : one.kind === meant.kind && one.kind === "probe" && one.request === request,
    );
  };

  return {
    follow: (canonical) => {
      const action = asItIs(canonical);
      const newcomer: AttemptName = `a${submitted + 1}`;
      const taken = table.actionOf(action, newcomer);
      machine.enabled(state, actions);
      next.set(state);
      machine.step(state, action, next);
      const named = taken === "epilogue" ? taken : withNames(taken, names, newcomer);
      if (taken !== "epilogue" && taken.kind === "submit") {
        submitted++;
        const slot = Array.from({ length: attempts }, (_, n) => n).find(
          (n) => isFree(state, n) && !isFree(next, n),
        );
        if (slot !== undefined) names[slot] = newcomer;
      }
      state.set(next);
      return named;
    },
  };
}

/** The actions of a path as the search tells it, up to where faults are gone: from there every run is driven alike. */
export function actionsOfPath(
  machine: PipelineMachine,
  path: readonly { readonly action: number }[],
): readonly Action[] {
  const concrete = concretePath(machine, "as_they_are");
  const actions: Action[] = [];
  for (const { action } of path) {
    const taken = concrete.follow(action);
    if (taken === "epilogue") break;
    actions.push(taken);
  }
  return actions;
}

/** An action of the bounded machine names a slot; the attempt in it has a name of its own. */
function withNames(action: Action, names: readonly AttemptName[], newcomer: AttemptName): Action {
  const nameOf = (slotName: AttemptName): AttemptName => names[Number(slotName.slice(1)) - 1] ?? newcomer;
  switch (action.kind) {
    case "advance":
    case "cancel":
    case "expire":
      return { ...action, attempt: nameOf(action.attempt) };
    case "crash":
      return action.where.kind === "at"
        ? { kind: "crash", where: { ...action.where, attempt: nameOf(action.where.attempt) } }
        : action;
    default:
      return action;
  }
}
