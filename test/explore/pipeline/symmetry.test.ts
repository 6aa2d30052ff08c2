import { describe, expect, it } from "vitest";
import type { BoundedAction } from "../../../src/explore/pipeline/actions.js";
import { attemptSlots, ofAttempt } from "../../../src/explore/pipeline/layout.js";
import { type PipelineMachine, pipelineMachine } from "../../../src/explore/pipeline/pipeline-machine.js";
import { symmetryOf } from "../../../src/explore/pipeline/symmetry.js";
import { search } from "../../../src/explore/search.js";
import { smallBounds } from "./small-bounds.js";

const machine = pipelineMachine(
  smallBounds({ attempts: 2, keys: 2, policyChanges: 1, requests: [0, 1, 2, 3] }),
  {
    recovery: "left_out",
  },
);
const symmetry = symmetryOf(machine.bounded, machine.layout);

function everyState({ layout }: PipelineMachine): readonly Uint8Array[] {
  const { stored } = search(machine, {
    reduction: { partialOrder: false, symmetry: false },
    stored: "states",
  });
  return Array.from({ length: stored.count }, (_, number) => {
    const state = new Uint8Array(layout.slots);
    stored.read(number, state);
    return state;
  });
}

const states = everyState(machine).filter((_, number) => number % 5 === 0);

function canonical(state: Uint8Array): string {
  const copy = state.slice();
  symmetry.toCanonical(copy);
  return copy.join();
}

/** The state with its two attempts in each other's places. */
function attemptsSwapped(state: Uint8Array): Uint8Array {
  const { attempts } = machine.layout;
  const swapped = state.slice();
  swapped.set(state.subarray(attempts, attempts + attemptSlots), attempts + attemptSlots);
  swapped.set(state.subarray(attempts + attemptSlots, attempts + 2 * attemptSlots), attempts);
  return swapped;
}

/** The state with its two keys under each other's names; requests 0 and 1 are of the first key, 2 and 3 of the other. */
function keysSwapped(state: Uint8Array): Uint8Array {
  const { attempts, effects, receipts } = machine.layout;
  const swapped = state.slice();
  for (const at of [effects, receipts]) {
    swapped[at] = state[at + 1] ?? 0;
    swapped[at + 1] = state[at] ?? 0;
  }
  for (const at of [attempts, attempts + attemptSlots]) {
    if (state[at] !== 0) swapped[at + ofAttempt.request] = ((state[at + ofAttempt.request] ?? 0) + 2) % 4;
  }
  return swapped;
}

function namesOfSteps(state: Uint8Array): readonly string[] {
  const into = new Int32Array(machine.mostEnabled);
  const count = machine.enabled(state, into);
  return [...into.subarray(0, count)].map((action) => {
    const next = state.slice();
    machine.step(state, action, next);
    const kind: BoundedAction["kind"] | undefined = machine.table.actions[action]?.kind;
    return `${kind} ${JSON.stringify(machine.showings[machine.showingOfStep(state, action, next)])} ${canonical(next)}`;
  });
}

describe("the symmetry of attempts and keys", () => {
  it("rewrites all mirror images of a state to the same one, which is one of them", () => {
    const different = states.filter((state) => {
      const images = [state, attemptsSwapped(state), keysSwapped(state), attemptsSwapped(keysSwapped(state))];
      const forms = new Set(images.map(canonical));
      const form = canonical(state);
      return forms.size !== 1 || images.every((image) => image.join() !== form);
    });
    expect(different).toEqual([]);
  });

  it("rewrites what it has rewritten no further", () => {
    const again = states.filter((state) => {
      const once = state.slice();
      symmetry.toCanonical(once);
      return canonical(once) !== once.join();
    });
    expect(again).toEqual([]);
  });

  it("keeps what can be done and what it shows", () => {
    for (const state of states) {
      const form = state.slice();
      symmetry.toCanonical(form);
      expect(namesOfSteps(form).toSorted()).toEqual(namesOfSteps(state).toSorted());
    }
  });

  it("tells how it rewrites a state", () => {
    for (const state of states) {
      const { slotFrom, requestTo } = symmetry.mirroring(state);
      const { attempts } = machine.layout;
      const form = state.slice();
      symmetry.toCanonical(form);
      for (const [slot, from] of slotFrom.entries()) {
        const [at, old] = [attempts + slot * attemptSlots, attempts + from * attemptSlots];
        expect(form[at]).toBe(state[old]);
        if (form[at] === 0) continue;
        expect(form[at + ofAttempt.request]).toBe(requestTo[state[old + ofAttempt.request] ?? 0]);
      }
    }
  });

  it("takes keys for different whose requests weigh differently", () => {
    // Without the light request of the second key there is nothing that the light one of the first could become.
    const uneven = smallBounds({ attempts: 1, keys: 2, requests: [0, 1, 3] });
    const odd = pipelineMachine(uneven, { recovery: "left_out" });
    const { toCanonical } = symmetryOf(uneven, odd.layout);
    const [one, other] = [new Uint8Array(odd.layout.slots), new Uint8Array(odd.layout.slots)];
    one[odd.layout.effects] = 1;
    other[odd.layout.effects + 1] = 1;
    toCanonical(one);
    toCanonical(other);
    expect(one.join()).not.toBe(other.join());
  });
});
