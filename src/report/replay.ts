import type { Violation } from "../properties/verdict.js";
import type { Replayed } from "../scenario/replay.js";
import type { Scenario } from "../scenario/scenario.js";
import { rule, violationFields } from "./failure.js";
import type { JunitCase, JunitSuite } from "./junit.js";
import { type Canvas, type Paint, paintFor, widest } from "./paint.js";
import { sideBySide } from "./side-by-side.js";
import { field, storeAt, storeLines } from "./store.js";
import type { Detail } from "./terminal.js";
import { counted, padded, printable, wrapped } from "./text.js";
import { timeline } from "./timeline.js";

/** One scenario file that was replayed on an executor. */
export type ReplayRow = {
  readonly file: string;
  readonly executor: string;
  readonly scenario: Pick<Scenario, "name" | "about" | "actions">;
  readonly replayed: Replayed;
};

/** What `replay` found, as plain JSON. */
export type ReplayReport = {
  readonly format: "commitpoint-replay";
  readonly formatVersion: 1;
  readonly version: string;
  readonly verdict: Replayed["kind"] | "nothing_executed";
  readonly interrupted: boolean;
  readonly scenarios: readonly {
    readonly file: string;
    readonly name: string;
    readonly executor: string;
    readonly result: Replayed["kind"];
    readonly reason: string;
    readonly violations: readonly Violation[];
    readonly mismatches: Replayed["mismatches"];
  }[];
};

export function replayReport(
  rows: readonly ReplayRow[],
  { version, interrupted }: { readonly version: string; readonly interrupted: boolean },
): ReplayReport {
  const worst = precedence.find((kind) => rows.some(({ replayed }) => replayed.kind === kind));
  return {
    format: "commitpoint-replay",
    formatVersion: 1,
    version,
    verdict: worst ?? "nothing_executed",
    interrupted,
    scenarios: rows.map(({ file, executor, scenario, replayed }) => ({
      file,
      name: scenario.name,
      executor,
      result: replayed.kind,
      reason: replayed.reason ?? "",
      violations: replayed.verdict.violations,
      mismatches: replayed.mismatches,
    })),
  };
}

const precedence = ["not_as_expected", "broken", "undecided", "as_expected"] as const;

