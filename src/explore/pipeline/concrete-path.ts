import type { Action, AttemptName } from "../../model/vocabulary.js";
import type { Machine } from "../machine.js";
import type { ConcretePath } from "../reference-machine.js";
import type { ActionTable } from "./actions.js";
import type { Bounded } from "./bounded.js";
import { attemptSlots, type Layout } from "./layout.js";
import type { Symmetry } from "./symmetry.js";

type Walked = Machine & {
  readonly bounded: Bounded;
  readonly layout: Layout;
  readonly table: ActionTable;
  readonly symmetry: Symmetry;
};

/** A path from the initial state. `canonical`: its numbers are those of the states that stand for mirror images. */
export function concretePath(machine: Walked, numbers: "canonical" | "as_they_are"): ConcretePath {
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
