import assert from "node:assert/strict";
import type { Path, PathStep } from "./exploration.js";
import type { Machine, Slots } from "./machine.js";
import type { Codec } from "./schema.js";
import type { StateTable } from "./state-table.js";

/** What is needed to tell a path through stored states in actions. */
export type Trail = {
  readonly machine: Machine;
  readonly codec: Codec;
  readonly packedAt: (state: number) => Int32Array;
  /** What stored states were rewritten by. */
  readonly toCanonical: ((state: Slots) => void) | undefined;
};

/** Whether the last step of a path is one that is looked for. */
export type IsWanted = (state: Slots, action: number, next: Slots) => boolean;

/**
 * The actions that lead through these stored states, the first being the initial one, found by replaying them: under
 * symmetry the states passed are mirror images of the stored ones. Throws if no action leads on.
 */
export function pathThrough(trail: Trail, states: readonly number[], isLast?: IsWanted): Path {
  const replay = startReplay(trail);
  return states.slice(1).map((target, index) => {
    const wanted = index === states.length - 2 ? isLast : undefined;
    return replay(trail.packedAt(target), wanted);
  });
}

/** From the initial state to this one, over the states from which each was met first. */
export function chainTo({ parents }: StateTable, state: number): readonly number[] {
  const backwards = [state];
  for (let at = state; at !== 0; ) {
    at = parents[at] ?? 0;
    backwards.push(at);
  }
  return backwards.reverse();
}

type Replay = (target: Int32Array, isWanted: IsWanted | undefined) => PathStep;

function startReplay({ machine, codec, toCanonical }: Trail): Replay {
  const { slots, words } = codec.layout;
  const state = new Uint8Array(slots);
  const next = new Uint8Array(slots);
  const mirror = new Uint8Array(slots);
  const packed = new Int32Array(words);
  const actions = new Int32Array(machine.mostEnabled);
  machine.initial(state);
  const leadsTo = (target: Int32Array): boolean => {
    mirror.set(next);
    toCanonical?.(mirror);
    codec.pack(mirror, packed, 0);
    return packed.every((word, index) => word === target[index]);
  };
  return (target, isWanted) => {
    const enabled = machine.enabled(state, actions);
    for (const action of actions.subarray(0, enabled)) {
      next.set(state);
      machine.step(state, action, next);
      if (!leadsTo(target) || isWanted?.(state, action, next) === false) continue;
      const name = machine.actionName(state, action);
      state.set(next);
      return { action, name };
    }
    assert.fail(
      `${machine.name}: a stored step cannot be replayed; is \`toCanonical\` a symmetry of the machine?`,
    );
  };
}
