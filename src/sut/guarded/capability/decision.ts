import type { CapabilityPart } from "../../../model/vocabulary.js";

/** What a layer answers; only `allow` lets the call go on. */
export type Decision = {
  readonly action: "allow" | "ask" | "escalate" | "block";
  readonly reason: CapabilityReason;
  /** The policy that decided, or the fixed name of the rule that stands in where none did. */
  readonly policyId: string;
  /** Ids of all policies that decided or failed, sorted; never a name out of the request. */
  readonly evidence: readonly string[];
  readonly correlationId: string;
};

/**
 * `held`: a held grant fits and the policies permit it · a part: the first that no held grant fits · `policy`: a grant
 * fits, yet a policy forbids it or none permits it · `no_verdict`: the engine or the stored rows gave no readable answer.
 */
export type CapabilityReason = "held" | CapabilityPart | "policy" | "no_verdict";
