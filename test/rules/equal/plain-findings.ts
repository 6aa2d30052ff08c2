import type { GateReport } from "../../../src/rules/gate.js";
import { type Rule, type Severity, severities } from "../../../src/rules/rule.js";
import type { Trace } from "../../../src/rules/trace.js";
import { wholeTrace } from "./whole-trace.js";

/** What the gate has found, as `line kind code rule`, each once and sorted. */
export function plainFindings({ findings }: GateReport): readonly string[] {
  return onceInOrder(findings.map(({ at, kind, code, rule }) => `${at.line} ${kind} ${code} ${rule}`));
}

/** What it should find by the third evaluator, of rules whose severity is enforced and, as notes, of the others. */
export function expectedFindings(rules: readonly Rule[], trace: Trace, enforced: readonly Severity[]) {
  const ofEnforced = wholeTrace(rules, trace, { exit: "ci", severities: enforced });
  const ofOthers = wholeTrace(rules, trace, {
    exit: "ci",
    severities: severities.filter((severity) => !enforced.includes(severity)),
  });
  const late = ofEnforced.calls.flatMap(({ line, hindsight }) =>
    hindsight.map(({ code, rule }) => `${line} hindsight ${code} ${rule}`),
  );
  const notes = shortcomings(ofOthers).map(({ line, code, rule }) => `${line} note ${code} ${rule}`);
  const failing = shortcomings(ofEnforced).map(
    ({ line, kind, code, rule }) => `${line} ${kind} ${code} ${rule}`,
  );
  return onceInOrder([...failing, ...late, ...notes]);
}

function shortcomings({ calls, owed }: ReturnType<typeof wholeTrace>) {
  const ofCalls = calls.flatMap(({ line, refused, doubted }) => [
    ...refused.map((claim) => ({ ...claim, line, kind: "violation" })),
    ...doubted.map((claim) => ({ ...claim, line, kind: "inconclusive" })),
  ]);
  return [...ofCalls, ...owed];
}

function onceInOrder(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)].toSorted();
}
