import type { ToolContract } from "../../contract/tool.js";
import type { Workload } from "../../model/enabled.js";
import type { Context, Fault, FaultKind, PolicySetting, Profile } from "../../model/vocabulary.js";
import { faultsOf } from "../../properties/fault-plan.js";
import { isDriverFault } from "../../sut/fault-kinds.js";

/** How much of everything an exploration allows. */
export type Bounds = {
  readonly attempts: number;
  readonly keys: number;
  readonly policyChanges: number;
  readonly crashes: number;
  /** Kinds of fault that may strike; each place and stage of a kind is a fault of its own. */
  readonly faults: readonly FaultKind[];
  /** How often a fault of the store's driver may be armed. */
  readonly arms: number;
  /** Attempts that may carry a fault in their plan. */
  readonly faultyAttempts: number;
};

/** A request of the bounded workload. `key` counts keys from 0, `variant` the arguments on one key. */
export type BoundedRequest =
  | { readonly kind: "valid"; readonly text: string; readonly key: number; readonly variant: number }
  | { readonly kind: "invalid"; readonly text: string };

/** All that the machine may do within the bounds. */
export type Bounded = {
  /** As the executor claims it, with no other faults than those of the bounds. */
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
  readonly bounds: Bounds;
  readonly requests: readonly BoundedRequest[];
  readonly keyNames: readonly string[];
  /** What the machine's own list of enabled actions is asked with. */
  readonly workload: Workload;
};

/** One call: whoever retries it is told apart by nothing but its attempt. */
export const onlyContext: Context = { tenant: "t1", runId: "r1", callId: "c-a1", principal: "p1" };

/**
 * The workload that an exploration walks: two different valid requests for each key, the lighter of which every
 * limit allows, one request that the contract refuses; the limit of the start, one that refuses the heavier
 * request, and no policy at all.
 */
export function boundedWorkload(
  { profile, contract, policy }: Pick<Bounded, "profile" | "contract" | "policy">,
  bounds: Bounds,
): Bounded {
  const valid = Array.from({ length: bounds.keys }, (_, key) => pairOnKey(contract, policy, key));
  const requests: readonly BoundedRequest[] = [
    ...valid.flatMap((pair, key) =>
      pair.map((text, variant): BoundedRequest => ({ kind: "valid", text, key, variant })),
    ),
    { kind: "invalid", text: contract.requests.invalid(0) },
  ];
  const claimed: Profile = {
    ...profile,
    faults: profile.faults.filter((kind) => bounds.faults.includes(kind)),
  };
  const faults = faultsOf(claimed);
  const planned = faults.filter((fault) => !isDriverFault(fault)).map((fault): readonly Fault[] => [fault]);
  return {
    profile: claimed,
    contract,
    policy,
    bounds,
    requests,
    keyNames: valid.map(([first = ""]) => keyOf(contract, first)),
    workload: {
      requests: requests.map(({ text }) => text),
      contexts: [onlyContext],
      faultPlans: [[], ...planned],
      driverFaults: faults.filter(isDriverFault),
      limits: limitsFor(contract, policy, valid[0]?.[0] ?? ""),
      maxAttempts: bounds.attempts,
      maxPolicyChanges: bounds.policyChanges,
      maxCrashes: bounds.crashes,
    },
  };
}

const variantsTried = 40;

/** The lightest request on a key and the heaviest other one that the policy of the start allows. */
function pairOnKey(contract: ToolContract, policy: PolicySetting, key: number): readonly [string, string] {
  const limit = policy.kind === "limit" ? policy.maxCopies : Number.POSITIVE_INFINITY;
  const weight = (request: string): number => weightOf(contract, request);
  const offered = Array.from({ length: variantsTried }, (_, variant) =>
    contract.requests.valid(key, variant),
  );
  const light = offered.reduce((best, next) => (weight(next) < weight(best) ? next : best));
  const others = Array.from({ length: variantsTried }, (_, pick) => contract.requests.changed(light, pick));
  const heavy = others
    .filter((request) => weight(request) <= limit)
    .reduce((best, next) => (weight(next) > weight(best) ? next : best), others[0] ?? light);
  return [light, heavy];
}

function limitsFor(contract: ToolContract, start: PolicySetting, light: string): readonly PolicySetting[] {
  const low: PolicySetting = { kind: "limit", maxCopies: weightOf(contract, light) };
  const none: PolicySetting = { kind: "remove" };
  if (start.kind === "remove") return [low, none];
  return start.maxCopies === low.maxCopies ? [start, none] : [start, low, none];
}

function weightOf(contract: ToolContract, request: string): number {
  const facts = contract.interpret(request);
  return facts.kind === "valid" ? facts.weight : 0;
}

function keyOf(contract: ToolContract, request: string): string {
  const facts = contract.interpret(request);
  return facts.kind === "valid" ? facts.key : "";
}
