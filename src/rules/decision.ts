import type { Json } from "../model/vocabulary.js";
import type { Severity } from "./rule.js";

/** Why a call is refused; of several that apply the first in this order is the decision's. */
export const violationCodes = [
  "duplicate_transaction",
  "forbidden_tool",
  "tool_not_allowed",
  "too_many_calls",
] as const;
export type ViolationCode = (typeof violationCodes)[number];

/** Why a rule cannot be decided for a call. */
export const missingEvidence = [
  /** Earlier turns or calls are not known and could switch the rule on or be the first of two. */
  "no_history",
  "unnamed_call",
  "no_arguments",
  "malformed_arguments",
  /** An argument that the key is made of is not among the arguments, or is no text, number or truth value. */
  "no_key",
  /** An earlier call that could not be read may have been the first of two. */
  "unread_call_before",
] as const;
export type MissingEvidence = (typeof missingEvidence)[number];

/** One rule that refuses a call. */
export type Violation = {
  readonly code: ViolationCode;
  readonly rule: string;
  readonly severity: Severity;
  /** Machine-readable: `tool`; `key` and `outcome` of a duplicate; `calls` and `most`; `allowed`. */
  readonly detail: Readonly<Record<string, Json>>;
};

/** One rule that would refuse a call if something were so that nobody can see. */
export type Doubt = {
  readonly because: MissingEvidence;
  readonly rule: string;
  readonly severity: Severity;
  readonly detail: Readonly<Record<string, Json>>;
};

/** The verdict about one call; unknown is never a pass. */
export type RuleDecision =
  /** `hint`: no rule names the tool, which is no proof that the call is safe. */
  | { readonly verdict: "allow"; readonly code: "allowed"; readonly hint: "none" | "no_rule_names_this_tool" }
  | {
      readonly verdict: "block";
      readonly code: ViolationCode;
      /** The one that gave the code. */
      readonly first: Violation;
      readonly alsoViolated: readonly Violation[];
      readonly doubts: readonly Doubt[];
    }
  | {
      readonly verdict: "inconclusive";
      readonly code: MissingEvidence;
      readonly first: Doubt;
      readonly alsoInDoubt: readonly Doubt[];
    };
