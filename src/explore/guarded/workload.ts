import { contractFor, type ToolContract } from "../../contract/tool.js";
import type { Context, Fault, FaultKind, Grant, PolicySetting, Profile } from "../../model/vocabulary.js";
import { faultsOf } from "../../properties/fault-plan.js";

/** One call of the run, and the requests that its attempts may bring: the first, and others of another digest. */
export type CallPlan = {
  readonly context: Context;
  readonly requests: readonly string[];
  /** What the call takes. */
  readonly capability: Grant;
};

/** All that the guarded machine may do. Decisions, ticks, changes and crashes are not counted: a state holds none of their numbers. */
export type GuardedWorkload = {
  readonly name: string;
  /** As the executor claims it, with no other faults than those that may strike. */
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
  readonly faults: readonly FaultKind[];
  /** One or two calls of one run, in order of their steps. */
  readonly calls: readonly CallPlan[];
  /** Attempts of each call. */
  readonly attempts: number;
  /** Plans to submit under. */
  readonly faultPlans: readonly (readonly Fault[])[];
  readonly settings: readonly PolicySetting[];
  readonly cancels: "possible" | "none";
  readonly crashes: "possible" | "none";
  /** Whether the right to make a call may be lost and given again. */
  readonly rights: "change" | "stay";
  /** Whether decisions with something wrong about them are made, too. */
  readonly flaws: "possible" | "none";
};

export type GuardedBounds = {
  readonly calls: number;
  readonly attempts: number;
  readonly crashes: GuardedWorkload["crashes"];
};

type Subject = Pick<GuardedWorkload, "profile" | "contract" | "policy" | "faults">;

/** One call with all that can happen to it; with two calls also both in one step, and the second in the step after. */
export function guardedWorkloads(subject: Subject, bounds: GuardedBounds): readonly GuardedWorkload[] {
  return [
    oneCall(subject, bounds),
    ...(bounds.calls < 2 ? [] : [0, 1].map((step) => twoCalls(subject, bounds, step))),
  ];
}

/** A ticket: it has a key and is approved. Its second request differs in one argument. */
export function oneCall(
  subject: Subject,
  { attempts, crashes }: Omit<GuardedBounds, "calls">,
): GuardedWorkload {
  const { contract, policy } = subject;
  const ticket = callTo(contract, "create_ticket", { callId: "c-a1", step: 0 });
  const [first = ""] = ticket.requests;
  const changed = contractFor(contract, ticket.context).requests.changed(first, 0);
  return {
    ...basedOn(subject),
    name: "one call",
    // The third claims a right in its arguments, which no contract accepts.
    calls: [{ ...ticket, requests: [first, changed, first.replace(/\}\s*$/, ',"role":"ticket_approver"}')] }],
    attempts,
    crashes,
    settings: [policy, { kind: "remove" }],
    cancels: "possible",
    rights: "change",
    flaws: "possible",
  };
}

/** The ticket beside a notification, which has no key. */
export function twoCalls(
  subject: Subject,
  { attempts, crashes }: Omit<GuardedBounds, "calls">,
  step: number,
): GuardedWorkload {
  const { contract, policy } = subject;
  return {
    ...basedOn(subject),
    name: step === 0 ? "two calls of one step" : "two calls, one step after the other",
    calls: [
      callTo(contract, "create_ticket", { callId: "c-a1", step: 0 }),
      callTo(contract, "notify_oncall", { callId: "c-a2", step }),
    ],
    attempts,
    crashes,
    settings: [policy, { kind: "remove" }],
    cancels: "possible",
    rights: "change",
    flaws: "none",
  };
}

function basedOn({
  profile,
  contract,
  policy,
  faults,
}: Subject): Subject & Pick<GuardedWorkload, "faultPlans"> {
  const claimed = { ...profile, faults: profile.faults.filter((kind) => faults.includes(kind)) };
  return {
    profile: claimed,
    contract,
    policy,
    faults,
    faultPlans: [[], ...faultsOf(claimed).map((fault) => [fault])],
  };
}

function callTo(
  contract: ToolContract,
  tool: string,
  { callId, step }: { readonly callId: string; readonly step: number },
): CallPlan {
  const context: Context = {
    tenant: "t1",
    runId: "r1",
    callId,
    principal: "p1",
    dispatch: { tool, step, replaces: "none", sideEffects: "not_permitted" },
  };
  const named = contractFor(contract, context);
  const request = named.requests.valid(0, 0);
  const facts = named.interpret(request);
  const resource = facts.kind === "valid" ? (facts.tool?.resource ?? "") : "";
  return {
    context,
    requests: [request],
    capability: { principal: context.principal, tenant: context.tenant, tool, resource },
  };
}
