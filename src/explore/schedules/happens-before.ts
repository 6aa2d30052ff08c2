import { conflict, type Footprint } from "../../sut/footprint.js";
import type { StepRecord } from "./program.js";

/** A step within an execution, and what happens before it there. */
export type OrderedStep = {
  readonly record: StepRecord;
  /** Its number within its thread, from 1. */
  readonly own: number;
  /** For each thread, how many of its steps happen before this one or are it. */
  readonly clock: readonly number[];
  /** Indices of earlier steps that it races with: of other threads, in conflict, and with nothing in between that orders the two. */
  readonly races: readonly number[];
};

/**
 * Orders the steps of an execution: those of one thread by their sequence, those in conflict by theirs, and what
 * follows from that. Executions that order the same steps alike differ only in the sequence of independent steps.
 */
export function happensBefore(threads: number, records: readonly StepRecord[]): readonly OrderedStep[] {
  const steps: OrderedStep[] = [];
  for (const record of records) steps.push(orderedAfter(threads, steps, record));
  return steps;
}

/** The step that comes next after `earlier`, as `happensBefore` orders it. */
export function orderedAfter(
  threads: number,
  earlier: readonly OrderedStep[],
  record: StepRecord,
): OrderedStep {
  const { clock, races } = joinedClock(threads, earlier, record.thread, record.footprint);
  const own = (clock[record.thread] ?? 0) + 1;
  clock[record.thread] = own;
  return { record, own, clock, races };
}

export function precedes(first: OrderedStep, second: OrderedStep): boolean {
  return (second.clock[first.record.thread] ?? 0) >= first.own;
}

/**
 * The same text for executions that order the same steps alike, another for all others: each thread's steps in
 * sequence, each with its clock, which is a canonical form of the Mazurkiewicz trace.
 */
export function traceKey(threads: number, records: readonly StepRecord[]): string {
  const lanes: string[][] = Array.from({ length: threads }, () => []);
  for (const { record, clock } of happensBefore(threads, records)) {
    lanes[record.thread]?.push(`${JSON.stringify(record.label)}@${clock.join(".")}`);
  }
  return lanes.map((lane) => lane.join(" ")).join(" | ");
}

/** Backwards, so that a step already known to come before needs no comparison and is no race. */
function joinedClock(
  threads: number,
  earlier: readonly OrderedStep[],
  thread: number,
  footprint: Footprint,
): { readonly clock: number[]; readonly races: readonly number[] } {
  const clock: number[] = new Array<number>(threads).fill(0);
  const races: number[] = [];
  const last = earlier.findLast(({ record }) => record.thread === thread);
  if (last !== undefined) join(clock, last.clock);
  for (let index = earlier.length - 1; index >= 0; index--) {
    const step = earlier[index];
    if (step === undefined || step.own <= (clock[step.record.thread] ?? 0)) continue;
    if (!conflict(step.record.footprint, footprint)) continue;
    races.push(index);
    join(clock, step.clock);
  }
  return { clock, races };
}

function join(clock: number[], other: readonly number[]): void {
  other.forEach((steps, thread) => {
    if (steps > (clock[thread] ?? 0)) clock[thread] = steps;
  });
}
