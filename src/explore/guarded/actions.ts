import type { Action, CrashPoint, DecisionFlaw, PolicySetting } from "../../model/vocabulary.js";
import { decisionFlaws } from "../../model/vocabulary.js";
import type { World } from "../../model/world.js";
import { inOrder, requestsOf, submittedOf } from "./projection.js";
import type { CallPlan, GuardedWorkload } from "./workload.js";

/** What can happen to one call; slots count its attempts that wait, requests those that were opened for it. */
export type CallAction =
  | { readonly kind: "submit"; readonly request: number; readonly plan: number }
  | { readonly kind: "advance" | "cancel" | "expire"; readonly slot: number }
  | { readonly kind: "crash_at"; readonly slot: number; readonly at: CrashPoint }
  | { readonly kind: "crash_entering"; readonly request: number; readonly at: CrashPoint }
  | { readonly kind: "approve" | "deny"; readonly request: number; readonly flaw: DecisionFlaw }
  | { readonly kind: "take_right" | "give_right" };

/** What happens to all calls at once. */
export type SharedAction =
  | { readonly kind: "tick" | "crash" | "restart" }
  | { readonly kind: "change_policy"; readonly to: PolicySetting };

export type GuardedAction = CallAction | SharedAction;

export const guardedActionKinds: readonly GuardedAction["kind"][] = [
  "submit",
  "advance",
  "cancel",
  "expire",
  "crash_at",
  "crash_entering",
  "approve",
  "deny",
  "take_right",
  "give_right",
  "tick",
  "crash",
  "restart",
  "change_policy",
];

/** Everything that may ever happen to a call, whether it can at a given moment or not. */
export function callActions(workload: GuardedWorkload): readonly CallAction[] {
  const { attempts, calls, faultPlans, profile } = workload;
  const requests = indices(Math.max(...calls.map((call) => call.requests.length)));
  const slots = indices(attempts);
  const points = workload.crashes === "possible" ? profile.crashPoints : [];
  const flaws = workload.flaws === "possible" ? decisionFlaws : (["none"] as const);
  return [
    ...requests.flatMap((request) =>
      faultPlans.map((_, plan): CallAction => ({ kind: "submit", request, plan })),
    ),
    ...slots.map((slot): CallAction => ({ kind: "advance", slot })),
    ...(workload.cancels === "possible" ? slots.map((slot): CallAction => ({ kind: "cancel", slot })) : []),
    ...slots.map((slot): CallAction => ({ kind: "expire", slot })),
    ...slots.flatMap((slot) => points.map((at): CallAction => ({ kind: "crash_at", slot, at }))),
    ...requests.flatMap((request) =>
      points.map((at): CallAction => ({ kind: "crash_entering", request, at })),
    ),
    // No attempt opens more than one request.
    ...slots.flatMap((request) =>
      (["approve", "deny"] as const).flatMap((kind) =>
        flaws.map((flaw): CallAction => ({ kind, request, flaw })),
      ),
    ),
    ...(workload.rights === "change"
      ? [{ kind: "take_right" } as const, { kind: "give_right" } as const]
      : []),
  ];
}

export function sharedActions({ settings, crashes }: GuardedWorkload): readonly SharedAction[] {
  return [
    { kind: "tick" },
    ...settings.map((to): SharedAction => ({ kind: "change_policy", to })),
    ...(crashes === "possible" ? [{ kind: "crash" } as const, { kind: "restart" } as const] : []),
  ];
}

function indices(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** The action as the machine and an executor take it, in the names of this world; `none` where it cannot be. */
export function actionIn(
  world: World,
  call: CallPlan,
  action: GuardedAction,
  workload: GuardedWorkload,
): Action | "none" {
  if ("slot" in action) {
    const attempt = inOrder(world, call)[action.slot]?.name;
    if (attempt === undefined) return "none";
    return action.kind === "crash_at"
      ? { kind: "crash", where: { kind: "at", attempt, at: action.at } }
      : { kind: action.kind, attempt };
  }
  switch (action.kind) {
    case "submit":
      return entry(world, call, workload, action);
    case "crash_entering": {
      const entering = entry(world, call, workload, { request: action.request, plan: 0 });
      return entering === "none"
        ? "none"
        : { kind: "crash", where: { kind: "entering", entry: entering, at: action.at } };
    }
    case "approve":
    case "deny": {
      const request = requestsOf(world, call.context)[action.request]?.number;
      const decision = `d${world.decisionsMade + 1}` as const;
      const { kind, flaw } = action;
      return request === undefined ? "none" : { kind, decision, request, flaw, pace: "at_once" };
    }
    case "take_right":
    case "give_right": {
      const { capability } = call;
      return { kind: "set_capability", capability, held: action.kind === "give_right" };
    }
    case "tick":
      return { kind: "advance_clock", by: 1 };
    case "change_policy":
      return action.to.kind === "remove" && world.policy.kind === "missing"
        ? "none"
        : { kind: "change_policy", to: action.to };
    case "crash":
      return { kind: "crash", where: { kind: "parked" } };
    case "restart":
      return { kind: "restart" };
  }
}

function entry(
  world: World,
  call: CallPlan,
  { attempts, faultPlans }: GuardedWorkload,
  { request, plan }: { readonly request: number; readonly plan: number },
): Extract<Action, { kind: "submit" }> | "none" {
  const text = call.requests[request];
  if (text === undefined || submittedOf(world, call) >= attempts) return "none";
  return {
    kind: "submit",
    attempt: `a${world.attempts.length + 1}`,
    request: text,
    context: call.context,
    faults: faultPlans[plan] ?? [],
  };
}

/** How a path tells the action. */
export function guardedActionName(action: GuardedAction, { faultPlans }: GuardedWorkload): string {
  switch (action.kind) {
    case "submit": {
      const plan = JSON.stringify(faultPlans[action.plan] ?? []);
      const request = action.request === 0 ? "submit" : "submit changed arguments";
      return plan === "[]" ? request : `${request} with ${plan}`;
    }
    case "advance":
    case "cancel":
    case "expire":
      return `${action.kind} attempt ${action.slot + 1}`;
    case "crash_at":
      return `crash at ${action.at} of attempt ${action.slot + 1}`;
    case "crash_entering":
      return `crash at ${action.at} of a new attempt`;
    case "approve":
    case "deny": {
      const wrong = action.flaw === "none" ? "" : `, wrong in its ${action.flaw}`;
      return `${action.kind} request ${action.request + 1}${wrong}`;
    }
    case "take_right":
      return "take the right away";
    case "give_right":
      return "give the right";
    case "change_policy":
      return action.to.kind === "remove" ? "remove the policy" : `set the limit to ${action.to.maxCopies}`;
    default:
      return action.kind;
  }
}
