import type { Action } from "../model/vocabulary.js";
import type { Counterexample, Violation } from "../properties/verdict.js";
import type { Canvas } from "./paint.js";
import { field, storeAt, storeLines } from "./store.js";
import { counted, length, printable, wrapped } from "./text.js";
import { timeline } from "./timeline.js";
import { actionWords } from "./words.js";

/** Where a counterexample was kept, and the line that replays it. */
export type Kept = { readonly file: string; readonly replay: string };

export type FailureContext = {
  /** How it was found, in words that let it be found again. */
  readonly foundWith: string;
  readonly kept: Kept | undefined;
  /** Those already told: steps that one of them showed are not shown again. */
  readonly before: readonly Counterexample[];
  /** Who broke the promise, if not the executor. */
  readonly doer?: string;
  /** How the steps were found, if they were not shrunk from a longer list. */
  readonly howShort?: string;
};

/**
 * A broken promise as an engineer reads it: what was broken, the minimal steps on a timeline, what was allowed and what
 * was done, what the store holds, where it was found, the file just written, and the line that replays it.
 */
export function failureLines(
  counterexample: Counterexample,
  context: FailureContext,
  canvas: Canvas,
): readonly string[] {
  const { foundWith, kept, before, doer = theExecutor } = context;
  const { paint } = canvas;
  const { violation } = counterexample.minimal;
  const steps = JSON.stringify(counterexample.minimal.actions);
  const same = before.find(({ minimal }) => JSON.stringify(minimal.actions) === steps);
  return [
    rule(`✗ ${violation.promise}`, canvas),
    ...wrapped(printable(violation.sentence), canvas.width - 2).map((line) => `  ${paint.bold(line)}`),
    "",
    ...(same === undefined
      ? stepsLines(counterexample, context.howShort ?? howShort(counterexample), canvas)
      : [paint.dim(`  the same steps as for ${same.promise}`), ""]),
    ...comparison(counterexample, doer, canvas),
    ...(same === undefined ? storeThen(counterexample, canvas) : []),
    "",
    `  ${paint.bold("found with")}   ${foundWith}`,
    ...(kept === undefined ? [] : keptLines(kept, canvas)),
  ];
}

const theExecutor = "the executor";

function stepsLines({ minimal }: Counterexample, how: string, canvas: Canvas): readonly string[] {
  const { actions, history, violation } = minimal;
  const broken = { promise: violation.promise, position: violation.position };
  return [
    ...wrapped(how, canvas.width - 2).map((line) => `  ${canvas.paint.dim(line)}`),
    "",
    ...(history.length === 0 ? listed(actions, canvas) : timeline({ actions, history, broken }, canvas)),
    "",
  ];
}

/** Steps that nothing executed have no history to tell a timeline of. */
function listed(actions: readonly Action[], { width }: Canvas): readonly string[] {
  return actions.flatMap((action, index) =>
    wrapped(actionWords(action), width - 8).map(
      (line, row) => `${(row === 0 ? String(index + 1) : "").padStart(6)}  ${line}`,
    ),
  );
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

/** The seed and the run of it: what a campaign generates again from. */
export function foundInRun({ run }: Counterexample, { seed }: { readonly seed: number }): string {
  return `seed ${seed}, path ${run}`;
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

function comparison({ minimal }: Counterexample, doer: string, canvas: Canvas): readonly string[] {
  const { violation } = minimal;
  const epilogue = violation.action >= minimal.actions.length;
  const where = epilogue ? "in the epilogue" : `at step ${violation.action + 1}`;
  return [`  ${canvas.paint.bold(where)}`, ...violationFields(violation, canvas, doer)];
}

/** What was allowed and what was done. */
export function violationFields(
  violation: Violation,
  canvas: Canvas,
  doer: string = theExecutor,
): readonly string[] {
  const machine = violation.promise === "matches-the-machine";
  return [
    ...field(machine ? "the machine allowed" : "expected", printable(violation.expected), 22, canvas),
    ...field(`${doer} did`, printable(violation.seen), 22, canvas),
  ];
}
