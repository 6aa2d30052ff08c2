import assert from "node:assert/strict";
import { type Schedule, scheduleOf } from "./findings.js";
import { footprintText } from "./footprint-text.js";
import { happensBefore, type OrderedStep, precedes } from "./happens-before.js";
import { type Limits, reachedLimit } from "./limits.js";
import type { Execution, Program, StepRecord } from "./program.js";
import { type RecordDifference, recordDifference } from "./repetition.js";

export type IndependenceAudit = {
  /** Kinds of pairs, by the labels and footprints of the two steps. */
  readonly audited: number;
  /** Kinds of pairs for which a limit left no execution. */
  readonly unaudited: number;
  readonly executions: number;
  readonly differences: readonly AuditDifference[];
};

/** What shows that two steps, independent by their footprints, are not, or that some other step is not independent of what was left out. */
export type AuditDifference = {
  /** Labels of the pair under audit. */
  readonly pair: readonly [string, string];
  /** Two schedules that should have shown the same of the last step of both, or the same state at the end. */
  readonly first: AuditedSchedule;
  readonly second: AuditedSchedule;
  readonly what: RecordDifference["what"] | "enabled" | "snapshot";
};

export type AuditedSchedule = { readonly schedule: Schedule; readonly shown: string };

/**
 * Checks the footprints on which a search relied: makes two steps, independent by their footprints, in either
 * order after the steps that they need and no others, and compares what each step showed with what it showed in the
 * sequence, and the states after both. Each kind of pair is checked once. A difference means that the footprints
 * leave something out, and the search may have missed schedules. No difference is no proof: a kind is checked in one
 * place only. Needs a program whose executions have a `snapshot`; asserts that they have one.
 */
export async function auditIndependence(
  program: Program,
  sequences: Iterable<readonly StepRecord[]>,
  limits: Limits,
): Promise<IndependenceAudit> {
  const differences: AuditDifference[] = [];
  let audited = 0;
  const told = [...sequences].map((sequence) => sequence.map(asReported));
  const pairs = independentPairs(program.threads.length, told);
  for (const pair of pairs) {
    // A pair takes two executions; the second one must not exceed the limit either.
    if (reachedLimit(limits, 2 * audited + 1, differences.length) !== undefined) break;
    audited++;
    const difference = await auditPair(program, pair);
    if (difference !== undefined) differences.push(difference);
  }
  return { audited, unaudited: pairs.length - audited, executions: 2 * audited, differences };
}

/** What the harness adds may hide what the program leaves out. */
function asReported(record: StepRecord): StepRecord {
  return record.reported === undefined ? record : { ...record, footprint: record.reported };
}

/** Indices in the sequence: of two independent steps, and of the others that they need. */
type Pair = {
  readonly sequence: readonly StepRecord[];
  readonly before: readonly number[];
  readonly one: number;
  readonly other: number;
};

/** One pair of each kind. Steps apart in the sequence count too: without what neither needs they are neighbours. */
function independentPairs(threads: number, sequences: readonly (readonly StepRecord[])[]): readonly Pair[] {
  const pairs = new Map<string, Pair>();
  for (const sequence of sequences) {
    const steps = happensBefore(threads, sequence);
    const names = sequence.map(({ label, footprint }) => JSON.stringify([label, footprintText(footprint)]));
    for (const [other, second] of steps.entries()) {
      for (const [one, first] of steps.slice(0, other).entries()) {
        if (precedes(first, second)) continue;
        const kind = [names[one], names[other]].sort().join(" ");
        if (!pairs.has(kind)) pairs.set(kind, { sequence, before: neededBy(steps, one, other), one, other });
      }
    }
  }
  return [...pairs.values()];
}

function neededBy(steps: readonly OrderedStep[], one: number, other: number): readonly number[] {
  const pair = [one, other].flatMap((index) => steps[index] ?? []);
  return steps.flatMap((step, index) =>
    !pair.includes(step) && pair.some((late) => precedes(step, late)) ? [index] : [],
  );
}

async function auditPair(program: Program, pair: Pair): Promise<AuditDifference | undefined> {
  const { sequence, before, one, other } = pair;
  const inOrder = await makeAgain(program, sequence, [...before, one, other]);
  const swapped = await makeAgain(program, sequence, [...before, other, one]);
  const labels = [labelOf(sequence, one), labelOf(sequence, other)] as const;
  for (const made of [inOrder, swapped]) {
    if (made.kind === "different") return { pair: labels, ...made.difference };
  }
  if (inOrder.kind === "different" || swapped.kind === "different" || inOrder.shown === swapped.shown) {
    return undefined;
  }
  return { pair: labels, first: inOrder, second: swapped, what: "snapshot" };
}

type Made =
  | ({ readonly kind: "same" } & AuditedSchedule)
  | { readonly kind: "different"; readonly difference: Omit<AuditDifference, "pair"> };

/** Makes these steps of the sequence, and compares each with what it showed there. */
async function makeAgain(
  program: Program,
  sequence: readonly StepRecord[],
  indices: readonly number[],
): Promise<Made> {
  const execution = await program.start();
  const made: StepRecord[] = [];
  let difference: Omit<AuditDifference, "pair"> | undefined;
  for (const index of indices) {
    const record = sequence[index];
    assert(record !== undefined, "a pair is made of steps of its sequence");
    difference = await differenceOf(execution, record, sequence.slice(0, index + 1), made);
    if (difference !== undefined) break;
  }
  const shown = JSON.stringify([execution.enabled(), await snapshotOf(execution)]);
  await execution.finish("abandoned");
  if (difference !== undefined) return { kind: "different", difference };
  return { kind: "same", schedule: scheduleOf(made), shown };
}

/** Makes one step more and says how it differs from the record, which is the last one of `original`. */
async function differenceOf(
  execution: Execution,
  record: StepRecord,
  original: readonly StepRecord[],
  made: StepRecord[],
): Promise<Omit<AuditDifference, "pair"> | undefined> {
  const enabled = execution.enabled();
  const isEnabled = enabled.includes(record.thread);
  const again = isEnabled ? asReported(await execution.step(record.thread)) : record;
  made.push(again);
  const found:
    | (Pick<RecordDifference, "first" | "again"> & { readonly what: AuditDifference["what"] })
    | undefined = isEnabled
    ? recordDifference(record, again)
    : { what: "enabled", first: `thread ${record.thread}`, again: `threads ${enabled.join(" ")}` };
  if (found === undefined) return undefined;
  return {
    what: found.what,
    first: { schedule: scheduleOf(original), shown: found.first },
    second: { schedule: scheduleOf(made), shown: found.again },
  };
}

async function snapshotOf(execution: Execution): Promise<string> {
  assert(execution.snapshot !== undefined, "an audit needs executions with a snapshot");
  return execution.snapshot();
}

function labelOf(sequence: readonly StepRecord[], index: number): string {
  return sequence[index]?.label ?? "";
}
