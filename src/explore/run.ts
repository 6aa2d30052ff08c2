import assert from "node:assert/strict";
import { stepsTogether } from "./expand.js";
import type { Exploration, Outcome, Reduction } from "./exploration.js";
import { createGraph, type GrowingGraph, graphBytes } from "./graph.js";
import type { Machine, Reductions, Slots } from "./machine.js";
import { createNumberList, type NumberList, numbersOf } from "./number-list.js";
import { type Codec, codecOf, type Layout, misfitOf } from "./schema.js";
import type { SearchOptions } from "./search.js";
import { createKnownShowings, isFirst, type KnownShowings, type Shown } from "./showings.js";
import { createStateTable, hashOf, insert, type StateTable, tableBytes } from "./state-table.js";
import { storedOf } from "./stored.js";
import { verdictsOf } from "./verdicts.js";

/** A search on its way: everything that a step needs is at hand, and nothing is made for it. */
export type Run = {
  readonly machine: Machine;
  readonly codec: Codec;
  readonly table: StateTable;
  readonly graph: GrowingGraph | undefined;
  readonly memory: Memory;
  readonly partialOrder: Reductions | undefined;
  readonly progress: ((state: Slots) => number) | undefined;
  readonly toCanonical: ((state: Slots) => void) | undefined;
  readonly state: Slots;
  /** What each of the steps taken together leads to: one after the other in `nextCells`. */
  readonly nexts: readonly Slots[];
  /** The bytes of `state`, and of `nexts`, four at a time, so that copying takes a quarter of the moves. */
  readonly stateCells: Int32Array;
  readonly nextCells: Int32Array;
  /** The same as `nexts`, packed, with the hash of each, and the step to it: from where, by what, and its showing. */
  readonly packed: Int32Array;
  readonly hashes: Int32Array;
  readonly sources: Uint32Array;
  readonly takenActions: Int32Array;
  readonly showings: Int32Array;
  readonly actions: Int32Array;
  /** Steps taken, by kind of action. */
  readonly steps: Float64Array;
  /** Each showing once, in the order met: those of less depth first. */
  readonly shown: Shown[];
  readonly knownShowings: KnownShowings;
  readonly deadEnds: NumberList;
  /** The first state of each depth. */
  readonly levels: number[];
  /** The first state of the greatest depth. */
  deepest: number;
  /** Keeps the compiler from leaving out what is read for nothing but to have it at hand. */
  lookedAhead: number;
  /** States whose actions have been taken: these are the first ones. */
  expanded: number;
  isBroken: boolean;
  /** The measure of progress of `state`. */
  measure: number;
};

/** What all arrays that grow with the states may take together, and the most that they took while one of them grew. */
export type Memory = { readonly mostBytes: number; peakBytes: number };

/** Whether they may take so many bytes in all. */
export function mayTake(memory: Memory, bytes: number): boolean {
  if (bytes > memory.mostBytes) return false;
  memory.peakBytes = Math.max(memory.peakBytes, bytes);
  return true;
}

/** A search that has met the initial state, or nothing if there is no room even for that. */
export function createRun(machine: Machine, options: SearchOptions): Run {
  const { reduction } = options;
  const codec = codecOf(machine.schema);
  const reductions = reduction.partialOrder || reduction.symmetry ? reductionsOf(machine) : undefined;
  const run: Run = {
    machine,
    codec,
    ...createStores(codec.layout.words, options),
    partialOrder: reduction.partialOrder ? reductions : undefined,
    progress: reduction.partialOrder ? machine.progress : undefined,
    toCanonical: reduction.symmetry ? reductions?.toCanonical : undefined,
    ...createWorkplace(machine, codec.layout),
    steps: new Float64Array(machine.actionKinds.length),
    shown: [],
    knownShowings: createKnownShowings(),
    levels: [],
    deepest: 0,
    lookedAhead: 0,
    expanded: 0,
    isBroken: false,
    measure: 0,
  };
  meetInitial(run);
  return run;
}

