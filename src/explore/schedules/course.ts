import { conflict, type Footprint } from "../../sut/footprint.js";
import type { OrderedStep } from "./happens-before.js";

/** A point of the execution under way, with what is explored and what is left to explore from there. */
export type Point = {
  readonly enabled: readonly number[];
  readonly waiting: readonly number[];
  /** Threads whose next step leads only to what was explored before this point came up, with the footprint it has here. */
  readonly asleep: ReadonlyMap<number, Footprint>;
  /** Threads whose next step here is explored to the end. */
  readonly done: Map<number, Footprint>;
  readonly todo: Set<number>;
  taken: number;
};

/** The execution under way: one point for each step, and after a complete execution none more. */
export type Course = { readonly points: Point[]; readonly steps: OrderedStep[] };

/** Goes back to the last point with something left to explore and takes that; false if there is none. */
export function takeNext({ points, steps }: Course): boolean {
  for (let point = points.at(-1); point !== undefined; point = points.at(-1)) {
    const step = steps.pop();
    if (step !== undefined) point.done.set(step.record.thread, step.record.footprint);
    const next = point.enabled.find((thread) => point.todo.has(thread));
    if (next !== undefined) {
      point.todo.delete(next);
      point.taken = next;
      return true;
    }
    points.pop();
  }
  return false;
}

/** Who sleeps after the last step: those asleep or done before it whose step is independent of it. */
export function sleepersAfter({ points, steps }: Course): ReadonlyMap<number, Footprint> {
  const point = points.at(-1);
  const step = steps.at(-1);
  const sleepers = new Map<number, Footprint>();
  if (point === undefined || step === undefined) return sleepers;
  for (const [thread, footprint] of [...point.asleep, ...point.done]) {
    if (!conflict(footprint, step.record.footprint)) sleepers.set(thread, footprint);
  }
  return sleepers;
}

/** Whether one of these threads is explored from here, is to be, or need not be. */
export function covers({ asleep, done, todo, taken }: Point, threads: readonly number[]): boolean {
  return threads.some(
    (thread) => thread === taken || todo.has(thread) || done.has(thread) || asleep.has(thread),
  );
}
