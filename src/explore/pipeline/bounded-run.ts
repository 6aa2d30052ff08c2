import {
  type Action,
  type AttemptName,
  type Context,
  checkpoints,
  type Fault,
  type PolicySetting,
} from "../../model/vocabulary.js";
import type { Slots } from "../machine.js";
import type { Bounded } from "./bounded.js";
import { attemptSlots, ofAttempt, places } from "./layout.js";
import type { PipelineMachine } from "./pipeline-machine.js";
import { nameOf } from "./world-codec.js";

/** A step of the bounded machine: the state in which it is taken, and its number there. */
export type OnStep = (state: Slots, action: number) => void;

type Submission = { readonly request: string; readonly context: Context };

/**
 * Follows a run of any executor on the bounded machine for as long as it stays within the bounds. Places of effects
 * of other tenants count as other keys, and a limit as the one that refuses the same requests.
 * `canonical`: states and numbers are those of the state that stands for mirror images.
 */
export function followRun(
  machine: PipelineMachine,
  actions: readonly Action[],
  numbers: "canonical" | "as_they_are",
  onStep: OnStep,
): void {
  const { layout, table, bounded, symmetry } = machine;
  const { bounds, requests, contract } = bounded;
  const state = new Uint8Array(layout.slots);
  const next = new Uint8Array(layout.slots);
  const enabled = new Int32Array(machine.mostEnabled);
  const slots = new Map<AttemptName, number>();
  const submitted = new Map<AttemptName, Submission>();
  const keys = new Map<string, number>();
  machine.initial(state);

  const placeOf = (slot: number): string =>
    places[state[layout.attempts + slot * attemptSlots + ofAttempt.place] ?? 0] ?? "";
  const isParked = (slot: number): boolean => checkpoints.some((checkpoint) => checkpoint === placeOf(slot));

  /** Takes a step if the bounded machine has it here. */
  const take = (number: number): boolean => {
    if (number < 0 || !enabled.subarray(0, machine.enabled(state, enabled)).includes(number)) return false;
    if (numbers === "as_they_are") onStep(state, number);
    else {
      const { slotFrom, requestTo } = symmetry.mirroring(state);
      const canonical = state.slice();
      symmetry.toCanonical(canonical);
      onStep(canonical, canonicalNumber(machine, number, slotFrom, requestTo));
    }
    next.set(state);
    machine.step(state, number, next);
    state.set(next);
    return true;
  };

  const submit = (
    attempt: AttemptName,
    { request, context }: Submission,
    faults: readonly Fault[],
  ): boolean => {
    submitted.set(attempt, { request, context });
    const number = table.numberOf({
      kind: "submit",
      attempt,
      request: requestHere(request, context),
      context,
      faults,
    });
    const before = state.slice();
    if (number === "none" || !take(number)) return false;
    const slot = Array.from({ length: bounds.attempts }, (_, n) => n).find(
      (n) =>
        before[layout.attempts + n * attemptSlots] === 0 && state[layout.attempts + n * attemptSlots] !== 0,
    );
    if (slot !== undefined) slots.set(attempt, slot);
    return true;
  };

  /** The request of the bounds that asks for the same of the key that stands for this place. */
  const requestHere = (text: string, { tenant }: Context): string => {
    const facts = contract.interpret(text);
    const known = requests.find((request) => request.text === text);
    if (facts.kind === "invalid" || known?.kind !== "valid") return text;
    const place = `${tenant}\n${facts.key}`;
    const key = keys.get(place) ?? freeKey(known.key);
    keys.set(place, key);
    return (
      requests.find((one) => one.kind === "valid" && one.key === key && one.variant === known.variant)
        ?.text ?? ""
    );
  };

  /** The key itself if it stands for no other place yet, and else the first that does not. */
  const freeKey = (own: number): number => {
    const taken = new Set(keys.values());
    if (!taken.has(own)) return own;
    const free = Array.from({ length: bounds.keys }, (_, key) => key).find((key) => !taken.has(key));
    return free ?? bounds.keys;
  };

  const move = (kind: "advance" | "cancel" | "expire", attempt: AttemptName): boolean => {
    const slot = slots.get(attempt);
    if (slot === undefined || placeOf(slot) === "nowhere") return true;
    const number = table.numberOf({ kind, attempt: nameOf(slot) });
    return number !== "none" && take(number);
  };

  const follow = (action: Action): boolean => {
    switch (action.kind) {
      case "observe":
        return true;
      case "submit":
        return submit(action.attempt, action, action.faults);
      case "retry":
      case "retry_changed":
      case "resubmit_new_key": {
        const earlier = submitted.get(action.of);
        if (earlier === undefined) return false;
        const request = action.kind === "retry" ? earlier.request : action.request;
        return submit(action.attempt, { ...earlier, request }, action.faults);
      }
      case "advance":
      case "cancel":
      case "expire":
        return move(action.kind, action.attempt);
      case "finish": {
        const slot = slots.get(action.attempt);
        if (slot === undefined) return true;
        while (isParked(slot)) if (!move("advance", action.attempt)) return false;
        return true;
      }
      case "change_policy":
        return takeAction({ kind: "change_policy", to: limitHere(bounded, action.to) });
      case "arm":
      case "disarm":
      case "restart":
        return takeAction(action);
      case "crash": {
        const { where } = action;
        if (where.kind === "parked") return takeAction(action);
        if (where.kind !== "at") return false;
        const slot = slots.get(where.attempt);
        if (slot === undefined || !isParked(slot)) return true;
        const killed = takeAction({ kind: "crash", where: { ...where, attempt: nameOf(slot) } });
        // A point that is not passed kills nobody.
        return killed || move("advance", where.attempt);
      }
      default:
        return false;
    }
  };
  const takeAction = (action: Action): boolean => {
    const number = table.numberOf(action);
    return number !== "none" && take(number);
  };
  for (const action of actions) if (!follow(action)) return;
}

/** The limit of the bounds that refuses what this one refuses; one that refuses all has none like it. */
function limitHere({ workload, requests, contract }: Bounded, to: PolicySetting): PolicySetting {
  if (to.kind === "remove") return to;
  const weights = requests.flatMap(({ text }) => {
    const facts = contract.interpret(text);
    return facts.kind === "valid" ? [facts.weight] : [];
  });
  const passes = (limit: number): number => weights.filter((weight) => weight <= limit).length;
  const same = workload.limits.find((one) => one.kind === "limit" && one.maxCopies === to.maxCopies);
  const alike = workload.limits.find(
    (one) => one.kind === "limit" && passes(one.maxCopies) === passes(to.maxCopies),
  );
  return same ?? alike ?? to;
}

function canonicalNumber(
  { table }: PipelineMachine,
  number: number,
  slotFrom: readonly number[],
  requestTo: readonly number[],
): number {
  if (number < table.surroundings) {
    const slot = Math.floor(number / table.perAttempt);
    return number + (slotFrom.indexOf(slot) - slot) * table.perAttempt;
  }
  const taken = table.actions[number];
  if (taken?.kind !== "submit") return number;
  const request = requestTo[taken.request];
  return table.actions.findIndex(
    (one) => one.kind === "submit" && one.request === request && one.plan === taken.plan,
  );
}
