import type { ExploreReport } from "../explore/report.js";
import { edgeLines } from "./exploration-edges.js";
import { searchLines } from "./exploration-machine.js";
import { scheduleLines } from "./exploration-schedules.js";
import { explorationVerdict } from "./exploration-verdict.js";
import { type FailureContext, failureLines } from "./failure.js";
import type { Canvas } from "./paint.js";
import { promiseTable } from "./promise-table.js";
import { brokenLines, seconds, type TerminalOptions } from "./terminal.js";
import { counted, wrapped } from "./text.js";

/** An exploration as text for people; the last lines are the verdict. */
export function explorationText(report: ExploreReport, options: TerminalOptions): string {
  const { canvas, detail, keptAt } = options;
  const failures = report.counterexamples.flatMap((counterexample, at) => [
    ...failureLines(
      counterexample,
      {
        ...howFound(counterexample, report),
        kept: keptAt(counterexample.promise),
        before: report.counterexamples.slice(0, at),
      },
      canvas,
    ),
    "",
  ]);
  const lines = [
    ...(detail === "quiet" ? [] : summaryLines(report, options)),
    ...failures,
    ...brokenLines(report.broken, ({ where }) => where, options),
    ...verdictLines(report, canvas),
  ];
  return `${lines.join("\n")}\n`;
}

function summaryLines(report: ExploreReport, { canvas, detail }: TerminalOptions): readonly string[] {
  const sections = [
    headLines(report, canvas),
    searchLines(report.machine, { canvas, detail }),
    edgeLines(report.edges, canvas),
    scheduleLines(report.schedules, canvas),
    promiseTable(report.promises, {
      canvas,
      allowVacuous: report.allowVacuous,
      heading: "its situation",
      occurred: ({ occurredInRuns }) => (occurredInRuns > 0 ? "occurs" : "was not met"),
    }),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines) => [...lines, ""]);
}

function headLines(report: ExploreReport, { width }: Canvas): readonly string[] {
  const { executor, profile, seed, times } = report;
  const subject = executor === "none" ? "reference machine alone" : `executor ${executor}`;
  const parts = new Map<string, number>();
  for (const { part, wallMs } of times.parts) {
    const kind = part.split(":")[0] ?? part;
    parts.set(kind, (parts.get(kind) ?? 0) + wallMs);
  }
  const shares = [...parts].map(([kind, wallMs]) => `${kind} ${seconds(wallMs)}`).join(", ");
  return [
    `${subject}, profile ${profile}, seed ${seed}`,
    ...wrapped(`bounds: ${boundsText(report)}`, width),
    `in ${seconds(times.wallMs)}${shares === "" ? "" : ` (${shares})`}`,
  ];
}

function boundsText({ bounds, guarded, ruled }: ExploreReport): string {
  if (ruled !== undefined) {
    return [
      `at most ${counted(ruled.attempts, "attempt")} on 1 key`,
      "2 changes of the rules, 1 turn said, 1 damage of the ledger",
      counted(ruled.crashes, "crash", "crashes"),
      "a planned fault of the first attempt",
    ].join(", ");
  }
  if (guarded !== undefined) {
    const crashes = guarded.crashes === "possible" ? "any number of" : "no";
    return [
      `at most ${counted(guarded.calls, "call")} with ${counted(guarded.attempts, "attempt")} each`,
      "any number of decisions, ticks of the clock and changes of the policy",
      `${crashes} crashes`,
    ].join(", ");
  }
  const { attempts, keys, policyChanges, crashes, arms, faultyAttempts } = bounds;
  return [
    `at most ${counted(attempts, "attempt")} on ${counted(keys, "key")}`,
    counted(policyChanges, "change of the policy", "changes of the policy"),
    counted(crashes, "crash", "crashes"),
    `${counted(arms, "fault")} of the store armed`,
    `${counted(faultyAttempts, "attempt")} with a planned fault`,
  ].join(", ");
}

type Found = ExploreReport["counterexamples"][number];

/** How a counterexample of an exploration is told, wherever it is told. */
export function howFound(
  { foundBy, run, minimal }: Found,
  { seed }: ExploreReport,
): Omit<FailureContext, "kept" | "before"> {
  switch (foundBy) {
    case "machine":
      return {
        foundWith: "the search of the machine",
        doer: "the machine",
        howShort: `${counted(minimal.actions.length, "step")}, the way on which the search met it`,
      };
    case "edges":
      return { foundWith: `walk ${run} over the machine's edges` };
    case "schedules":
      return { foundWith: `execution ${run} of the schedules, seed ${seed}` };
  }
}

function verdictLines(report: ExploreReport, { paint, width }: Canvas): readonly string[] {
  const { text, tone } = explorationVerdict(report);
  const colour = { good: paint.green, open: paint.yellow, bad: paint.red }[tone];
  return wrapped(text, width).map((line) => paint.bold(colour(line)));
}
