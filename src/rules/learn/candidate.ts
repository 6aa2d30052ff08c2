import type { Condition, Region, Severity } from "../rule.js";

/** What a candidate claims: the kinds of assertion that can be seen in a trace. */
export type CandidateAssertion =
  /** `key` is a template as rule files spell it. */
  | { readonly kind: "idempotent"; readonly tool: string; readonly key: string }
  | { readonly kind: "forbid_tool"; readonly tool: string }
  | { readonly kind: "max_tool_calls"; readonly most: number };

/** A rule as it would be written; it holds at both exits. */
export type CandidateRule = {
  /** Safe as a file name, and unlike that of every other candidate and existing rule, letter case aside. */
  readonly name: string;
  readonly description: string;
  readonly severity: Severity;
  readonly when: Condition;
  readonly claim: CandidateAssertion;
};

/** One thing that was seen in a trace: `text` names turns and values and fits on one line. */
export type Evidence = { readonly text: string; readonly at: Region };

/** A rule that traces suggest; whether the step it refuses was the wrong one is for people to say. */
export type Candidate = {
  readonly rule: CandidateRule;
  /** From 0 to 1 in steps of 0.01, by the scale in `confidence.ts`. */
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  /** The existing rule that already refuses whatever this one would. */
  readonly coveredBy: string | undefined;
  /** What may be wrong with it, one sentence each. */
  readonly warnings: readonly string[];
};

/** A candidate before it is named and compared with existing rules. */
export type Draft = {
  readonly description: string;
  readonly when: Condition;
  readonly claim: CandidateAssertion;
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  readonly warnings: readonly string[];
};

export const always: Condition = { intentAny: [], turnRange: undefined };
