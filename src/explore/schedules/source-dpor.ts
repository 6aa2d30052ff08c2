import { type Course, sleepersAfter, takeNext } from "./course.js";
import { createFindings, type Findings, type Violation } from "./findings.js";
import { orderedAfter } from "./happens-before.js";
import { type Limits, reachedLimit, type Unfinished } from "./limits.js";
import type { Ending, Execution, Program, StepRecord } from "./program.js";
import { type Difference, enabledDifference, repeatSchedule, replay, type Shown } from "./repetition.js";
import { addReversals } from "./reversals.js";

export type ScheduleSearch = {
  readonly outcome:
    | { readonly kind: "complete" }
    | { readonly kind: "undecided"; readonly reason: Unfinished }
    | { readonly kind: "nondeterministic"; readonly difference: Difference };
  readonly executions: ExecutionCounts;
  /** The states that complete executions ended in. */
  readonly states: ReadonlySet<string>;
  readonly violations: readonly Violation[];
};

export type ExecutionCounts = {
  readonly complete: number;
  /** Given up because all that was left to do there is explored in another execution. */
  readonly blocked: number;
  readonly repeated: number;
};

export type ScheduleSearchOptions = Limits & {
  /** `each`: makes every complete execution a second time, which must show the same. */
  readonly repeat: "each" | "none";
  readonly onExecution?: (made: MadeExecution, counts: ExecutionCounts) => void;
};

export type MadeExecution = {
  readonly kind: "complete" | "blocked";
  readonly records: readonly StepRecord[];
  readonly ending: Ending;
};

/**
 * Executes one schedule of each Mazurkiewicz trace of a program, by dynamic partial order reduction with source sets
 * and sleep sets (Abdulla, Aronis, Jonsson and Sagonas, JACM 2017). A complete search has seen every final state and
 * every violation that any schedule ends in, provided that the footprints leave nothing out. A repetition that shows
 * something else ends it as `nondeterministic`. Rejects only if the program does.
 */
export async function exploreSchedules(
  program: Program,
  options: ScheduleSearchOptions,
): Promise<ScheduleSearch> {
  const course: Course = { points: [], steps: [] };
  const findings = createFindings();
  const counts = { complete: 0, blocked: 0, repeated: 0 };
  const started = (): number => counts.complete + counts.blocked + counts.repeated;
  for (;;) {
    const reason = reachedLimit(options, started(), findings.violations().length);
    if (reason !== undefined) return result({ kind: "undecided", reason }, counts, findings);
    const from = Math.max(0, course.points.length - 1);
    const made = await executeCourse(program, course);
    if (made.kind === "different") return different(made.difference, counts, findings);
    const { ending, waiting } = made;
    const records = course.steps.map(({ record }) => record);
    counts[made.kind]++;
    if (made.kind === "complete") findings.add(records, ending, started());
    options.onExecution?.({ kind: made.kind, records, ending }, { ...counts });
    if (made.kind === "complete" && options.repeat === "each" && started() < options.executions) {
      counts.repeated++;
      const difference = await repeatSchedule(program, shownOf(course), ending);
      if (difference !== undefined) return different(difference, counts, findings);
    }
    addReversals(program.threads.length, course, from, waiting);
    if (!takeNext(course)) return result({ kind: "complete" }, counts, findings);
  }
}

function different(difference: Difference, counts: ExecutionCounts, findings: Findings): ScheduleSearch {
  return result({ kind: "nondeterministic", difference }, counts, findings);
}

function result(
  outcome: ScheduleSearch["outcome"],
  counts: ExecutionCounts,
  { states, violations }: Findings,
): ScheduleSearch {
  return { outcome, executions: { ...counts }, states, violations: violations() };
}

type Made =
  | {
      readonly kind: "complete" | "blocked";
      readonly ending: Ending;
      readonly waiting: readonly number[];
    }
  | { readonly kind: "different"; readonly difference: Difference };

/** Repeats the course up to the choice of its last point, makes that, and goes on to the end. */
async function executeCourse(program: Program, course: Course): Promise<Made> {
  const execution = await program.start();
  const difference = await resume(program, execution, course);
  if (difference !== undefined) {
    await execution.finish("abandoned");
    return { kind: "different", difference };
  }
  const kind = await goOn(program, execution, course);
  const waiting = execution.waiting?.() ?? [];
  return { kind, waiting, ending: await execution.finish(kind === "complete" ? "complete" : "abandoned") };
}

async function resume(
  program: Program,
  execution: Execution,
  course: Course,
): Promise<Difference | undefined> {
  const difference = await replay(execution, shownOf(course));
  const point = course.points.at(-1);
  if (difference !== undefined || point === undefined) return difference;
  const schedule = [...course.steps.map(({ record }) => record.thread), point.taken];
  const differs = enabledDifference(schedule, point.enabled, execution.enabled());
  if (differs !== undefined) return differs;
  await take(program, execution, course, point.taken);
  return undefined;
}

/** Makes steps of threads that do not sleep, the first in order, until there is none. */
async function goOn(program: Program, execution: Execution, course: Course): Promise<"complete" | "blocked"> {
  for (;;) {
    const enabled = execution.enabled();
    const asleep = sleepersAfter(course);
    const taken = enabled.find((thread) => !asleep.has(thread));
    if (taken === undefined) return enabled.length === 0 ? "complete" : "blocked";
    const waiting = execution.waiting?.() ?? [];
    course.points.push({ enabled, waiting, asleep, done: new Map(), todo: new Set(), taken });
    await take(program, execution, course, taken);
  }
}

async function take(program: Program, execution: Execution, course: Course, thread: number): Promise<void> {
  const record = await execution.step(thread);
  course.steps.push(orderedAfter(program.threads.length, course.steps, record));
}

function shownOf({ points, steps }: Course): readonly Shown[] {
  return steps.map(({ record }, index) => ({ enabled: points[index]?.enabled ?? [], record }));
}
