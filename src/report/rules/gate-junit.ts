import type { Finding } from "../../rules/finding.js";
import type { Rule } from "../../rules/rule.js";
import { english } from "../../rules/wording/english.js";
import { error, type JunitCase, junitXml } from "../junit.js";
import type { GateResult } from "./gate-result.js";

/** A gate's result as JUnit XML: a suite for each trace with a case for each rule, and one for the gate as such. */
export function gateJunit(result: GateResult, ms: number): string {
  const { report, rules } = result;
  const byCase = new Map<string, Finding[]>();
  for (const finding of report.findings) {
    const key = caseKey(finding.trace.file, finding.trace.name, finding.rule);
    byCase.set(key, [...(byCase.get(key) ?? []), finding]);
  }
  const suites = report.judged.map(({ trace: { file, name } }) => ({
    name: `${file} trace ${name}`,
    ms: 0,
    cases: rules.map((rule) => ruleCase(rule, byCase.get(caseKey(file, name, rule.name)) ?? [], result)),
  }));
  return junitXml([...suites, { name: "rules gate", ms, cases: [gateCase(result)] }]);
}

function caseKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function ruleCase({ name }: Rule, findings: readonly Finding[], { verdict }: GateResult): JunitCase {
  const violations = findings.filter(({ kind }) => kind === "violation");
  const doubts = findings.filter(({ kind }) => kind === "inconclusive");
  const [first] = violations.length > 0 ? violations : doubts;
  if (first === undefined) return { name, result: { kind: "passed" } };
  const message = english.finding(first);
  if (first.kind === "inconclusive") return { name, result: { kind: "error", message, text: lines(doubts) } };
  // A baseline is a number: it does not say which of the violations it puts up with.
  if (verdict.kind === "within_baseline")
    return { name, result: { kind: "skipped", message: `within the baseline: ${message}` } };
  return { name, result: { kind: "failure", message, text: lines([...violations, ...doubts]) } };
}

function lines(findings: readonly Finding[]): string {
  return findings
    .map(
      (finding) => `${finding.at.file}:${finding.at.line}:${finding.at.column} ${english.finding(finding)}`,
    )
    .join("\n");
}

function gateCase({ verdict }: GateResult): JunitCase {
  const name = "the gate";
  if (verdict.kind !== "nothing_judged") return { name, result: { kind: "passed" } };
  const why = verdict.because === "no_rule" ? "no rule is enforced here" : "no trace has a call";
  return { name, result: error(`nothing was judged: ${why}`) };
}
