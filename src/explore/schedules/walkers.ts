import assert from "node:assert/strict";
import { conflict, type Footprint } from "../../sut/footprint.js";
import type { StepRecord } from "./program.js";
import type { Random } from "./random.js";
import type { Walker } from "./walk.js";

/** Chooses among the enabled threads with equal chances. */
export function randomWalker(random: Random): Walker {
  return { choose: (enabled) => pick(enabled, random.below(enabled.length)) };
}

/** What threads touched at each of their steps when they last made it, over all walks of a sample. */
export type Expected = Map<string, Footprint>;

/**
 * Partial order sampling (Yuan, Yang and Gu, CAV 2018): every next step has a random priority, the highest goes
 * first, and after a step those racing with it get new ones. What a next step touches is not known before it is
 * made: the thread's step of the same number in an earlier walk stands for it, and one not yet seen counts as racing.
 */
export function partialOrderWalker(random: Random, expected: Expected): Walker {
  const priorities = new Map<number, number>();
  const steps = new Map<number, number>();
  const nextOf = (thread: number): string => `${thread} ${steps.get(thread) ?? 0}`;
  return {
    choose: (enabled) => {
      for (const thread of enabled) {
        if (!priorities.has(thread)) priorities.set(thread, random.fraction());
      }
      return highest(enabled, priorities);
    },
    made: ({ thread, footprint }: StepRecord) => {
      expected.set(nextOf(thread), footprint);
      steps.set(thread, (steps.get(thread) ?? 0) + 1);
      priorities.delete(thread);
      for (const other of [...priorities.keys()]) {
        const next = expected.get(nextOf(other));
        if (next === undefined || conflict(footprint, next)) priorities.delete(other);
      }
    },
  };
}

/**
 * Probabilistic concurrency testing (Burckhardt and others, ASPLOS 2010): threads keep random priorities but for
 * `depth` - 1 steps, chosen among the first `length`, before which the thread about to run falls behind all others.
 */
export function priorityWalker(random: Random, threads: number, depth: number, length: number): Walker {
  const priorities = new Map<number, number>();
  for (let thread = 0; thread < threads; thread++) priorities.set(thread, depth + random.fraction());
  const changes = new Map<number, number>();
  for (let change = 1; change < depth; change++)
    changes.set(random.below(Math.max(1, length)), depth - change);
  let step = 0;
  return {
    choose: (enabled) => {
      const lowered = changes.get(step++);
      if (lowered !== undefined) priorities.set(highest(enabled, priorities), lowered);
      return highest(enabled, priorities);
    },
  };
}

function highest(enabled: readonly number[], priorities: ReadonlyMap<number, number>): number {
  const priorityOf = (thread: number): number => priorities.get(thread) ?? 0;
  return enabled.reduce((best, thread) => (priorityOf(thread) > priorityOf(best) ? thread : best));
}

function pick(enabled: readonly number[], index: number): number {
  const thread = enabled[index];
  assert(thread !== undefined, "one of the enabled threads is chosen");
  return thread;
}
