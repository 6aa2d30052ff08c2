import fc from "fast-check";
import type { Program } from "../../../src/explore/schedules/program.js";
import { type Memory, type ToyJudge, type ToyStep, type ToyThread, toyProgram } from "./toy-programs.js";

/** What a step does: it reads before it decides what else it touches, as an executor's statements do. */
export type ToyWork =
  | { readonly kind: "nothing" }
  | { readonly kind: "write"; readonly variable: string; readonly value: number; readonly next: ToyWork }
  | {
      readonly kind: "read";
      readonly variable: string;
      readonly ifZero: ToyWork;
      readonly otherwise: ToyWork;
    };

export type ToyPlan = {
  readonly works: readonly ToyWork[];
  /** Ends as soon as a step has read something other than 0. */
  readonly length: "fixed" | "by_what_it_read";
  /** Locks taken one after the other before all else and given back together at the end. */
  readonly locks: readonly string[];
};

export function programOf(plans: readonly ToyPlan[], judge?: ToyJudge): Program {
  return toyProgram(plans.map(threadOf), judge);
}

export function plans(locks: readonly string[]): fc.Arbitrary<readonly ToyPlan[]> {
  const plan = fc.record({
    works: fc.array(works, { minLength: 1, maxLength: 3 }),
    length: fc.constantFrom("fixed" as const, "by_what_it_read" as const),
    locks: fc.shuffledSubarray([...locks]),
  });
  return fc.array(plan, { minLength: 2, maxLength: 4 });
}

const nothing: ToyWork = { kind: "nothing" };
const variables = fc.constantFrom("a", "b", "c");

const works: fc.Arbitrary<ToyWork> = fc.letrec<{ work: ToyWork }>((tie) => ({
  work: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constant(nothing),
    fc.record({
      kind: fc.constant("write" as const),
      variable: variables,
      value: fc.integer({ min: 1, max: 2 }),
      next: tie("work"),
    }),
    fc.record({
      kind: fc.constant("read" as const),
      variable: variables,
      ifZero: tie("work"),
      otherwise: tie("work"),
    }),
  ),
})).work;

function threadOf({ works, length, locks }: ToyPlan): ToyThread {
  return (read) => {
    const made = read.length - locks.length;
    const lock = locks[read.length];
    if (lock !== undefined) return acquire(lock);
    const told = read.slice(locks.length).findIndex((values) => values.some((value) => value !== 0));
    const ends = length === "by_what_it_read" && told !== -1 ? told + 1 : works.length;
    const work = works[made];
    if (made < ends && work !== undefined) {
      return { label: `step ${made}`, run: (memory) => perform(work, memory) };
    }
    return made === ends && locks.length > 0 ? release(locks) : undefined;
  };
}

function perform(work: ToyWork, memory: Memory): void {
  switch (work.kind) {
    case "nothing":
      return;
    case "write":
      memory.write(work.variable, work.value);
      perform(work.next, memory);
      return;
    case "read":
      perform(memory.read(work.variable) === 0 ? work.ifZero : work.otherwise, memory);
  }
}

function acquire(lock: string): ToyStep {
  return {
    label: `acquire ${lock}`,
    run: (memory) => memory.write(lock, 1),
    waitsUntil: (look) => look(lock) === 0,
  };
}

function release(locks: readonly string[]): ToyStep {
  return {
    label: "release",
    run: (memory) => {
      for (const lock of locks) memory.write(lock, 0);
    },
  };
}
