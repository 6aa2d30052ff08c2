import type { SelftestReport, SelftestRow } from "../selftest/selftest.js";
import type { JunitCase, JunitSuite } from "./junit.js";
import type { Canvas } from "./paint.js";
import type { Detail } from "./terminal.js";
import { counted, grouped, length, padded, printable, wrapped } from "./text.js";

/** The table of faulty executors: what caught each, how soon, and in how few steps. */
export function selftestText(
  report: SelftestReport,
  { canvas, detail }: { readonly canvas: Canvas; readonly detail: Detail },
): string {
  const rows = detail === "quiet" ? report.rows.filter(isProblem) : report.rows;
  const columns = columnsOf(report, canvas.width);
  const table = rows.flatMap((row) => rowLines(row, report, columns, { canvas, detail }));
  const head = rows.length === 0 ? [] : [canvas.paint.dim(headLine(columns)), ...table, ""];
  const notes = detail === "quiet" ? [] : [...legend(report), ""].map((line) => canvas.paint.dim(line));
  return `${[...head, ...notes, verdictLine(report, canvas)].join("\n")}\n`;
}

type Column = { readonly head: string; readonly width: number; readonly cell: (row: SelftestRow) => string };

/** The name of a bug takes what the other columns leave; a longer one goes on below, broken at a hyphen. */
function columnsOf({ rows, seeds }: SelftestReport, width: number): readonly Column[] {
  const column = (head: string, cell: (row: SelftestRow) => string): Column => {
    return { head, width: Math.max(length(head), ...rows.map((row) => length(cell(row)))), cell };
  };
  const right = (head: string, cell: (row: SelftestRow) => string): Column => {
    const { width } = column(head, cell);
    return { head: head.padStart(width), width, cell: (row) => cell(row).padStart(width) };
  };
  const others = [
    column("caught by", ({ caughtBy }) => caughtBy[0]?.promise ?? "nothing"),
    right("seeds", ({ caughtSeeds }) => `${caughtSeeds}/${seeds}`),
    right("runs", ({ medianRuns }) => grouped(medianRuns)),
    right("actions", ({ medianActions }) => grouped(medianActions)),
    right("steps", ({ minimalLength: { min, max } }) => (min === max ? `${min}` : `${min}–${max}`)),
    right("known", ({ shortestKnown }) => `${shortestKnown}`),
  ];
  const left = width - 4 - others.reduce((sum, other) => sum + 2 + other.width, 0);
  const name = column("bug", ({ bug }) => printable(bug));
  return [{ ...name, width: Math.min(name.width, Math.max(16, left)) }, ...others];
}

function headLine(columns: readonly Column[]): string {
  return `    ${columns.map(({ head, width }) => padded(head, width)).join("  ")}`;
}

function rowLines(
  row: SelftestRow,
  report: SelftestReport,
  columns: readonly Column[],
  { canvas, detail }: { readonly canvas: Canvas; readonly detail: Detail },
): readonly string[] {
  const { paint } = canvas;
  const bad = isProblem(row);
  const sign = bad ? paint.red("✗") : paint.green("✓");
  const [name, ...rest] = columns.map(({ cell, width }, at) =>
    at === 0 ? atHyphens(cell(row), width) : [padded(cell(row), width)],
  );
  const [first = "", ...further] = name ?? [];
  const cells = [padded(first, columns[0]?.width ?? 0), ...rest.flat()];
  const others = row.caughtBy
    .slice(1)
    .map(({ promise, seeds }) => `${promise} with ${counted(seeds, "seed")}`);
  const below = (text: string) => wrapped(text, canvas.width - 6).map((line) => `      ${line}`);
  return [
    `  ${sign} ${cells.join("  ")}`.trimEnd(),
    ...further.map((part) => `      ${part}`),
    ...(others.length === 0 ? [] : below(`also by ${others.join(", ")}`).map(paint.dim)),
    ...(detail === "verbose" || bad ? below(printable(row.says)).map(paint.dim) : []),
    ...(bad ? below(problemText(row, report)).map(paint.red) : []),
  ];
}

function atHyphens(name: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of name.split(/(?<=-)/)) {
    if (line !== "" && length(line) + length(part) > width) {
      lines.push(line);
      line = "";
    }
    line += part;
  }
  return [...lines, line];
}

function isProblem(row: SelftestRow): boolean {
  return row.problem !== undefined;
}

function problemText(row: SelftestRow, { seeds }: SelftestReport): string {
  const expected = row.caughtSeeds === seeds ? "" : `; expected ${row.expectedPromises.join(" or ")}`;
  return `${printable(row.problem ?? "")}${expected}`;
}

function legend({ seeds, budgetActions }: SelftestReport): readonly string[] {
  return [
    `  ${counted(seeds, "seed")} for each bug, at most ${counted(budgetActions, "action")} for each seed.`,
    "  runs, actions: the median until it was caught.",
    "  steps: of the minimal scenario.  known: the fewest steps known to show it.",
  ];
}

function verdictLine(report: SelftestReport, { paint }: Canvas): string {
  const bugs = counted(report.rows.length, "faulty executor");
  switch (report.verdict) {
    case "all_caught":
      return paint.bold(paint.green(`${bugs}: all caught, with every seed.`));
    case "missed": {
      const missed = report.rows.filter(isProblem).map(({ bug }) => bug);
      return paint.bold(paint.red(`${bugs}: ${missed.length} not as it should be: ${missed.join(", ")}.`));
    }
    case "interrupted":
      return paint.bold(paint.red(`Interrupted: only ${bugs} tested with every seed.`));
  }
}

/** The selftest as a JUnit suite, one case a bug. */
export function selftestSuite(report: SelftestReport): JunitSuite {
  return {
    name: "selftest",
    ms: report.times.wallMs,
    cases: report.rows.map((row) => junitCase(row, report)),
  };
}

function junitCase(row: SelftestRow, report: SelftestReport): JunitCase {
  if (!isProblem(row)) return { name: row.bug, result: { kind: "passed" } };
  return { name: row.bug, result: { kind: "failure", message: problemText(row, report), text: row.says } };
}
