import type { CampaignReport, Counterexample, PromiseReport } from "../properties/verdict.js";
import { type FailureContext, failureLines, foundInRun } from "./failure.js";
import { paintFor, widest } from "./paint.js";
import { lacksWords } from "./promise-table.js";
import { xmlText } from "./xml.js";

/** One test as JUnit knows it. `failure`: a promise is broken. `error`: nothing was decided. */
export type JunitCase = {
  readonly name: string;
  readonly result:
    | { readonly kind: "passed" }
    | { readonly kind: "skipped"; readonly message: string }
    | { readonly kind: "failure" | "error"; readonly message: string; readonly text: string };
};

export type JunitSuite = { readonly name: string; readonly ms: number; readonly cases: readonly JunitCase[] };

/** Suites as one JUnit XML document. */
export function junitXml(suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="commitpoint" ${totals(all, sum(suites))}>`,
    ...suites.flatMap(suiteLines),
    "</testsuites>",
    "",
  ].join("\n");
}

/** A campaign as a suite: one case for each promise, and one for the campaign as such. */
export function campaignSuite(report: CampaignReport): JunitSuite {
  const { shard } = report;
  const part = shard.count === 1 ? "" : ` ${shard.index}/${shard.count}`;
  return {
    name: `${report.executor} seed ${report.seed}${part}`,
    ms: report.times.wallMs,
    cases: [
      ...report.promises.map((row) =>
        promiseCase(row, {
          violated: () => violation(row.promise, report),
          vacuous: () => vacuous(row.promise, report),
        }),
      ),
      campaignCase(report),
    ],
  };
}

/** How a promise is told that is violated or vacuous; the rest is the same for all reports. */
export type PromiseResults = {
  readonly violated: () => JunitCase["result"];
  readonly vacuous: () => JunitCase["result"];
};

export function promiseCase(
  { promise, verdict }: PromiseReport,
  { violated, vacuous }: PromiseResults,
): JunitCase {
  switch (verdict.kind) {
    case "holds":
      return { name: promise, result: { kind: "passed" } };
    case "violated":
      return { name: promise, result: violated() };
    case "broken":
    case "undecided":
      return { name: promise, result: error(`${verdict.kind}: ${verdict.reason}`) };
    case "vacuous":
      return { name: promise, result: vacuous() };
    case "not_checked":
      return {
        name: promise,
        result: { kind: "skipped", message: `not checked: ${lacksWords(verdict.lacks)}` },
      };
  }
}

function violation(promise: string, report: CampaignReport): JunitCase["result"] {
  const found = report.counterexamples.find((counterexample) => counterexample.promise === promise);
  return found === undefined
    ? { kind: "failure", message: "violated", text: "" }
    : failureOf(found, { foundWith: foundInRun(found, report) });
}

/** A broken promise with its timeline, without colours, for people who read it in their CI. */
export function failureOf(
  found: Counterexample,
  context: Omit<FailureContext, "kept" | "before">,
): JunitCase["result"] {
  const canvas = { paint: paintFor("plain"), width: widest };
  const lines = failureLines(found, { ...context, kept: undefined, before: [] }, canvas);
  return { kind: "failure", message: found.minimal.violation.sentence, text: lines.join("\n") };
}

function vacuous(promise: string, report: CampaignReport): JunitCase["result"] {
  const result = vacuousResult(promise, report.allowVacuous);
  if (result.kind === "error" && report.shard.count > 1) {
    return { kind: "skipped", message: "vacuous in this shard; judged when the shards are merged" };
  }
  return result;
}

/** Nothing was learned of a promise, which is an error unless it may be so. */
export function vacuousResult(promise: string, allowed: readonly string[]): JunitCase["result"] {
  return allowed.includes(promise)
    ? { kind: "skipped", message: "vacuous, which is allowed for this promise" }
    : error("vacuous: the situation that this promise guards never occurred");
}

function campaignCase(report: CampaignReport): JunitCase {
  const name = "the campaign";
  const [first] = report.broken;
  if (first !== undefined)
    return { name, result: error(`run ${first.run} broke: ${first.where}: ${first.message}`) };
  if (report.verdict === "nothing_executed" || report.verdict === "nothing_checked" || report.interrupted) {
    return { name, result: error(report.interrupted ? "interrupted" : report.verdict.replace("_", " ")) };
  }
  return { name, result: { kind: "passed" } };
}

/** Nothing was decided, and why. */
export function error(message: string): JunitCase["result"] {
  return { kind: "error", message, text: "" };
}

function suiteLines({ name, ms, cases }: JunitSuite): readonly string[] {
  return [
    `  <testsuite name="${xmlText(name)}" ${totals(cases, ms)}>`,
    ...cases.flatMap((test) => caseLines(test, name)),
    "  </testsuite>",
  ];
}

function caseLines({ name, result }: JunitCase, suite: string): readonly string[] {
  const head = `    <testcase name="${xmlText(name)}" classname="${xmlText(suite)}"`;
  switch (result.kind) {
    case "passed":
      return [`${head}/>`];
    case "skipped":
      return [`${head}>`, `      <skipped message="${xmlText(result.message)}"/>`, "    </testcase>"];
    case "failure":
    case "error": {
      // Line ends stay line ends here: this text is read by people.
      const text = result.text.split("\n").map(xmlText).join("\n");
      const tag = `<${result.kind} message="${xmlText(result.message)}"`;
      return [
        `${head}>`,
        text === "" ? `      ${tag}/>` : `      ${tag}>${text}</${result.kind}>`,
        "    </testcase>",
      ];
    }
  }
}

function totals(cases: readonly JunitCase[], ms: number): string {
  const count = (kind: JunitCase["result"]["kind"]) =>
    cases.filter(({ result }) => result.kind === kind).length;
  return (
    `tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" ` +
    `skipped="${count("skipped")}" time="${(ms / 1000).toFixed(3)}"`
  );
}

function sum(suites: readonly JunitSuite[]): number {
  return suites.reduce((total, { ms }) => total + ms, 0);
}
