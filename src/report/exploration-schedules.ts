import type { SchedulesReport } from "../explore/report.js";
import { outcomeSign } from "./exploration-machine.js";
import { outcomeText } from "./exploration-verdict.js";
import type { Canvas } from "./paint.js";
import { clipped, counted, grouped, length, padded, printable, wrapped } from "./text.js";

/** The schedules of each workload that were executed, what the audit of the footprints found, and what was not the same twice. */
export function scheduleLines(schedules: readonly SchedulesReport[], canvas: Canvas): readonly string[] {
  if (schedules.length === 0) return [];
  const room = Math.max(...schedules.map(({ workload }) => length(workload)), "schedules of".length);
  return [
    canvas.paint.dim(`    ${padded("schedules of", room)}  outcome`),
    ...schedules.flatMap((report) => workloadLines(report, room, canvas)),
  ];
}

function workloadLines(report: SchedulesReport, room: number, canvas: Canvas): readonly string[] {
  const { paint } = canvas;
  const { workload, outcome, audit, nondeterminism, footprints, sampled } = report;
  const isUnreliable = audit.differences.length > 0 || nondeterminism.length > 0;
  const sign = isUnreliable ? paint.red("✗") : outcomeSign(outcome, paint);
  const withoutFootprints =
    "no footprints are reported: every step counts as dependent on every other, so nothing is left out";
  return [
    `  ${sign} ${padded(printable(workload), room)}  ${outcomeText(outcome)}`,
    ...below(`threads: ${report.threads.map(printable).join(", ")}`, canvas),
    ...below(executionsText(report), canvas),
    ...below(footprints === "none" ? withoutFootprints : auditText(audit), canvas),
    ...(sampled === "not_needed" ? [] : sampleLines(sampled, canvas)),
    ...nondeterminism.flatMap((difference) => nondeterminismLines(difference, report.threads, canvas)),
    ...differenceLines(audit.differences, canvas),
  ];
}

function below(text: string, { width }: Canvas): readonly string[] {
  return wrapped(text, width - 6).map((line) => `      ${line}`);
}

function executionsText({ executions, states }: SchedulesReport): string {
  const { complete, blocked, repeated } = executions;
  const all = complete + blocked;
  const share = all === 0 ? "" : ` (${((blocked * 100) / all).toFixed(1)} %)`;
  return [
    counted(complete, "complete execution"),
    `${grouped(blocked)} blocked${share}`,
    `${grouped(repeated)} repeated`,
    counted(states, "final state"),
  ].join(", ");
}

function auditText({ audited, unaudited, differences }: SchedulesReport["audit"]): string {
  if (audited + unaudited === 0) return "audit: no two steps are independent by their footprints";
  const left = unaudited === 0 ? "" : `, ${grouped(unaudited)} not audited`;
  const found = differences.length === 0 ? "no difference" : counted(differences.length, "difference");
  return `audit: ${counted(audited, "kind of pair", "kinds of pairs")} made in both orders${left}: ${found}`;
}

type Sampled = Exclude<SchedulesReport["sampled"], "not_needed">;

const strategyNames = { random_walk: "random walk", pos: "POS", pct: "PCT" } as const;

function sampleLines({ size, samples }: Sampled, canvas: Canvas): readonly string[] {
  const error = size.standardError === undefined ? "" : `, standard error ${approximate(size.standardError)}`;
  const estimate =
    size.walks === 0
      ? "how many schedules there are was not estimated"
      : `about ${approximate(size.schedules)} schedules in all (estimated by ${counted(size.walks, "random walk")}${error})`;
  return [
    ...below(estimate, canvas),
    ...samples.flatMap(({ strategy, executions, traces, states, violations }) => {
      const [first, ...others] = violations;
      const more = others.length === 0 ? "" : ` and ${counted(others.length, "other")}`;
      const found =
        first === undefined
          ? "no violation"
          : `${printable(first.text)} after ${grouped(first.executions)}${more}`;
      const counts = `${counted(executions, "execution")}, ${counted(traces, "trace")}, ${counted(states, "final state")}`;
      return below(`${padded(strategyNames[strategy], 13)}${counts}; ${found}`, canvas);
    }),
  ];
}

/** Beyond a million the digits say more than is known. */
function approximate(value: number): string {
  return value < 1e6 ? grouped(Math.round(value)) : value.toExponential(1);
}

type Nondeterminism = SchedulesReport["nondeterminism"][number];

function nondeterminismLines(
  { schedule, at, what, first, again }: Nondeterminism,
  threads: readonly string[],
  canvas: Canvas,
): readonly string[] {
  const { paint } = canvas;
  const named = schedule.map((thread) => printable(threads[thread] ?? `thread ${thread}`));
  const where = at >= schedule.length ? "at the end" : `at step ${at + 1}, of ${named[at] ?? "nobody"}`;
  return [
    `      ${paint.red(paint.bold("NOT DETERMINISTIC: the same schedule showed something else the second time"))}`,
    ...below(`schedule   ${named.join(" ")}`, canvas),
    ...below(`differs    ${where}: ${whatWords[what]}`, canvas),
    ...contrasted("first", first, "again", again, canvas),
  ];
}

const whatWords = {
  enabled: "which threads can move",
  label: "what the step does",
  footprint: "what the step touches",
  seen: "what was seen of the step",
  ending: "the state that is left behind",
  snapshot: "the state after both",
} as const;

const shownDifferences = 3;

function differenceLines(
  differences: SchedulesReport["audit"]["differences"],
  canvas: Canvas,
): readonly string[] {
  if (differences.length === 0) return [];
  const { paint } = canvas;
  const more = differences.length - shownDifferences;
  return [
    `      ${paint.red(paint.bold("THE FOOTPRINTS LEAVE SOMETHING OUT: schedules may be missing"))}`,
    ...differences
      .slice(0, shownDifferences)
      .flatMap(({ pair, what, first, second }) => [
        ...below(
          `${printable(pair[0])} and ${printable(pair[1])} are not independent: ${whatWords[what]}`,
          canvas,
        ),
        ...below(`after ${first.schedule.labels.map(printable).join(", ")}`, canvas),
        ...below(`and after ${second.schedule.labels.map(printable).join(", ")}`, canvas),
        ...contrasted("one", first.shown, "other", second.shown, canvas),
      ]),
    ...(more > 0 ? [`      and ${more} more; the JSON report has them all`] : []),
  ];
}

const before = 24;

/** Two texts from a little before the first character in which they differ: what comes earlier is the same. */
function contrasted(
  one: string,
  left: string,
  other: string,
  right: string,
  { width }: Canvas,
): readonly string[] {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  const from = Math.max(0, at - before);
  const cut = (text: string): string => clipped(`${from === 0 ? "" : "…"}${text.slice(from)}`, width - 17);
  return [`      ${padded(one, 11)}${cut(left)}`, `      ${padded(other, 11)}${cut(right)}`];
}
