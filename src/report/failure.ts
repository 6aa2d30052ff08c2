import type { Counterexample, Violation } from "../properties/verdict.js";
import type { Canvas } from "./paint.js";
import { field, storeAt, storeLines } from "./store.js";
import { counted, length, printable, wrapped } from "./text.js";
import { timeline } from "./timeline.js";

/** Where a counterexample was kept, and the line that replays it. */
export type Kept = { readonly file: string; readonly replay: string };

export type FailureContext = {
  readonly seed: number;
  readonly kept: Kept | undefined;
  /** Those already told: steps that one of them showed are not shown again. */
  readonly before: readonly Counterexample[];
};

/**
 * A broken promise as an engineer reads it: what was broken, the minimal steps on a timeline, what was allowed and what
 * was done, what the store holds, where it was found, the file just written, and the line that replays it.
 */
export function failureLines(
  counterexample: Counterexample,
  { seed, kept, before }: FailureContext,
  canvas: Canvas,
): readonly string[] {
  const { paint } = canvas;
  const { violation } = counterexample.minimal;
  const steps = JSON.stringify(counterexample.minimal.actions);
  const same = before.find(({ minimal }) => JSON.stringify(minimal.actions) === steps);
  return [
    rule(`✗ ${violation.promise}`, canvas),
    ...wrapped(printable(violation.sentence), canvas.width - 2).map((line) => `  ${paint.bold(line)}`),
    "",
    ...(same === undefined
      ? stepsLines(counterexample, canvas)
      : [paint.dim(`  the same steps as for ${same.promise}`), ""]),
    ...comparison(counterexample, canvas),
    ...(same === undefined ? storeThen(counterexample, canvas) : []),
    "",
    `  ${paint.bold("found with")}   seed ${seed}, path ${counterexample.run}`,
    ...(kept === undefined ? [] : keptLines(kept, canvas)),
  ];
}

function stepsLines(counterexample: Counterexample, canvas: Canvas): readonly string[] {
  const { actions, history, violation } = counterexample.minimal;
  const broken = { promise: violation.promise, position: violation.position };
  return [
    ...wrapped(howShort(counterexample), canvas.width - 2).map((line) => `  ${canvas.paint.dim(line)}`),
    "",
    ...timeline({ actions, history, broken }, canvas),
    "",
  ];
}

function storeThen({ minimal }: Counterexample, canvas: Canvas): readonly string[] {
  const store = storeAt(minimal.history, minimal.violation.position);
  if (store === undefined) return [];
  return ["", `  ${canvas.paint.bold("the store then holds")}`, ...storeLines(store, canvas)];
}

function keptLines(kept: Kept, { paint }: Canvas): readonly string[] {
  return [
    `  ${paint.bold("written to")}   ${kept.file}`,
    `  ${paint.bold("replay with")}  ${paint.cyan(kept.replay)}`,
  ];
}

/** A heading across the page. */
export function rule(title: string, { paint, width }: Canvas): string {
  return paint.red(paint.bold(`── ${title} ${"─".repeat(Math.max(0, width - length(title) - 4))}`));
}

function howShort({ actions, minimal }: Counterexample): string {
  const steps = counted(minimal.actions.length, "step");
  const tried = `${counted(minimal.candidatesTried, "candidate")} tried`;
  switch (minimal.kind) {
    case "one_minimal":
      return `${steps}, shrunk from ${actions.length} (${tried}); without any one of them this failure is gone`;
    case "out_of_budget":
      return `${steps}, shrunk from ${actions.length} (${tried}); the budget ran out, so it may still shrink`;
    case "not_reproduced":
      return `${steps}, as generated: ${printable(minimal.why ?? "a second try did not fail in the same way")}`;
  }
}

function comparison({ minimal }: Counterexample, canvas: Canvas): readonly string[] {
  const { violation } = minimal;
  const epilogue = violation.action >= minimal.actions.length;
  const where = epilogue ? "in the epilogue" : `at step ${violation.action + 1}`;
  return [`  ${canvas.paint.bold(where)}`, ...violationFields(violation, canvas)];
}

/** What was allowed and what was done. */
export function violationFields(violation: Violation, canvas: Canvas): readonly string[] {
  const machine = violation.promise === "matches-the-machine";
  return [
    ...field(machine ? "the machine allowed" : "expected", printable(violation.expected), 22, canvas),
    ...field("the executor did", printable(violation.seen), 22, canvas),
  ];
}
