import { conflict } from "../../sut/footprint.js";
import { type Course, covers } from "./course.js";
import { type OrderedStep, orderedAfter, precedes } from "./happens-before.js";
import type { StepRecord } from "./program.js";

/**
 * Finds the races of the execution just made and leaves at their earlier steps what it takes to run them the other
 * way round. `from` is the index of the first step that is new in this execution, `waiting` who waits at its end.
 *
 * To reverse a race between `first` and a later step, those steps that the later one needs and that do not need
 * `first` have to come before `first`; one of them that needs none of the others (an initial) must be explored there,
 * or the later step itself if it needs none. Only what the later step needs is looked at, not all that may come
 * before it as in the papers: its footprint may change when `first` is no longer before it, so that other steps
 * could be taken for initials that are none.
 */
export function addReversals(
  threads: number,
  course: Course,
  from: number,
  waiting: readonly number[],
): void {
  const { steps } = course;
  for (const [index, step] of steps.entries()) {
    if (index >= from) {
      for (const race of step.races) leaveReversal(course, race, step, index);
      reverseWhileWaiting(threads, course, step.record, index);
    }
    for (const race of step.races) leaveForSleeper(course, race, step, index);
  }
  for (const thread of waiting) {
    const record = { thread, label: "", footprint: { kind: "unknown" }, seen: "" } as const;
    reverseWhileWaiting(threads, course, record, steps.length);
  }
}

function leaveReversal({ points, steps }: Course, first: number, late: OrderedStep, index: number): void {
  const point = points[first];
  if (point === undefined) return;
  const needed = neededBy(steps, first, late, index);
  const initials = needed.filter((step) => !needed.some((other) => other !== step && precedes(other, step)));
  const threads = (needed.length === 0 ? [late] : initials).map(({ record }) => record.thread);
  // A thread that waits here needs the first step: that race has no other order.
  const possible = threads.find((thread) => point.enabled.includes(thread));
  if (possible !== undefined && !covers(point, threads)) point.todo.add(possible);
}

/** The steps between the two that the late one needs and that do not need the first. */
function neededBy(
  steps: readonly OrderedStep[],
  first: number,
  late: OrderedStep,
  index: number,
): readonly OrderedStep[] {
  return beside(steps, first, index).filter((step) => precedes(step, late));
}

/** The steps from the first one to the index that do not need it. */
function beside(steps: readonly OrderedStep[], first: number, index: number): readonly OrderedStep[] {
  const early = steps[first];
  if (early === undefined) return [];
  return steps.slice(first + 1, index).filter((step) => !precedes(early, step));
}

/**
 * A late step that needs none may be of a thread that sleeps at the first step, and then is not explored there. That
 * it needs none was seen after the first step; as the first itself it may touch more, and what it then meets must
 * come before it in some execution.
 */
function leaveForSleeper(course: Course, first: number, late: OrderedStep, index: number): void {
  const { points, steps } = course;
  const footprint = points[first]?.asleep.get(late.record.thread);
  if (footprint === undefined || neededBy(steps, first, late, index).length > 0) return;
  for (const step of beside(steps, first, steps.length)) {
    if (conflict(footprint, step.record.footprint)) leaveReversal(course, first, step, steps.indexOf(step));
  }
}

/** While a thread waits its next step is not among the races, since whatever lets it go comes before it: asks what it raced with then. */
function reverseWhileWaiting(threads: number, course: Course, record: StepRecord, index: number): void {
  const { points, steps } = course;
  const last = steps.slice(0, index).findLastIndex((step) => step.record.thread === record.thread);
  for (let at = last + 1; at < index; at++) {
    // Who waits at a point without being let go by the next step is asked again there.
    if (points[at]?.waiting.includes(record.thread)) askAt(threads, course, record, at);
  }
  if (index === steps.length) askAt(threads, course, record, index);
}

function askAt(threads: number, course: Course, record: StepRecord, at: number): void {
  const late = orderedAfter(threads, course.steps.slice(0, at), record);
  for (const race of late.races) leaveReversal(course, race, late, at);
}
