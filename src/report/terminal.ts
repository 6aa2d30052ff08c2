import type { CampaignReport, PromiseReport } from "../properties/verdict.js";
import { failureLines, type Kept, rule } from "./failure.js";
import type { Canvas, Paint } from "./paint.js";
import { clipped, counted, grouped, padded, printable, wrapped } from "./text.js";

/** How much the terminal report says: `quiet` keeps failures and the verdict, `verbose` adds every transition not reached. */
export type Detail = "quiet" | "usual" | "verbose";

export type TerminalOptions = {
  readonly canvas: Canvas;
  readonly detail: Detail;
  /** Where each counterexample of the report was kept. */
  readonly keptAt: (promise: string) => Kept | undefined;
};

/** A campaign's report as text for people; the last line is the verdict. */
export function terminalReport(report: CampaignReport, options: TerminalOptions): string {
  const { canvas, detail } = options;
  const failures = report.counterexamples.flatMap((counterexample, at) => [
    ...failureLines(
      counterexample,
      {
        seed: report.seed,
        kept: options.keptAt(counterexample.promise),
        before: report.counterexamples.slice(0, at),
      },
      canvas,
    ),
    "",
  ]);
  const summary =
    detail === "quiet"
      ? []
      : [
          ...headLines(report),
          "",
          ...promiseLines(report, canvas),
          "",
          ...coverageLines(report, options),
          "",
        ];
  const lines = [
    ...summary,
    ...failures,
    ...brokenLines(report, canvas, options.keptAt("broken")),
    ...verdictLines(report, canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function headLines(report: CampaignReport): readonly string[] {
  const { shard, runs, actions, times } = report;
  const part = shard.count === 1 ? "" : `, shard ${shard.index}/${shard.count}`;
  const all = actions.performed + actions.skipped;
  const skipped = all === 0 ? "" : ` (${((actions.skipped * 100) / all).toFixed(1)} % skipped)`;
  return [
    `executor ${report.executor}, profile ${report.profile}, seed ${report.seed}${part}`,
    `${counted(runs.executed, "run")}, ${counted(all, "action")}${skipped} in ${seconds(times.wallMs)}, ` +
      `${grouped(Math.round(times.actionsPerSecond))} actions/s, ${counted(times.workers, "worker")}`,
  ];
}

function promiseLines(report: CampaignReport, { paint, width }: Canvas): readonly string[] {
  const room = Math.max(7, ...report.promises.map(({ promise }) => promise.length)) + 2;
  const digits = Math.max(...report.promises.map(({ occurredInRuns }) => grouped(occurredInRuns).length), 1);
  return [
    paint.dim(`    ${padded("promise", room)}${padded("verdict", 16)}its situation occurred in`),
    ...report.promises.map((row) => {
      const { sign, word, colour } = verdictLook(row, report, paint);
      const occurred = `${" ".repeat(digits - grouped(row.occurredInRuns).length)}${counted(row.occurredInRuns, "run")}`;
      return `  ${colour(sign)} ${padded(row.promise, room)}${colour(padded(word, 16))}${clipped(aside(row, occurred), width - room - 20)}`.trimEnd();
    }),
  ];
}

function aside({ verdict }: PromiseReport, occurred: string): string {
  switch (verdict.kind) {
    case "not_checked":
      return `lacks ${verdict.lacks.join(", ")}`;
    case "undecided":
    case "broken":
      return `${occurred}; ${verdict.reason}`;
    default:
      return occurred;
  }
}

function verdictLook(
  { promise, verdict }: PromiseReport,
  report: CampaignReport,
  paint: Paint,
): { sign: string; word: string; colour: (text: string) => string } {
  switch (verdict.kind) {
    case "holds":
      return { sign: "✓", word: "holds", colour: paint.green };
    case "violated":
      return { sign: "✗", word: "violated", colour: paint.red };
    case "broken":
      return { sign: "!", word: "broken", colour: paint.red };
    case "undecided":
      return { sign: "?", word: "undecided", colour: paint.yellow };
    case "vacuous": {
      const allowed = report.allowVacuous.includes(promise);
      return {
        sign: "○",
        word: allowed ? "vacuous (may)" : "vacuous",
        colour: allowed ? paint.dim : paint.yellow,
      };
    }
    case "not_checked":
      return { sign: "–", word: "not checked", colour: paint.dim };
  }
}

function coverageLines(report: CampaignReport, { canvas, detail }: TerminalOptions): readonly string[] {
  const { reachable, notReached } = report.coverage;
  const reached = reachable - notReached.length;
  const share = reachable === 0 ? "" : ` (${((reached * 100) / reachable).toFixed(1)} %)`;
  const shown = detail === "verbose" ? notReached : notReached.slice(0, 5);
  const more = notReached.length - shown.length;
  return [
    `  coverage  ${grouped(reached)} of ${grouped(reachable)} transitions of the machine reached${share}`,
    ...shown.flatMap((transition) =>
      wrapped(printable(transition), canvas.width - 16).map((line, at) =>
        canvas.paint.dim(`${" ".repeat(12)}${at === 0 ? "not " : "    "}${line}`),
      ),
    ),
    ...(more > 0
      ? [canvas.paint.dim(`${" ".repeat(12)}and ${more} more not reached; --verbose lists them`)]
      : []),
  ];
}

function brokenLines(report: CampaignReport, canvas: Canvas, kept: Kept | undefined): readonly string[] {
  const [first] = report.broken;
  if (first === undefined) return [];
  const message = wrapped(printable(first.message), canvas.width - 4).map((line) => `    ${line}`);
  return [
    rule(`! broken in ${counted(report.broken.length, "run")}`, canvas),
    `  run ${first.run}, ${printable(first.where)}:`,
    ...message,
    "  This is no verdict on the executor: it, its adapter or the harness did not answer.",
    ...(kept === undefined
      ? []
      : ["", `  written to ${kept.file}`, `  replay with ${canvas.paint.cyan(kept.replay)}`]),
    "",
  ];
}

/** The verdict in one sentence. */
function verdictLines(report: CampaignReport, { paint, width }: Canvas): readonly string[] {
  const { sentence, good } = verdictSentence(report);
  const interrupted = report.interrupted ? `Interrupted after ${counted(report.runs.executed, "run")}. ` : "";
  const colour = good ? (report.interrupted ? paint.yellow : paint.green) : paint.red;
  const whole = `${interrupted}${report.executor}, seed ${report.seed}: ${sentence}`;
  return wrapped(whole, width).map((line) => paint.bold(colour(line)));
}

function verdictSentence(report: CampaignReport): { sentence: string; good: boolean } {
  const named = (kind: PromiseReport["verdict"]["kind"]) =>
    report.promises.filter(({ verdict }) => verdict.kind === kind).map(({ promise }) => promise);
  switch (report.verdict) {
    case "holds": {
      const unchecked = named("not_checked").length;
      const rest = unchecked === 0 ? "" : `; ${counted(unchecked, "promise")} not checked`;
      return {
        sentence: `every promise that was checked holds (${named("holds").length})${rest}.`,
        good: true,
      };
    }
    case "violated":
      return { sentence: `violated: ${named("violated").join(", ")}.`, good: false };
    case "broken":
      return { sentence: `${counted(report.broken.length, "run")} broke; nothing is proven.`, good: false };
    case "undecided":
      return { sentence: `undecided: ${named("undecided").join(", ")}.`, good: false };
    case "vacuous":
      return vacuousSentence(report, named("vacuous"));
    case "nothing_executed":
      return { sentence: "no run was executed, so nothing is known.", good: false };
    case "nothing_checked":
      return { sentence: "no promise was checked, so nothing is known.", good: false };
  }
}

function vacuousSentence(
  report: CampaignReport,
  vacuous: readonly string[],
): { sentence: string; good: boolean } {
  const list = vacuous
    .filter((promise) => !report.allowVacuous.some((allowed) => allowed === promise))
    .join(", ");
  return report.shard.count > 1
    ? {
        sentence: `nothing violated; vacuous in this shard: ${list} (judged when the shards are merged).`,
        good: true,
      }
    : { sentence: `vacuous, their situation never occurred: ${list}.`, good: false };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
