import assert from "node:assert/strict";
import { ampleFirst } from "./ample.js";
import { addEdge, beginState, reserve } from "./graph.js";
import type { Reductions } from "./machine.js";
import { append } from "./number-list.js";
import { failOfMisfit, mayTake, noteShown, noteState, type Run } from "./run.js";
import { isFirst } from "./showings.js";
import { hashOf, insert, lookAhead, refused, tableBytes } from "./state-table.js";

/** So many steps are looked up together: enough for the memory to answer them side by side. */
export const stepsTogether = 64;

/** Takes all actions of up to `limit` states; false if a bound left no room for what they lead to. */
export function expand(run: Run, limit: number): boolean {
  if (run.partialOrder !== undefined && run.progress === undefined) {
    return expandWhereItMayGoRound(run, run.partialOrder, run.expanded);
  }
  const end = Math.min(run.table.count, run.expanded + limit);
  let index = run.expanded;
  let taken = 0;
  for (; index < end && taken < stepsTogether; index++) {
    const enabled = visit(run, index);
    const alone =
      run.partialOrder === undefined ? 0 : ampleFirst(run.partialOrder, run.state, run.actions, enabled);
    taken = takeActions(run, index, 0, alone === 0 ? enabled : alone, taken);
  }
  return meet(run, index, taken) !== refused;
}

/**
 * Takes the actions of one process, if one can be taken alone. Where a machine may go round in circles, one of them
 * must lead to a state not yet expanded: what the others could do is then still ahead, not put off for ever.
 */
function expandWhereItMayGoRound(run: Run, reductions: Reductions, index: number): boolean {
  const enabled = visit(run, index);
  const alone = ampleFirst(reductions, run.state, run.actions, enabled);
  const latest = meet(run, index, takeActions(run, index, 0, alone, 0));
  if (latest === refused) return false;
  const others = latest > index ? 0 : takeActions(run, index, alone, enabled, 0);
  return meet(run, index + 1, others) !== refused;
}

/** Brings a stored state to hand; how many actions it has. */
function visit(run: Run, index: number): number {
  const { machine, codec, table, state, actions } = run;
  codec.unpack(table.packed, index * table.width, state);
  if (run.progress !== undefined) run.measure = run.progress(state);
  const enabled = machine.enabled(state, actions);
  if (enabled === 0) append(run.deadEnds, index);
  if (enabled > actions.length) failOfActions(run, enabled);
  return enabled;
}

/** Takes the actions at `from` to `to` - 1 of the state at hand; how many steps are then taken together. */
function takeActions(run: Run, index: number, from: number, to: number, taken: number): number {
  let at = taken;
  for (let action = from; action < to; action++, at++) {
    run.sources[at] = index;
    take(run, at, run.actions[action] ?? 0);
  }
  return at;
}

/**
 * Meets what the steps taken lead to, with which all states below `end` are expanded; the highest number of a state
 * met, or `refused`.
 */
function meet(run: Run, end: number, taken: number): number {
  const { table, graph, hashes, packed, sources } = run;
  if (graph !== undefined) {
    const mayTakeBeside = (bytes: number): boolean => mayTake(run.memory, bytes + tableBytes(table));
    if (!reserve(graph, end - graph.states, taken, mayTakeBeside)) return refused;
  }
  run.lookedAhead ^= lookAhead(table, hashes, taken);
  let latest = 0;
  for (let at = 0; at < taken; at++) {
    const source = sources[at] ?? 0;
    run.expanded = source;
    const known = table.count;
    const target = insert(table, packed, at * table.width, hashes[at] ?? 0, source);
    if (target === refused) return refused;
    if (target === known) {
      if (source >= run.deepest) beginLevel(run, target);
      noteState(run, target, run.nexts[at] ?? run.state);
    }
    if (target > latest) latest = target;
    noteStep(run, at, source, target);
  }
  run.expanded = end;
  return latest;
}

function beginLevel(run: Run, first: number): void {
  run.levels.push(first);
  run.deepest = first;
}

/** Takes one action of the state at hand; what comes of it lies at `at`, packed. */
function take(run: Run, at: number, action: number): void {
  const { machine, state, stateCells, nextCells, table } = run;
  const next = run.nexts[at] ?? state;
  const cells = stateCells.length;
  for (let cell = 0, to = at * cells; cell < cells; cell++, to++) nextCells[to] = stateCells[cell] ?? 0;
  machine.step(state, action, next);
  run.takenActions[at] = action;
  run.showings[at] = machine.showingOfStep(state, action, next);
  if (run.progress !== undefined) checkProgress(run, run.progress(next), action);
  if (run.toCanonical !== undefined) run.toCanonical(next);
  const start = at * table.width;
  if (run.codec.pack(next, run.packed, start) !== 0) failOfMisfit(run, next, `after action ${action}`);
  run.hashes[at] = hashOf(run.packed, start, table.width);
}

function noteStep(run: Run, at: number, source: number, target: number): void {
  const action = run.takenActions[at] ?? 0;
  const kind = run.machine.kindOf(action);
  run.steps[kind] = (run.steps[kind] ?? 0) + 1;
  const showing = run.showings[at] ?? 0;
  if (showing !== 0 && isFirst(run.knownShowings, showing)) {
    noteShown(run, { kind: "step", showing, state: source, action, target });
  }
  const { graph } = run;
  if (graph === undefined) return;
  while (graph.states <= source) beginState(graph);
  addEdge(graph, action, target);
}

function checkProgress({ machine, measure }: Run, after: number, action: number): void {
  if (after > measure) return;
  assert.fail(
    `${machine.name}: action ${action} takes the measure of progress from ${measure} to ${after}; ` +
      "it must grow with every step, or be left out",
  );
}

function failOfActions({ machine }: Run, enabled: number): never {
  assert.fail(
    `${machine.name}: a state has ${enabled} actions, and none may have more than ${machine.mostEnabled}`,
  );
}
