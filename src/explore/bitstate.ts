import assert from "node:assert/strict";
import { ampleFirst } from "./ample.js";
import { type BitField, createBitField, fillOf, setBits } from "./bit-field.js";
import type { Bound, Path, Reduction } from "./exploration.js";
import type { Machine, Reductions, Slots } from "./machine.js";
import { type IsWanted, pathThrough } from "./path.js";
import { type Codec, codecOf, misfitOf } from "./schema.js";
import { createSearchStack, pop, push, type SearchStack } from "./search-stack.js";

export type BitstateOptions = {
  readonly reduction: Reduction;
  /** The field has 2 to this power bits: 10 to 32. */
  readonly bits: number;
  /** Bits set for each state, 1 to 16. */
  readonly hashes: number;
  /** Chooses the hash functions and the order in which actions are taken. */
  readonly seed: number;
  readonly maxStates?: number;
  /** Milliseconds from the start, by `now`. */
  readonly timeMs?: number;
  readonly isInterrupted?: () => boolean;
  readonly now?: () => number;
};

/** What a bitstate search found: violations, and never that there is none. */
export type BitstateSearch = {
  readonly machine: string;
  readonly seed: number;
  readonly reduction: Reduction;
  readonly outcome:
    | { readonly kind: "violated" }
    | { readonly kind: "undecided"; readonly reason: "states_may_be_missing" | Bound | "interrupted" };
  /** Each broken promise once, over the way on which it was met first; not a shortest one. */
  readonly violations: readonly { readonly id: string; readonly path: Path }[];
  readonly occurred: readonly string[];
  readonly states: number;
  readonly transitions: number;
  /** The most steps of a way searched. */
  readonly depth: number;
  /** The part of the bits that is set, 0 to 1. */
  readonly fill: number;
  /**
   * How many states were taken for known ones although they were new, to be expected. When the i-th state was new, the
   * part f of the bits was set, and a new state finds its h bits set with probability p = f^h; so for each state that
   * got in p / (1 - p) did not, and that is summed up. States that can be reached through such states alone were not
   * offered at all and are not counted.
   */
  readonly expectedOmitted: number;
  /** The part of the states offered that this is: the probability for one of them to be missing. */
  readonly missProbability: number;
};

/**
 * Searches depth first with a bit field for memory: what it meets is real, what it does not meet may have been taken
 * for something met before. Throws if partial order is asked of a machine without a measure of progress.
 */
export function bitstate(machine: Machine, options: BitstateOptions): BitstateSearch {
  const dive = createDive(machine, options);
  const now = options.now ?? performance.now.bind(performance);
  const end = now() + (options.timeMs ?? Number.POSITIVE_INFINITY);
  let reason: Bound | "interrupted" | "states_may_be_missing" = "states_may_be_missing";
  for (let steps = 0; dive.stack.depth >= 0; steps++) {
    if (steps % stepsBetweenChecks === 0) {
      if (options.isInterrupted?.() === true) reason = "interrupted";
      else if (now() >= end) reason = "time";
    }
    if (dive.states >= (options.maxStates ?? Number.POSITIVE_INFINITY)) reason = "max_states";
    if (reason !== "states_may_be_missing") break;
    advance(dive);
  }
  return {
    machine: machine.name,
    seed: options.seed,
    reduction: options.reduction,
    outcome: dive.violations.size > 0 ? { kind: "violated" } : { kind: "undecided", reason },
    violations: [...dive.violations].map(([id, path]) => ({ id, path })),
    occurred: [...dive.occurred],
    states: dive.states,
    transitions: dive.transitions,
    depth: dive.depth,
    fill: fillOf(dive.field),
    expectedOmitted: dive.expectedOmitted,
    missProbability: dive.expectedOmitted / (dive.states + dive.expectedOmitted),
  };
}

const stepsBetweenChecks = 4096;

/** A search on its way; the states of the stack are the way to where it is. */
type Dive = {
  readonly machine: Machine;
  readonly codec: Codec;
  readonly partialOrder: Reductions | undefined;
  readonly toCanonical: ((state: Slots) => void) | undefined;
  readonly seed: number;
  readonly field: BitField;
  readonly stack: SearchStack;
  readonly state: Slots;
  readonly next: Slots;
  readonly packed: Int32Array;
  readonly actions: Int32Array;
  readonly violations: Map<string, Path>;
  readonly occurred: Set<string>;
  readonly judged: Set<number>;
  states: number;
  transitions: number;
  depth: number;
  expectedOmitted: number;
};