/** Replayed scenarios as text for people: one line each, a timeline for each that went otherwise than expected. */
export function replayText(
  rows: readonly ReplayRow[],
  { canvas, detail }: { readonly canvas: Canvas; readonly detail: Detail },
): string {
  const odd = rows.filter(({ replayed }) => replayed.kind !== "as_expected");
  const told = detail === "verbose" ? rows : odd;
  const lines = [
    ...(detail === "quiet" ? [] : [...rows.map((row) => listLine(row, rows, canvas)), ""]),
    ...told.flatMap((row) => [...rowLines(row, canvas), ""]),
    sumLine(rows, canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function listLine(
  { file, executor, scenario, replayed }: ReplayRow,
  rows: readonly ReplayRow[],
  { paint }: Canvas,
): string {
  const room = Math.max(...rows.map((row) => row.file.length));
  const { sign, colour } = look(replayed.kind, paint);
  const on = rows.some((row) => row.executor !== executor) ? paint.dim(`  (${executor})`) : "";
  return `${colour(sign)} ${padded(file, room)}  ${printable(scenario.name)}${on}`;
}

/** One scenario with its timeline, what went otherwise than expected, and what the store holds in the end. */
export function rowLines(row: ReplayRow, canvas: Canvas): readonly string[] {
  const { paint } = canvas;
  const { scenario, replayed } = row;
  const { sign, word } = look(replayed.kind, paint);
  const title = `${sign} ${printable(scenario.name)} — ${word}`;
  const store = storeAt(
    replayed.history,
    replayed.verdict.violations[0]?.position ?? Number.POSITIVE_INFINITY,
  );
  const reason = replayed.reason === undefined ? [] : wrapped(printable(replayed.reason), canvas.width - 2);
  return [
    replayed.kind === "as_expected" ? paint.bold(title) : rule(title, canvas),
    ...aboutLines(row, canvas),
    ...timelineLines(row, canvas),
    ...violationLines(replayed, canvas),
    ...mismatchLines(replayed, canvas),
    ...(reason.length === 0 ? [] : ["", ...reason.map((line) => `  ${line}`)]),
    ...(store === undefined
      ? []
      : ["", `  ${paint.bold("the store then holds")}`, ...storeLines(store, canvas)]),
  ];
}

/** A scenario that was stopped after a step: its timeline so far, then machine and store side by side. */
export function stoppedLines(row: ReplayRow, until: number, canvas: Canvas): readonly string[] {
  const { paint } = canvas;
  const { scenario, replayed } = row;
  return [
    paint.bold(printable(scenario.name)),
    ...aboutLines(row, canvas),
    ...timelineLines(row, canvas),
    ...violationLines(replayed, canvas),
    ...(replayed.kind === "broken"
      ? ["", `  ${paint.red(`broken: ${printable(replayed.reason ?? "")}`)}`]
      : []),
    "",
    `  ${paint.bold(`after step ${until} of ${scenario.actions.length}`)}`,
    "",
    ...sideBySide(["the machine", replayed.standing.machine], ["the store", replayed.standing.store], canvas),
  ];
}

function aboutLines({ file, executor, scenario }: ReplayRow, { paint, width }: Canvas): readonly string[] {
  const about = scenario.about === "" ? [] : wrapped(printable(scenario.about), width - 2);
  return [paint.dim(`  ${file} on ${executor}`), ...about.map((line) => paint.dim(`  ${line}`)), ""];
}

function timelineLines({ scenario, replayed }: ReplayRow, canvas: Canvas): readonly string[] {
  const [first] = replayed.verdict.violations;
  const broken = first === undefined ? {} : { broken: { promise: first.promise, position: first.position } };
  return timeline({ actions: scenario.actions, history: replayed.history, ...broken }, canvas);
}

function violationLines({ verdict }: Replayed, canvas: Canvas): readonly string[] {
  return verdict.violations.flatMap((violation) => [
    "",
    `  ${canvas.paint.bold(violation.promise)}`,
    ...wrapped(printable(violation.sentence), canvas.width - 4).map((line) => `    ${line}`),
    ...violationFields(violation, canvas),
  ]);
}

function mismatchLines({ mismatches }: Replayed, canvas: Canvas): readonly string[] {
  if (mismatches.length === 0) return [];
  return [
    "",
    `  ${canvas.paint.bold("otherwise than the scenario expects")}`,
    ...mismatches.flatMap(({ path, expected, seen }) => [
      ...wrapped(printable(path), canvas.width - 4).map((line) => `    ${line}`),
      ...field("  expected", printable(expected), 14, canvas),
      ...field("  seen", printable(seen), 14, canvas),
    ]),
  ];
}

function sumLine(rows: readonly ReplayRow[], { paint }: Canvas): string {
  const count = (kind: Replayed["kind"]) => rows.filter(({ replayed }) => replayed.kind === kind).length;
  const parts = precedence.flatMap((kind) => {
    const number = count(kind);
    return number === 0 ? [] : [`${number} ${look(kind, paint).word}`];
  });
  const good = rows.length > 0 && count("as_expected") === rows.length;
  return paint.bold(
    (good ? paint.green : paint.red)(
      `${counted(rows.length, "scenario")}: ${parts.join(", ") || "nothing was replayed"}.`,
    ),
  );
}

function look(
  kind: Replayed["kind"],
  paint: Paint,
): { sign: string; word: string; colour: (text: string) => string } {
  switch (kind) {
    case "as_expected":
      return { sign: "✓", word: "as expected", colour: paint.green };
    case "not_as_expected":
      return { sign: "✗", word: "not as expected", colour: paint.red };
    case "undecided":
      return { sign: "?", word: "undecided", colour: paint.yellow };
    case "broken":
      return { sign: "!", word: "broken", colour: paint.red };
  }
}

/** Replayed scenarios as a JUnit suite, one case a file. */
export function replaySuite(rows: readonly ReplayRow[], ms: number): JunitSuite {
  return { name: "scenarios", ms, cases: rows.map(junitCase) };
}

function junitCase(row: ReplayRow): JunitCase {
  const { kind } = row.replayed;
  const name = `${row.file}: ${row.scenario.name}`;
  if (kind === "as_expected") return { name, result: { kind: "passed" } };
  const [violation] = row.replayed.verdict.violations;
  const message = violation?.sentence ?? row.replayed.reason ?? kind.replaceAll("_", " ");
  const text = rowLines(row, { paint: paintFor("plain"), width: widest }).join("\n");
  return { name, result: { kind: kind === "not_as_expected" ? "failure" : "error", message, text } };
}
