import type { Completeness, ExploreReport, SchedulesReport } from "../explore/report.js";
import { howFound } from "./exploration.js";
import { searchName } from "./exploration-machine.js";
import { scheduleLines } from "./exploration-schedules.js";
import { faultsText, outcomeText } from "./exploration-verdict.js";
import { error, failureOf, type JunitCase, type JunitSuite, promiseCase, vacuousResult } from "./junit.js";
import { paintFor, widest } from "./paint.js";
import { counted } from "./text.js";

/** An exploration as a JUnit suite: one case for each promise, one for each search, and one for the exploration as such. */
export function explorationSuite(report: ExploreReport): JunitSuite {
  const { executor, profile, seed } = report;
  const subject = executor === "none" ? `machine of ${profile}` : executor;
  return {
    name: `explore ${subject} seed ${seed}`,
    ms: report.times.wallMs,
    cases: [
      ...report.promises.map((row) =>
        promiseCase(row, {
          violated: () => violation(row.promise, report),
          vacuous: () => vacuousResult(row.promise, report.allowVacuous),
        }),
      ),
      ...searchCases(report),
      explorationCase(report),
    ],
  };
}

function violation(promise: string, report: ExploreReport): JunitCase["result"] {
  const found = report.counterexamples.find((counterexample) => counterexample.promise === promise);
  return found === undefined
    ? { kind: "failure", message: "violated", text: "" }
    : failureOf(found, howFound(found, report));
}

function searchCases({ machine, edges, schedules }: ExploreReport): readonly JunitCase[] {
  return [
    ...machine.map((search) => ({
      name: `machine: ${searchName(search)}`,
      result: resultOf(search.outcome),
    })),
    ...edges.map(({ faults, outcome, walked, reachable }) => ({
      name: `edges: ${faultsText(faults)}`,
      result:
        outcome.kind === "complete" && walked < reachable
          ? error(`${counted(reachable - walked, "edge")} could not be walked`)
          : resultOf(outcome),
    })),
    ...schedules.map((report) => ({ name: `schedules: ${report.workload}`, result: scheduleResult(report) })),
  ];
}

function resultOf(outcome: Completeness): JunitCase["result"] {
  return outcome.kind === "complete" ? { kind: "passed" } : error(outcomeText(outcome));
}

/** What cannot be relied on is told at length: how to find it again stands nowhere else. */
function scheduleResult(report: SchedulesReport): JunitCase["result"] {
  const { audit, nondeterminism, outcome } = report;
  if (audit.differences.length === 0 && nondeterminism.length === 0) return resultOf(outcome);
  const message =
    nondeterminism.length > 0
      ? "not deterministic: the same schedule showed something else the second time"
      : "the footprints leave something out: schedules may be missing";
  const lines = scheduleLines([report], { paint: paintFor("plain"), width: widest });
  return { kind: "error", message, text: lines.join("\n") };
}

function explorationCase({ broken, interrupted, verdict }: ExploreReport): JunitCase {
  const name = "the exploration";
  const [first] = broken;
  if (first !== undefined) return { name, result: error(`broken: ${first.where}: ${first.message}`) };
  if (interrupted) return { name, result: error("interrupted") };
  if (verdict === "nothing_checked") return { name, result: error("nothing checked") };
  return { name, result: { kind: "passed" } };
}