type Stores = Pick<Run, "memory" | "graph" | "deadEnds" | "table">;

function createStores(words: number, { maxBytes, maxStates, stored }: SearchOptions): Stores {
  const memory: Memory = { mostBytes: maxBytes ?? Number.POSITIVE_INFINITY, peakBytes: 0 };
  const graph = stored === "graph" ? createGraph() : undefined;
  const deadEnds = createNumberList();
  const besides = (): number => deadEnds.numbers.byteLength + (graph === undefined ? 0 : graphBytes(graph));
  const table = createStateTable(words, {
    mostStates: maxStates ?? Number.POSITIVE_INFINITY,
    mayTake: (bytes) => mayTake(memory, bytes + besides()),
  });
  return { memory, graph, deadEnds, table };
}

type Workplace = Pick<
  Run,
  | "state"
  | "stateCells"
  | "nexts"
  | "nextCells"
  | "packed"
  | "hashes"
  | "sources"
  | "takenActions"
  | "showings"
  | "actions"
>;

function createWorkplace({ mostEnabled }: Machine, { slots, words }: Layout): Workplace {
  const cells = Math.ceil(slots / 4);
  const most = stepsTogether + mostEnabled;
  const stateCells = new Int32Array(cells);
  const nextCells = new Int32Array(cells * most);
  return {
    state: new Uint8Array(stateCells.buffer, 0, slots),
    stateCells,
    nexts: Array.from({ length: most }, (_, at) => new Uint8Array(nextCells.buffer, at * cells * 4, slots)),
    nextCells,
    packed: new Int32Array(words * most),
    hashes: new Int32Array(most),
    sources: new Uint32Array(most),
    takenActions: new Int32Array(most),
    showings: new Int32Array(most),
    actions: new Int32Array(mostEnabled),
  };
}

function reductionsOf({ name, reductions }: Machine): Reductions {
  assert(reductions !== undefined, `${name} has no reductions; search it without`);
  return reductions;
}

function meetInitial(run: Run): void {
  const { machine, state, codec, packed, table } = run;
  machine.initial(state);
  run.toCanonical?.(state);
  if (codec.pack(state, packed, 0) !== 0) failOfMisfit(run, state, "initially");
  if (insert(table, packed, 0, hashOf(packed, 0, table.width), 0) !== 0) return;
  run.levels.push(0);
  noteState(run, 0, state);
}

/** Throws, saying which value does not fit its slot: two states would become one. */
export function failOfMisfit({ machine, codec }: Run, slots: Slots, when: string): never {
  assert.fail(`${machine.name}: ${when} ${misfitOf(codec.layout, slots)}`);
}

/** Asks what a state, just met under this number, shows by itself. */
export function noteState(run: Run, state: number, slots: Slots): void {
  const showing = run.machine.showingOfState(slots);
  if (showing !== 0 && isFirst(run.knownShowings, showing)) noteShown(run, { kind: "state", showing, state });
}

/** Keeps what was shown for the first time. */
export function noteShown(run: Run, shown: Shown): void {
  run.shown.push(shown);
  if ((run.machine.showings[shown.showing]?.broken.length ?? 0) > 0) run.isBroken = true;
}

/** What the run has found. */
export function explorationOf(run: Run, outcome: Outcome, reduction: Reduction): Exploration {
  const { machine, table, graph } = run;
  const now =
    tableBytes(table) + run.deadEnds.numbers.byteLength + (graph === undefined ? 0 : graphBytes(graph));
  const stored = storedOf(run);
  return {
    machine: machine.name,
    reduction,
    outcome,
    states: table.count,
    transitions: run.steps.reduce((sum, count) => sum + count, 0),
    depth: Math.max(0, run.levels.length - 1),
    deadEnds: numbersOf(run.deadEnds),
    steps: machine.actionKinds.map((kind, index) => ({ kind, count: run.steps[index] ?? 0 })),
    ...verdictsOf(run, outcome, stored),
    bytes: { now, peak: Math.max(now, run.memory.peakBytes) },
    stored,
  };
}
