import { compareWithBaseline } from "../../rules/baseline.js";
import type { GateReport } from "../../rules/gate.js";
import type { Rule, Severity } from "../../rules/rule.js";

/** What a gate says in the end; a baseline can only turn `violated` into `within_baseline`, never doubts into success. */
export type GateVerdict =
  | { readonly kind: "holds" }
  | { readonly kind: "violated" }
  /** There are violations, and no more than the baseline puts up with. */
  | { readonly kind: "within_baseline" }
  | { readonly kind: "inconclusive" }
  | { readonly kind: "nothing_judged"; readonly because: "no_rule" | "no_call" };

/** `not_adopted`: the file is not there yet. */
export type Baseline =
  | { readonly kind: "none" }
  | { readonly kind: "not_adopted"; readonly file: string }
  | { readonly kind: "adopted"; readonly file: string; readonly violations: number };

/** A judged set of traces, as every reporter of the gate takes it. */
export type GateResult = {
  readonly verdict: GateVerdict;
  readonly report: GateReport;
  /** The rules of this exit, in their order. */
  readonly rules: readonly Rule[];
  readonly baseline: Baseline;
};

/** The result of a gate; traces without a call are evidence only of what is owed when a conversation ends. */
export function gateResult(
  rules: readonly Rule[],
  report: GateReport,
  { baseline, enforced }: { readonly baseline: Baseline; readonly enforced: readonly Severity[] },
): GateResult {
  const here = rules.filter(({ where }) => where.ci);
  const failing = here.filter(({ severity }) => enforced.includes(severity));
  return { verdict: verdictOf(failing, report, baseline), report, rules: here, baseline };
}

function verdictOf(rules: readonly Rule[], { verdict, counts }: GateReport, baseline: Baseline): GateVerdict {
  if (rules.length === 0) return { kind: "nothing_judged", because: "no_rule" };
  const isOwed = rules.some(({ then }) => then.some(({ kind }) => owed.includes(kind)));
  if (counts.calls === 0 && !isOwed) return { kind: "nothing_judged", because: "no_call" };
  if (verdict !== "violated" || baseline.kind !== "adopted") return { kind: verdict };
  if (compareWithBaseline(counts.violations, baseline.violations) === "worse") return { kind: "violated" };
  return counts.inconclusive > 0 ? { kind: "inconclusive" } : { kind: "within_baseline" };
}

const owed: readonly string[] = ["require_tool", "memory_persistence"];
