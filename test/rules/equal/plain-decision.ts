import type { RuleDecision } from "../../../src/rules/decision.js";
import type { CallReading } from "./whole-trace.js";

/** A decision without its details, for comparison. */
export type PlainDecision = {
  readonly verdict: RuleDecision["verdict"];
  readonly code: string;
  readonly hint: string;
  /** `code rule`, in the decision's order. */
  readonly refused: readonly string[];
  readonly doubted: readonly string[];
};

/** What the product decided. */
export function plainDecision(decision: RuleDecision): PlainDecision {
  const { verdict, code } = decision;
  switch (decision.verdict) {
    case "allow":
      return { verdict, code, hint: decision.hint, refused: [], doubted: [] };
    case "block": {
      const refused = [decision.first, ...decision.alsoViolated].map((each) => `${each.code} ${each.rule}`);
      return {
        verdict,
        code,
        hint: "none",
        refused: once(refused),
        doubted: once(decision.doubts.map(told)),
      };
    }
    case "inconclusive": {
      const doubted = [decision.first, ...decision.alsoInDoubt].map(told);
      return { verdict, code, hint: "none", refused: [], doubted: once(doubted) };
    }
  }
}

/** What follows from the reading of the whole trace: a refusal before a doubt before a pass. */
export function expectedDecision({ refused, doubted, named }: CallReading): PlainDecision {
  const claims = {
    refused: refused.map(({ code, rule }) => `${code} ${rule}`),
    doubted: doubted.map(({ code, rule }) => `${code} ${rule}`),
  };
  const [refusal] = refused;
  if (refusal !== undefined) return { verdict: "block", code: refusal.code, hint: "none", ...claims };
  const [doubt] = doubted;
  if (doubt !== undefined) return { verdict: "inconclusive", code: doubt.code, hint: "none", ...claims };
  return { verdict: "allow", code: "allowed", hint: named ? "none" : "no_rule_names_this_tool", ...claims };
}

function told({ because, rule }: { readonly because: string; readonly rule: string }): string {
  return `${because} ${rule}`;
}

/** A rule that has two reasons of one code may say so once or twice. */
function once(claims: readonly string[]): readonly string[] {
  return [...new Set(claims)];
}
