import type { ToolContract } from "../../contract/tool.js";
import type {
  Context,
  Fault,
  FaultKind,
  PolicySetting,
  Profile,
  RuleSetting,
} from "../../model/vocabulary.js";
import { faultsOf } from "../../properties/fault-plan.js";
import { onlyContext } from "../pipeline/bounded.js";

export type RuledBounds = {
  readonly attempts: number;
  readonly crashes: number;
};

/** All that the ruled machine may do, and how often. */
export type RuledWorkload = {
  /** As the executor claims it, with no other faults than those that may strike. */
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
  readonly faults: readonly FaultKind[];
  readonly bounds: RuledBounds;
  readonly requests: readonly string[];
  /** All attempts are of one call. */
  readonly context: Context;
  /** Plans to submit under; at most one attempt carries a fault. */
  readonly faultPlans: readonly (readonly Fault[])[];
  /** Each once, in any order. */
  readonly settings: readonly RuleSetting[];
  readonly texts: readonly string[];
};

/** How often each may happen, whatever the bounds. */
export const mostOf = { ruleChanges: 2, damages: 1, texts: 1 } as const;

/**
 * Calls of one key under rules that come and go: one transaction a key, always and once a word was said, and a rule that
 * forbids once it was said. Two requests, of the same key and of other arguments.
 */
export function ruledWorkload(
  { profile, contract, policy, faults }: Pick<RuledWorkload, "profile" | "contract" | "policy" | "faults">,
  bounds: RuledBounds,
): RuledWorkload {
  const claimed = { ...profile, faults: profile.faults.filter((kind) => faults.includes(kind)) };
  const first = contract.requests.valid(0, 0);
  const plans = faultsOf(claimed).map((fault): readonly Fault[] => [fault]);
  const word = "status";
  const rule = { name: "once", saidAny: [], fromTurn: 0, claim: { kind: "idempotent" } } as const;
  return {
    profile: claimed,
    contract,
    policy,
    faults,
    bounds,
    requests: [first, contract.requests.changed(first, 0)],
    context: onlyContext,
    faultPlans: [[], ...plans],
    settings: [
      [rule],
      [
        { ...rule, saidAny: [word] },
        { name: "never", saidAny: [word], fromTurn: 0, claim: { kind: "forbid" } },
      ],
    ],
    texts: [`${word}, please`],
  };
}
