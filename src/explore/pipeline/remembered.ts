import assert from "node:assert/strict";
import type { Slots } from "../machine.js";
import type { ActionTable } from "./actions.js";
import type { Bounded } from "./bounded.js";
import { createDependence, type Part } from "./dependence.js";
import { attemptSlots, type Layout } from "./layout.js";
import { applyStep, firstFree, type LocalStep, localStep } from "./local-step.js";
import { createPairTable, type PairTable } from "./pair-table.js";
import type { Transition, Transitions } from "./transitions.js";

export type Remembered = {
  readonly enabled: (state: Slots, into: Int32Array) => number;
  /** Turns `next`, a copy of `state`, into the state after the action; the number of what the step shows. */
  readonly step: (state: Slots, action: number, next: Slots) => number;
  /** Lists of steps that are remembered. */
  readonly workedOut: () => number;
};

export type RememberOptions = {
  readonly bounded: Bounded;
  readonly layout: Layout;
  readonly table: ActionTable;
  readonly transitions: Transitions;
  readonly showingNumber: (transition: Transition) => number;
  /** Every so many uses of a remembered list, it is worked out anew and compared. */
  readonly auditEvery: number;
};

/** Lists of steps by the part of a state on which they depend. */
type Memory = { readonly parts: PairTable; readonly lists: (readonly LocalStep[])[] };

/**
 * Remembers steps by the part of a state on which they depend. That no step depends on more is not taken on trust: it
 * is looked at again and again, from whichever state comes along. Throws where it is not so.
 */
export function rememberSteps(options: RememberOptions): Remembered {
  const { bounded, layout, table, auditEvery } = options;
  const { attempts } = bounded.bounds;
  const requests = bounded.requests.length;
  const groups = groupsOf(table, attempts, requests);
  const dependence = createDependence(bounded, layout);
  const memory = {
    attempt: emptyMemory(),
    submission: emptyMemory(),
    controls: emptyMemory(),
    probe: emptyMemory(),
  };
  const part: Part = { high: 0, low: 0 };
  const current = new Uint8Array(layout.slots);
  const held: (readonly LocalStep[])[] = Array.from({ length: groups.count }, () => nothing);
  let isCurrent = false;
  let uses = 0;

  const recall = ({ parts, lists }: Memory, state: Slots, group: number): readonly LocalStep[] => {
    const number = parts.numberOf(part.high, part.low);
    const known = lists[number];
    if (known === undefined) {
      const fresh = workOut(options, groups.of, state, group);
      lists[number] = fresh;
      return fresh;
    }
    if (++uses % auditEvery === 0) {
      const again = workOut(options, groups.of, state, group);
      assert.deepEqual(again, known, "a step depends on more of the state than it is remembered by");
    }
    return known;
  };

  const look = (state: Slots): void => {
    dependence.look(state);
    for (let slot = 0; slot < attempts; slot++) {
      held[slot] = nothing;
      if (state[layout.attempts + slot * attemptSlots] === 0) continue;
      dependence.ofAttempt(slot, part);
      held[slot] = recall(memory.attempt, state, slot);
    }
    const mayProbe = dependence.waiting() === 0 && state[layout.phase] === 1;
    for (let request = 0; request < requests; request++) {
      dependence.ofSubmission(request, part);
      held[groups.submissions + request] = recall(memory.submission, state, groups.submissions + request);
      held[groups.probes + request] = nothing;
      if (!mayProbe) continue;
      dependence.ofProbe(request, part);
      held[groups.probes + request] = recall(memory.probe, state, groups.probes + request);
    }
    dependence.ofControls(part);
    held[groups.controls] = recall(memory.controls, state, groups.controls);
    current.set(state);
    isCurrent = true;
  };

  const isLookedAt = (state: Slots): boolean => {
    if (!isCurrent) return false;
    for (let slot = 0; slot < layout.slots; slot++) if (state[slot] !== current[slot]) return false;
    return true;
  };

  return {
    enabled: (state, into) => {
      look(state);
      let count = 0;
      for (let group = 0; group < held.length; group++) {
        const steps = held[group] ?? nothing;
        const shift = group < attempts ? group * table.perAttempt : 0;
        for (let at = 0; at < steps.length; at++) into[count++] = (steps[at]?.action ?? 0) + shift;
      }
      return count;
    },
    step: (state, action, next) => {
      if (!isLookedAt(state)) look(state);
      const group = groups.of[action] ?? 0;
      const isAttempt = group < attempts;
      const step = stepNumbered(
        held[group] ?? nothing,
        isAttempt ? action - group * table.perAttempt : action,
      );
      applyStep(options, step, isAttempt ? group : firstFree(layout, attempts, next), next);
      return step.showing;
    },
    workedOut: () => Object.values(memory).reduce((sum, { lists }) => sum + lists.length, 0),
  };
}

const nothing: readonly LocalStep[] = [];

function emptyMemory(): Memory {
  return { parts: createPairTable(), lists: [] };
}

function stepNumbered(steps: readonly LocalStep[], action: number): LocalStep {
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (step !== undefined && step.action === action) return step;
  }
  throw new Error(`action ${action} is not enabled`);
}

/** Groups of actions by number: one for each attempt, each request that is submitted or probed, and all the rest. */
type Groups = {
  readonly of: Uint8Array;
  readonly submissions: number;
  readonly probes: number;
  readonly controls: number;
  readonly count: number;
};

function groupsOf({ actions }: ActionTable, attempts: number, requests: number): Groups {
  const submissions = attempts;
  const probes = attempts + requests;
  const controls = probes + requests;
  const of = Uint8Array.from(actions, (action) => {
    if ("slot" in action) return action.slot;
    if (action.kind === "submit") return submissions + action.request;
    return action.kind === "probe" ? probes + action.request : controls;
  });
  return { of, submissions, probes, controls, count: controls + 1 };
}

function workOut(
  options: RememberOptions,
  groupOf: Uint8Array,
  state: Slots,
  group: number,
): readonly LocalStep[] {
  const { bounded, layout, table, transitions, showingNumber } = options;
  const { attempts } = bounded.bounds;
  const isAttempt = group < attempts;
  return transitions(state, (action) => groupOf[action] === group).map((transition) => {
    const mover = isAttempt ? group : firstFree(layout, attempts, state);
    const step = localStep(options, state, transition.next, {
      action: transition.action - (isAttempt ? group * table.perAttempt : 0),
      mover,
      showing: showingNumber(transition),
      receipts: transition.receipts,
    });
    const redone = state.slice();
    applyStep(options, step, mover, redone);
    const kind = table.actions[transition.action]?.kind;
    assert.deepEqual(redone, transition.next, `${kind} changes what is not its own to change`);
    return step;
  });
}
