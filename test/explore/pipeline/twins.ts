import type { Showing, Slots } from "../../../src/explore/machine.js";
import type { BoundedAction } from "../../../src/explore/pipeline/actions.js";
import type { Take } from "../../../src/explore/pipeline/fired.js";
import type { PipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { nameOf } from "../../../src/explore/pipeline/world-codec.js";
import type { Action, AttemptName } from "../../../src/model/vocabulary.js";
import { isWaiting, type World } from "../../../src/model/world.js";
import { everyHistory, stepsOf, type Whole, type WholeEdge, type WholeVerdict } from "./whole-histories.js";

/** The state of the bounded machine that stands for a whole world, and which attempt each of its slots holds. */
export type Twin = { readonly state: Slots; readonly names: readonly (AttemptName | "free")[] };

function firstTwin(machine: PipelineMachine): Twin {
  const state = new Uint8Array(machine.layout.slots);
  machine.initial(state);
  return { state, names: Array.from({ length: machine.bounded.bounds.attempts }, () => "free") };
}

/** The numbers of the actions that the machine has in this state, but for the end of faults. */
function enabledIn(machine: PipelineMachine, { state }: Twin): readonly number[] {
  const into = new Int32Array(machine.mostEnabled);
  const count = machine.enabled(state, into);
  const isOpen = (kind: BoundedAction["kind"] | undefined): boolean => kind !== "epilogue";
  return ascending(
    [...into.subarray(0, count)].filter((action) => isOpen(machine.table.actions[action]?.kind)),
  );
}

/** The number that an action of a whole world has in the state of its twin. */
function numberIn(machine: PipelineMachine, { names }: Twin, action: Action): number {
  const slotName = (name: AttemptName): AttemptName => nameOf(names.indexOf(name));
  const number = machine.table.numberOf(renamed(action, slotName));
  if (number === "none") throw new Error(`${JSON.stringify(action)} has no number`);
  return number;
}

function renamed(action: Action, slotName: (name: AttemptName) => AttemptName): Action {
  switch (action.kind) {
    case "advance":
    case "cancel":
    case "expire":
      return { ...action, attempt: slotName(action.attempt) };
    case "crash":
      return action.where.kind === "at"
        ? { kind: "crash", where: { ...action.where, attempt: slotName(action.where.attempt) } }
        : action;
    default:
      return action;
  }
}

/** Attempts keep their slots while they wait; a new one takes the first that is free. */
function namesAfter(names: Twin["names"], before: World, after: World): Twin["names"] {
  const waits = (name: AttemptName | "free"): boolean =>
    after.attempts.some((attempt) => attempt.name === name && isWaiting(attempt));
  const kept = names.map((name) => (waits(name) ? name : "free"));
  const newcomer = after.attempts.find(
    (attempt) => isWaiting(attempt) && before.attempts.every(({ name }) => name !== attempt.name),
  );
  return newcomer === undefined ? kept : kept.with(kept.indexOf("free"), newcomer.name);
}

/** One step of a whole world, and the step of the machine that stands for it. */
export type TwinEdge = {
  readonly edge: WholeEdge;
  readonly from: Twin;
  readonly to: Twin;
  readonly showing: Showing;
};

/** Walks every history of the bounds and, beside each, the states of the machine that stand for its worlds. */
export function walkTwins(
  machine: PipelineMachine,
  take: Take,
  onEdge: (edge: TwinEdge) => void,
): { readonly whole: WholeVerdict; readonly enabledElsewhere: readonly string[] } {
  const twins = new Map<Whole, Twin>();
  const enabledElsewhere: string[] = [];
  const twinOf = (from: Whole): Twin => {
    const known = twins.get(from);
    if (known !== undefined) return known;
    const first = firstTwin(machine);
    twins.set(from, first);
    return first;
  };
  const asked = new Set<Whole>();
  const whole = everyHistory(machine.bounded, take, (edge) => {
    const from = twinOf(edge.from);
    if (!asked.has(edge.from)) {
      asked.add(edge.from);
      const own = stepsOf(machine.bounded, take, edge.from).map(({ action }) =>
        numberIn(machine, from, action),
      );
      const theirs = enabledIn(machine, from);
      if (ascending(own).join() !== theirs.join())
        enabledElsewhere.push(`${own.join()} but ${theirs.join()}`);
    }
    const state = from.state.slice();
    const number = numberIn(machine, from, edge.action);
    machine.step(from.state, number, state);
    const showing = machine.showings[machine.showingOfStep(from.state, number, state)];
    if (showing === undefined) throw new Error(`action ${number} shows nothing that is listed`);
    const to = { state, names: namesAfter(from.names, edge.from.world, edge.to.world) };
    twins.set(edge.to, to);
    onEdge({ edge, from, to, showing });
  });
  return { whole, enabledElsewhere };
}

function ascending(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((one, other) => one - other);
}
