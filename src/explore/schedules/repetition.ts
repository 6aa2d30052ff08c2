import { footprintText } from "./footprint-text.js";
import type { Ending, Execution, Program, StepRecord } from "./program.js";

/** What a step showed, and the threads that could have made one in its place. */
export type Shown = { readonly enabled: readonly number[]; readonly record: StepRecord };

/** A repetition of the same schedule that showed something else: the program depends on more than the schedule. */
export type Difference = {
  /** The schedule up to the step that differs, as thread numbers. */
  readonly schedule: readonly number[];
  /** Index of the step that differs; the length of the schedule if only the ending does. */
  readonly at: number;
  readonly what: "enabled" | "label" | "footprint" | "seen" | "ending";
  readonly first: string;
  readonly again: string;
};

/** Executes a whole schedule a second time and brings it to its end; the first difference, if there is one. */
export async function repeatSchedule(
  program: Program,
  shown: readonly Shown[],
  ending: Ending,
): Promise<Difference | undefined> {
  const execution = await program.start();
  const difference = await replay(execution, shown);
  const again = await execution.finish(difference === undefined ? "complete" : "abandoned");
  if (difference !== undefined) return difference;
  const schedule = shown.map(({ record }) => record.thread);
  const [firstText, againText] = [endingText(ending), endingText(again)];
  if (firstText === againText) return undefined;
  return { schedule, at: schedule.length, what: "ending", first: firstText, again: againText };
}

/** Makes the same steps again and leaves the execution open; the first difference, after which no step is made. */
export async function replay(execution: Execution, shown: readonly Shown[]): Promise<Difference | undefined> {
  const schedule: number[] = [];
  for (const [at, { enabled, record }] of shown.entries()) {
    schedule.push(record.thread);
    const differs = enabledDifference(schedule, enabled, execution.enabled());
    if (differs !== undefined) return differs;
    const difference = recordDifference(record, await execution.step(record.thread));
    if (difference !== undefined) return { schedule, at, ...difference };
  }
  return undefined;
}

export type RecordDifference = {
  readonly what: "label" | "footprint" | "seen";
  readonly first: string;
  readonly again: string;
};

/** The first thing that two records of one step do not share; what was seen counts before the footprint. */
export function recordDifference(first: StepRecord, again: StepRecord): RecordDifference | undefined {
  const places = { first: footprintText(first.footprint), again: footprintText(again.footprint) };
  if (first.label !== again.label) return { what: "label", first: first.label, again: again.label };
  if (first.seen !== again.seen) return { what: "seen", first: first.seen, again: again.seen };
  return places.first === places.again ? undefined : { what: "footprint", ...places };
}

/** Says whether the threads differ that could make the last step of the schedule. */
export function enabledDifference(
  schedule: readonly number[],
  first: readonly number[],
  again: readonly number[],
): Difference | undefined {
  if (first.join(" ") === again.join(" ")) return undefined;
  const at = schedule.length - 1;
  return { schedule: [...schedule], at, what: "enabled", first: first.join(" "), again: again.join(" ") };
}

function endingText({ state, violations }: Ending): string {
  return JSON.stringify([state, violations]);
}
