import type { RuleDecision, Violation } from "../decision.js";
import { english } from "../wording/english.js";

export type Refusal = Exclude<RuleDecision, { readonly verdict: "allow" }>;

/** A call was refused before its tool ran; branch on `code`, never on the text. */
export class ToolBlocked extends Error {
  override readonly name = "ToolBlocked";
  readonly code: Refusal["code"];
  /** A stable English sentence, the same as `message`. */
  readonly reason: string;
  readonly rule: string;
  readonly detail: Violation["detail"];
  /** The other rules that refuse the call. */
  readonly alsoViolated: readonly Violation[];

  constructor(readonly decision: Refusal) {
    const reason = english.decision(decision);
    super(reason);
    this.code = decision.code;
    this.reason = reason;
    this.rule = decision.first.rule;
    this.detail = decision.first.detail;
    this.alsoViolated = decision.verdict === "block" ? decision.alsoViolated : [];
  }
}
