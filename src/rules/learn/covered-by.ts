import { type Assertion, type Condition, exits, type Rule } from "../rule.js";
import type { CandidateAssertion, Draft } from "./candidate.js";

/**
 * The name of the first existing rule that refuses, at both exits and without a change of severities, each call that the
 * candidate would refuse: about the same tool, and under a condition that holds wherever the candidate's does.
 */
export function coveredBy(draft: Draft, rules: readonly Rule[]): string | undefined {
  return rules.find(
    (rule) =>
      exits.every((exit) => rule.where[exit]) &&
      rule.severity !== "info" &&
      atLeastAsWide(rule.when, draft.when) &&
      rule.then.some((assertion) => refusesAsMuch(assertion, draft.claim)),
  )?.name;
}

function atLeastAsWide(existing: Condition, candidate: Condition): boolean {
  return (
    (existing.intentAny.length === 0 ||
      (candidate.intentAny.length > 0 &&
        candidate.intentAny.every((word) =>
          existing.intentAny.some((wider) => plain(word).includes(plain(wider))),
        ))) &&
    // Turn 1 is reached before any call.
    (existing.turnRange?.first ?? 1) <= (candidate.turnRange?.first ?? 1)
  );
}

function plain(word: string): string {
  return word.normalize("NFC").toLowerCase();
}

function refusesAsMuch(existing: Assertion, candidate: CandidateAssertion): boolean {
  switch (candidate.kind) {
    case "forbid_tool":
      return (
        (existing.kind === "forbid_tool" && existing.tools.includes(candidate.tool)) ||
        (existing.kind === "allow_tool" && !existing.tools.includes(candidate.tool))
      );
    case "max_tool_calls":
      return existing.kind === "max_tool_calls" && existing.most <= candidate.most;
    case "idempotent":
      // A key of fewer arguments is equal more often.
      return (
        existing.kind === "idempotent" &&
        existing.tool === candidate.tool &&
        existing.key.parts.every((part) => part.kind === "text" || candidate.key.includes(`\${${part.name}}`))
      );
  }
}