function createDive(machine: Machine, options: BitstateOptions): Dive {
  const { reduction } = options;
  const { reductions } = machine;
  assert(
    reductions !== undefined || !(reduction.partialOrder || reduction.symmetry),
    `${machine.name} has no reductions; search it without`,
  );
  assert(
    !reduction.partialOrder || machine.progress !== undefined,
    `${machine.name} may go round in circles: without a measure of progress a bitstate search cannot reduce it`,
  );
  const codec = codecOf(machine.schema);
  const { slots, words } = codec.layout;
  const dive: Dive = {
    machine,
    codec,
    partialOrder: reduction.partialOrder ? reductions : undefined,
    toCanonical: reduction.symmetry ? reductions?.toCanonical : undefined,
    seed: options.seed,
    field: createBitField(options),
    stack: createSearchStack(words),
    state: new Uint8Array(slots),
    next: new Uint8Array(slots),
    packed: new Int32Array(words),
    actions: new Int32Array(machine.mostEnabled),
    violations: new Map(),
    occurred: new Set(),
    judged: new Set([0]),
    states: 0,
    transitions: 0,
    depth: 0,
    expectedOmitted: 0,
  };
  machine.initial(dive.next);
  dive.toCanonical?.(dive.next);
  pack(dive);
  enter(dive);
  return dive;
}

/** Takes the next action of the state on top of the stack, or leaves it. */
function advance(dive: Dive): void {
  const { machine, codec, stack, state, next } = dive;
  const action = pop(stack);
  if (action === undefined) return;
  codec.unpack(stack.packed, stack.depth * codec.layout.words, state);
  next.set(state);
  machine.step(state, action, next);
  dive.transitions++;
  const showing = machine.showingOfStep(state, action, next);
  dive.toCanonical?.(next);
  pack(dive);
  judge(dive, showing, "step");
  enter(dive);
}

function pack({ machine, codec, next, packed }: Dive): void {
  if (codec.pack(next, packed, 0) === 0) return;
  assert.fail(`${machine.name}: ${misfitOf(codec.layout, next)}`);
}

/** Puts the next state on the stack with its actions, unless its bits are all set. */
function enter(dive: Dive): void {
  const { machine, field, stack, packed, state, next, actions } = dive;
  const omission = fillOf(field) ** field.hashes;
  const hash = setBits(field, packed);
  if (hash === undefined) return;
  dive.states++;
  dive.expectedOmitted += omission / (1 - omission);
  judge(dive, machine.showingOfState(next), "state");
  state.set(next);
  const enabled = machine.enabled(state, actions);
  const alone = dive.partialOrder === undefined ? 0 : ampleFirst(dive.partialOrder, state, actions, enabled);
  push(stack, packed, actions, alone === 0 ? enabled : alone, (hash ^ dive.seed) >>> 0);
  dive.depth = Math.max(dive.depth, stack.depth);
}

/** Keeps what is broken or occurs here for the first time; the path is the stack, and the next state. */
function judge(dive: Dive, showing: number, shownBy: "state" | "step"): void {
  if (dive.judged.has(showing)) return;
  dive.judged.add(showing);
  const { machine, codec, stack, packed, toCanonical } = dive;
  const { broken = [], occurred = [] } = machine.showings[showing] ?? {};
  for (const id of occurred) dive.occurred.add(id);
  const { words } = codec.layout;
  const packedAt = (depth: number): Int32Array =>
    depth > stack.depth ? packed : stack.packed.subarray(depth * words, (depth + 1) * words);
  for (const { id, looksAt } of machine.always) {
    if (!broken.includes(id) || dive.violations.has(id)) continue;
    if (toCanonical !== undefined && looksAt === "names") continue;
    const chain = Array.from({ length: stack.depth + 2 }, (_, depth) => depth);
    const isLast = shownBy === "step" ? stepThatBreaks(machine, id) : undefined;
    dive.violations.set(id, pathThrough({ machine, codec, packedAt, toCanonical }, chain, isLast));
  }
}

function stepThatBreaks({ showings, showingOfStep }: Machine, id: string): IsWanted {
  return (state, action, next) => showings[showingOfStep(state, action, next)]?.broken.includes(id) === true;
}
