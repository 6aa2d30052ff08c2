import type { Execution, Program, StepRecord } from "../../../src/explore/schedules/program.js";
import type { Place } from "../../../src/sut/footprint.js";

/** Shared variables by name, 0 until written. */
export type Memory = {
  readonly read: (variable: string) => number;
  readonly write: (variable: string, value: number) => void;
};

export type ToyStep = {
  readonly label: string;
  readonly run: (memory: Memory) => void;
  /** What the step waits for; it looks without leaving a footprint. */
  readonly waitsUntil?: (look: (variable: string) => number) => boolean;
};

/** The next step of a thread from what its steps read so far, step by step; `undefined` at its end. */
export type ToyThread = (read: readonly (readonly number[])[]) => ToyStep | undefined;

export type ToyJudge = (look: (variable: string) => number) => readonly string[];

/** A program whose footprints are exactly what its steps read and write. */
export function toyProgram(threads: readonly ToyThread[], judge: ToyJudge = () => []): Program {
  return {
    threads: threads.map((_, index) => `thread ${index}`),
    start: () => Promise.resolve(startToy(threads, judge)),
  };
}

/** A thread of fixed steps. */
export function fixed(...steps: readonly ToyStep[]): ToyThread {
  return (read) => steps[read.length];
}

export function write(variable: string, value: number): ToyStep {
  return { label: `${variable} := ${value}`, run: (memory) => memory.write(variable, value) };
}

export function read(variable: string): ToyStep {
  return { label: `read ${variable}`, run: (memory) => void memory.read(variable) };
}

function startToy(threads: readonly ToyThread[], judge: ToyJudge): Execution {
  const values = new Map<string, number>();
  const readBy: (readonly number[])[][] = threads.map(() => []);
  const look = (variable: string): number => values.get(variable) ?? 0;
  const nextOf = (thread: number): ToyStep | undefined => threads[thread]?.(readBy[thread] ?? []);
  const select = (wanted: (step: ToyStep) => boolean): readonly number[] =>
    threads.flatMap((_, thread) => {
      const next = nextOf(thread);
      return next !== undefined && wanted(next) ? [thread] : [];
    });
  const state = (): string => JSON.stringify([[...values].sort(), readBy]);
  return {
    enabled: () => select(({ waitsUntil }) => waitsUntil?.(look) ?? true),
    waiting: () => select(({ waitsUntil }) => !(waitsUntil?.(look) ?? true)),
    step: (thread) => {
      const next = nextOf(thread);
      if (next === undefined) throw new Error(`thread ${thread} has ended`);
      const { record, seen } = runToyStep(next, thread, values);
      readBy[thread]?.push(seen);
      return Promise.resolve(record);
    },
    snapshot: () => Promise.resolve(state()),
    finish: (how) => Promise.resolve({ state: state(), violations: how === "complete" ? judge(look) : [] }),
  };
}

function runToyStep(
  step: ToyStep,
  thread: number,
  values: Map<string, number>,
): { readonly record: StepRecord; readonly seen: readonly number[] } {
  const reads: Place[] = [];
  const writes: Place[] = [];
  const seen: number[] = [];
  step.run({
    read: (variable) => {
      const value = values.get(variable) ?? 0;
      reads.push(placeOf(variable));
      seen.push(value);
      return value;
    },
    write: (variable, value) => {
      writes.push(placeOf(variable));
      values.set(variable, value);
    },
  });
  const footprint = { kind: "known", reads, writes } as const;
  return { record: { thread, label: step.label, footprint, seen: JSON.stringify(seen) }, seen };
}

export function placeOf(variable: string): Place {
  return { table: "memory", key: { kind: "row", row: variable } };
}
