import type { Json } from "../../src/model/vocabulary.js";
import type { RuleDecision } from "../../src/rules/decision.js";
import type { Exit, Rule, Severity } from "../../src/rules/rule.js";
import { ruleSet } from "../../src/rules/rule-set.js";
import { beginSession, type ProposedCall, type ReadLedger } from "../../src/rules/session.js";
import type { TracedArguments } from "../../src/rules/trace.js";

export const free: ReadLedger = () => "free";
const enforced: readonly Severity[] = ["critical", "warning"];

export function call(tool: string | undefined, given: Readonly<Record<string, Json>> = {}): ProposedCall {
  return { tool, arguments: { kind: "known", value: given } };
}

export function callWith(tool: string, given: TracedArguments): ProposedCall {
  return { tool, arguments: given };
}

export function begin(
  rules: readonly Rule[],
  history: "known" | "unknown" = "known",
  exit: Exit = "runtime",
) {
  return beginSession(ruleSet(rules, { exit, severities: enforced }), history);
}

/** The code, or all reasons as `code rule`, in order. */
export function reasons(decision: RuleDecision): readonly string[] {
  switch (decision.verdict) {
    case "allow":
      return [];
    case "block":
      return [
        ...[decision.first, ...decision.alsoViolated].map(({ code, rule: name }) => `${code} ${name}`),
        ...decision.doubts.map(({ because, rule: name }) => `${because} ${name}`),
      ];
    case "inconclusive":
      return [decision.first, ...decision.alsoInDoubt].map(({ because, rule: name }) => `${because} ${name}`);
  }
}

export function ask(
  rules: readonly Rule[],
  asked: ProposedCall,
  ledger: ReadLedger = free,
): readonly string[] {
  return reasons(begin(rules).decide(asked, ledger));
}
