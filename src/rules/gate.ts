import type { RuleDecision } from "./decision.js";
import type { Finding, FindingCode } from "./finding.js";
import { callsOf, type FoldedTrace, foldTrace, type PlacedCall, reasonsOf } from "./fold-trace.js";
import { hindsight } from "./hindsight.js";
import { type Obligations, obligations } from "./obligations.js";
import { type Rule, type Severity, severities } from "./rule.js";
import { type RuleSet, ruleSet } from "./rule-set.js";
import type { Trace } from "./trace.js";

/** Without any trace the verdict is `inconclusive`: nothing was judged. */
export type GateReport = {
  readonly verdict: "holds" | "violated" | "inconclusive";
  readonly counts: {
    readonly traces: number;
    readonly calls: number;
    readonly violations: number;
    readonly inconclusive: number;
    readonly hindsight: number;
    readonly notes: number;
  };
  /** By trace, then by call; obligations last. */
  readonly findings: readonly Finding[];
  /** For each trace the decision of the enforced rules on each of its calls, in order. */
  readonly judged: readonly { readonly trace: Trace; readonly decisions: readonly RuleDecision[] }[];
};

/** `severities`: those that fail the gate; critical and warning if not given. */
export type GateOptions = { readonly severities?: readonly Severity[] };

const enforcedByDefault: readonly Severity[] = ["critical", "warning"];

/**
 * Judges recorded traces by the decisions that the guard would have made before each call, and by what is owed when a
 * trace ends. It takes time for the calls and for what it finds.
 */
export function gate(
  rules: readonly Rule[],
  traces: readonly Trace[],
  options: GateOptions = {},
): GateReport {
  const enforced = options.severities ?? enforcedByDefault;
  const noted = severities.filter((severity) => !enforced.includes(severity));
  const sets = {
    enforced: ruleSet(rules, { exit: "ci", severities: enforced }),
    noted: ruleSet(rules, { exit: "ci", severities: noted }),
  };
  const judged = traces.map((trace) => judge(trace, sets));
  const findings = judged.flatMap((one) => one.findings);
  const count = (kind: Finding["kind"]) => findings.filter((finding) => finding.kind === kind).length;
  const counts = {
    traces: traces.length,
    calls: judged.reduce((sum, { decisions }) => sum + decisions.length, 0),
    violations: count("violation"),
    inconclusive: count("inconclusive"),
    hindsight: count("hindsight"),
    notes: count("note"),
  };
  return {
    verdict: verdictOf(counts),
    counts,
    findings,
    judged: judged.map(({ trace, decisions }) => ({ trace, decisions })),
  };
}

function verdictOf(counts: GateReport["counts"]): GateReport["verdict"] {
  if (counts.violations > 0) {
    return "violated";
  }
  return counts.inconclusive > 0 || counts.traces === 0 ? "inconclusive" : "holds";
}

/** A finding with the number of its call from 0; obligations come after all calls. */
type Sortable = { readonly index: number; readonly finding: Finding };

function judge(trace: Trace, sets: { readonly enforced: RuleSet; readonly noted: RuleSet }) {
  const calls = callsOf(trace);
  const owed = obligations(trace);
  const folded = foldTrace(sets.enforced, trace);
  const found = [
    findingsOf(trace, calls, sets.enforced, folded, owed),
    notesOf(trace, calls, sets.noted, owed),
    hindsight(calls, folded).map(({ index, violation }) => ({
      index,
      finding: findingAt(trace, calls, index, "hindsight", violation.code, violation),
    })),
  ].flat();
  found.sort((one, other) => one.index - other.index);
  return { trace, decisions: folded.decisions, findings: found.map(({ finding }) => finding) };
}

function findingsOf(
  trace: Trace,
  calls: readonly PlacedCall[],
  set: RuleSet,
  folded: FoldedTrace,
  owed: Obligations,
): readonly Sortable[] {
  const found: Sortable[] = [];
  folded.decisions.forEach((decision, index) => {
    const { violations, doubts } = reasonsOf(decision);
    for (const reason of violations) {
      found.push({ index, finding: findingAt(trace, calls, index, "violation", reason.code, reason) });
    }
    for (const reason of doubts) {
      found.push({ index, finding: findingAt(trace, calls, index, "inconclusive", reason.because, reason) });
    }
  });
  for (const one of set.rules) {
    for (const finding of folded.isActive(one) ? owed(one.rule) : []) {
      found.push({ index: calls.length, finding });
    }
  }
  return found;
}

/** Rules whose severity is not enforced are judged apart: no ledger key of theirs may fail another rule. */
function notesOf(
  trace: Trace,
  calls: readonly PlacedCall[],
  set: RuleSet,
  owed: Obligations,
): readonly Sortable[] {
  if (set.rules.length === 0) {
    return [];
  }
  return findingsOf(trace, calls, set, foldTrace(set, trace), owed).map(({ index, finding }) => ({
    index,
    finding: { ...finding, kind: "note" },
  }));
}

function findingAt(
  trace: Trace,
  calls: readonly PlacedCall[],
  index: number,
  kind: Finding["kind"],
  code: FindingCode,
  { rule, severity, detail }: Pick<Finding, "rule" | "severity" | "detail">,
): Finding {
  const placed = calls[index];
  if (placed === undefined) {
    throw new Error(`the trace ${trace.name} has ${calls.length} calls, and a decision on call ${index + 1}`);
  }
  const { turn, call } = placed;
  const { file, name } = trace;
  return { kind, code, rule, severity, trace: { file, name }, turn, tool: call.tool, at: call.at, detail };
}
