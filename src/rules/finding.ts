import type { Json } from "../model/vocabulary.js";
import type { MissingEvidence, ViolationCode } from "./decision.js";
import type { Region, Severity } from "./rule.js";

/** What an obligation at the end of a trace can fail by. */
export const obligationCodes = ["missing_tool", "forgotten"] as const;
export type ObligationCode = (typeof obligationCodes)[number];

/** Why an obligation cannot be judged, beside the reasons of a single call. */
export const obligationDoubts = ["fact_never_said", "nothing_said"] as const;
export type ObligationDoubt = (typeof obligationDoubts)[number];

/** What a finding is about. A `note` has the code of what it notes. */
export type FindingCode = ViolationCode | ObligationCode | MissingEvidence | ObligationDoubt;

/**
 * Something about one rule at one place of a trace. `violation` and `inconclusive` fail a gate; `hindsight` (the rule
 * switched on only after the call) and `note` (the rule's severity is not enforced) never do.
 */
export type Finding = {
  readonly kind: "violation" | "inconclusive" | "hindsight" | "note";
  readonly code: FindingCode;
  readonly rule: string;
  readonly severity: Severity;
  readonly trace: { readonly file: string; readonly name: string };
  /** From 1; 0 for an obligation of a trace without turns. */
  readonly turn: number;
  /** Undefined for an unnamed call, and for what is not about a tool. */
  readonly tool: string | undefined;
  readonly at: Region;
  /** As in `Violation` and `Doubt`; `fact`, `saidBy`, `stillAt` of a memory. */
  readonly detail: Readonly<Record<string, Json>>;
};
