import type { Broken, CampaignReport, PromiseReport } from "../properties/verdict.js";
import { failureLines, foundInRun, type Kept, rule } from "./failure.js";
import type { Canvas } from "./paint.js";
import { promiseTable } from "./promise-table.js";
import { counted, grouped, printable, wrapped } from "./text.js";

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
        foundWith: foundInRun(counterexample, report),
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
    ...brokenLines(report.broken, ({ run, where }) => `run ${run}, ${where}`, options),
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

function promiseLines(report: CampaignReport, canvas: Canvas): readonly string[] {
  const { promises, allowVacuous } = report;
  const digits = Math.max(...promises.map(({ occurredInRuns }) => grouped(occurredInRuns).length), 1);
  return promiseTable(promises, {
    canvas,
    allowVacuous,
    heading: "its situation occurred in",
    occurred: ({ occurredInRuns }) =>
      `${" ".repeat(digits - grouped(occurredInRuns).length)}${counted(occurredInRuns, "run")}`,
  });
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

/** Runs that nobody answered: the first of them, with the place where it broke. */
export function brokenLines(
  broken: readonly Broken[],
  placeOf: (first: Broken) => string,
  { canvas, keptAt }: Pick<TerminalOptions, "canvas" | "keptAt">,
): readonly string[] {
  const [first] = broken;
  if (first === undefined) return [];
  const kept = keptAt("broken");
  const message = wrapped(printable(first.message), canvas.width - 4).map((line) => `    ${line}`);
  return [
    rule(`! broken in ${counted(broken.length, "run")}`, canvas),
    `  ${printable(placeOf(first))}:`,
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

/** `1.2 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
