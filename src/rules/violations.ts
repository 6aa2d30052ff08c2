import type { Doubt, MissingEvidence, Violation } from "./decision.js";
import type { Rule } from "./rule.js";

type Detail = Violation["detail"];

/** The records of what can be wrong with a call; the decision and the hindsight of the gate make them alike. */
export const violations = {
  duplicate: (rule: Rule, tool: string, template: string, key: string, outcome: "done" | "unknown") =>
    violation("duplicate_transaction", rule, { tool, template, key, outcome }),
  forbidden: (rule: Rule, tool: string) => violation("forbidden_tool", rule, { tool }),
  notAllowed: (rule: Rule, tool: string, allowed: readonly string[]) =>
    violation("tool_not_allowed", rule, { tool, allowed }),
  /** `calls` is the number of this call in its conversation, from 1. */
  tooMany: (rule: Rule, tool: string | undefined, calls: number, most: number) =>
    violation("too_many_calls", rule, { tool: tool ?? null, calls, most }),
};

export function doubt(because: MissingEvidence, rule: Rule, detail: Detail): Doubt {
  return { because, rule: rule.name, severity: rule.severity, detail };
}

function violation(code: Violation["code"], rule: Rule, detail: Detail): Violation {
  return { code, rule: rule.name, severity: rule.severity, detail };
}
