import type { Reductions, Slots } from "../../src/explore/machine.js";
import { phase, place, type Shape } from "./small-model-shape.js";

// Local names: what is read for every step is not looked up in another module each time.
const { key: slotKey, pc: slotPc } = place;
const { submitted, validated, checked } = phase;

/**
 * Attempts are processes, and the policy is one. Attempts with the same digest are alike, and so are keys; an attempt
 * that has not chosen its key keeps key 0, whatever the keys are called.
 */
export function smallModelReductions(shape: Shape): Reductions {
  return {
    processes: shape.attempts + 1,
    processOf: (action) => action >> 4,
    isLocal: (state, process) => process < shape.attempts && touchesOnlyItself(shape, state, process),
    toCanonical: canonicalFor(shape),
  };
}

/** Everything but check and commit touches the attempt alone. */
function touchesOnlyItself({ firstAttempt, slotsOfAttempt }: Shape, state: Slots, attempt: number): boolean {
  const pc = state[firstAttempt + attempt * slotsOfAttempt + slotPc] ?? 0;
  return pc !== validated && pc !== checked;
}

/** The least state, over all ways to call the keys, with attempts that are alike in descending order of their slots. */
function canonicalFor(shape: Shape): (state: Slots) => void {
  const others = permutations(shape.keys).slice(1);
  const slots = shape.firstAttempt + shape.attempts * shape.slotsOfAttempt;
  const renamed = new Uint8Array(slots);
  const least = new Uint8Array(slots);
  return (state) => {
    sortAlike(shape, state);
    if (others.length === 0) return;
    copy(state, least);
    for (const names of others) {
      rename(shape, state, names, renamed);
      sortAlike(shape, renamed);
      if (isLess(renamed, least)) copy(renamed, least);
    }
    copy(least, state);
  };
}

function permutations(keys: number): readonly (readonly number[])[] {
  if (keys === 0) return [[]];
  return permutations(keys - 1).flatMap((shorter) =>
    Array.from({ length: keys }, (_, at) => [
      ...shorter.slice(0, keys - 1 - at),
      keys - 1,
      ...shorter.slice(keys - 1 - at),
    ]),
  );
}

function copy(from: Slots, to: Slots): void {
  for (let slot = 0; slot < to.length; slot++) to[slot] = from[slot] ?? 0;
}

function isLess(one: Slots, other: Slots): boolean {
  for (let slot = 0; slot < one.length; slot++) {
    const difference = (one[slot] ?? 0) - (other[slot] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function rename(shape: Shape, state: Slots, names: readonly number[], into: Slots): void {
  copy(state, into);
  for (let key = 0; key < shape.keys; key++) {
    const name = names[key] ?? 0;
    into[shape.draft + name] = state[shape.draft + key] ?? 0;
    into[shape.count + name] = state[shape.count + key] ?? 0;
  }
  for (let attempt = 0; attempt < shape.attempts; attempt++) {
    const at = shape.firstAttempt + attempt * shape.slotsOfAttempt;
    if (state[at + slotPc] !== submitted) into[at + slotKey] = names[state[at + slotKey] ?? 0] ?? 0;
  }
}

/** By insertion among those of the same digest, which are two apart. */
function sortAlike(shape: Shape, state: Slots): void {
  for (let attempt = 2; attempt < shape.attempts; attempt++) {
    for (let later = attempt; later >= 2 && swapIfLess(shape, state, later - 2, later); ) later -= 2;
  }
}

function swapIfLess(
  { firstAttempt, slotsOfAttempt }: Shape,
  state: Slots,
  one: number,
  other: number,
): boolean {
  const left = firstAttempt + one * slotsOfAttempt;
  const right = firstAttempt + other * slotsOfAttempt;
  for (let slot = 0; slot < slotsOfAttempt; slot++) {
    const difference = (state[left + slot] ?? 0) - (state[right + slot] ?? 0);
    if (difference > 0) return false;
    if (difference === 0) continue;
    for (let rest = slot; rest < slotsOfAttempt; rest++) {
      const kept = state[left + rest] ?? 0;
      state[left + rest] = state[right + rest] ?? 0;
      state[right + rest] = kept;
    }
    return true;
  }
  return false;
}
