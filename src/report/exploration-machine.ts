import type { MachineReport } from "../explore/report.js";
import { faultsText, outcomeText } from "./exploration-verdict.js";
import type { Canvas, Paint } from "./paint.js";
import { type Row, tableLines } from "./table.js";
import type { Detail } from "./terminal.js";
import { counted, grouped, wrapped } from "./text.js";

/** The searches of the machine, one row each; then how they were reduced, and what they could not check because of it. */
export function searchLines(
  searches: readonly MachineReport[],
  { canvas, detail }: { readonly canvas: Canvas; readonly detail: Detail },
): readonly string[] {
  const notes = [...reductionNotes(searches), ...uncheckedNotes(searches)];
  return [
    ...tableLines(
      columns,
      searches.map((search) => searchRow(search, canvas, detail)),
      canvas,
    ),
    "",
    ...notes.flatMap((note) =>
      wrapped(note, canvas.width - 4).map((line) => canvas.paint.dim(`    ${line}`)),
    ),
  ];
}

const columns = [
  { head: "search with", align: "left" },
  { head: "outcome", align: "left" },
  { head: "states", align: "right" },
  { head: "transitions", align: "right" },
  { head: "depth", align: "right" },
  { head: "bytes/state", align: "right" },
] as const;

function searchRow(search: MachineReport, { paint, width }: Canvas, detail: Detail): Row {
  const violated = search.promises.filter(({ verdict }) => verdict.kind === "violated");
  const steps = search.steps.map(({ kind, count }) => `${kind} ${grouped(count)}`).join(", ");
  const below = [
    ...(violated.length === 0 ? [] : [`violated: ${violated.map(({ promise }) => promise).join(", ")}`]),
    ...(search.bitstate === undefined ? [] : [bitstateText(search.bitstate)]),
    ...(detail === "verbose" && steps !== "" ? [`steps: ${steps}`] : []),
  ];
  return {
    sign: violated.length > 0 ? paint.red("✗") : outcomeSign(search.outcome, paint),
    cells: [
      searchName(search),
      outcomeText(search.outcome),
      grouped(search.states),
      grouped(search.transitions),
      grouped(search.depth),
      search.bytesPerState.toFixed(1),
    ],
    below: below.flatMap((text) => wrapped(text, width - 6).map((line) => `      ${line}`)),
  };
}

/** What a search was made with. */
export function searchName({ workload, faults }: Pick<MachineReport, "workload" | "faults">): string {
  return workload === undefined ? faultsText(faults) : `${workload}, ${faultsText(faults)}`;
}

/** Whether something was explored to its end. */
export function outcomeSign({ kind }: MachineReport["outcome"], paint: Paint): string {
  return kind === "complete" ? paint.green("✓") : paint.yellow("?");
}

function bitstateText({
  seeds,
  states,
  missedByAll,
  expectedMissed,
}: NonNullable<MachineReport["bitstate"]>): string {
  const missed = expectedMissed < 1 ? "less than one" : `about ${grouped(Math.round(expectedMissed))}`;
  return (
    `past its memory, bit fields with ${counted(seeds, "seed")}: at most ${counted(states, "state")} met by one of ` +
    `them; expected to be missed by all of those offered to them: ${missed} (probability ${missedByAll.toExponential(1)})`
  );
}

function reductionNotes(searches: readonly MachineReport[]): readonly string[] {
  const reduced = (by: keyof MachineReport["reduction"]): number =>
    searches.filter(({ reduction }) => reduction[by]).length;
  const inSome = (count: number): string =>
    count === searches.length ? "" : ` (in ${count} of ${searches.length})`;
  const [symmetry, partialOrder] = [reduced("symmetry"), reduced("partialOrder")];
  return [
    ...(symmetry === 0
      ? []
      : [
          `symmetry${inSome(symmetry)}: one state stands for all that differ in the order of attempts or the names of keys`,
        ]),
    ...(partialOrder === 0
      ? []
      : [`partial order${inSome(partialOrder)}: of steps that commute only one order is searched`]),
    ...(symmetry + partialOrder === 0 ? ["no reduction: every state is stored as it is"] : []),
  ];
}

/** For each promise that some search could not check: why, and whether another search checked it. */
function uncheckedNotes(searches: readonly MachineReport[]): readonly string[] {
  const all = searches.flatMap(({ promises }) => promises);
  const reasons = new Map<string, string>();
  for (const { promise, verdict } of all) {
    if (verdict.kind === "not_checked") reasons.set(promise, verdict.reason);
  }
  return [...reasons].map(([promise, reason]) => {
    const of = all.filter((one) => one.promise === promise);
    const without = of.filter(({ verdict }) => verdict.kind !== "not_checked").length;
    const told =
      without === 0 ? "not checked on the machine" : `checked without it in ${without} of ${of.length}`;
    return `${promise}: ${told}; ${reason}`;
  });
}
