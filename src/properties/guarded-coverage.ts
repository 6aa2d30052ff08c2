import type { ToolContract } from "../contract/tool.js";
import {
  type Action,
  type AttemptName,
  type Context,
  type Dispatch,
  decisionFlaws,
  decisionPoints,
  type Fault,
  type PolicySetting,
  type Profile,
} from "../model/vocabulary.js";
import { initialWorld, type World } from "../model/world.js";
import { followAttempt, followIdle, type Walk } from "./coverage-walks.js";
import { faultsOf } from "./fault-plan.js";

/**
 * Walks what one call of a profile with approvals can meet: every tool, with and without leave for side effects; its
 * request not yet made, waiting, granted, denied, revoked, expired, stale, or spent; its key taken; its run waiting or
 * ended; each single fault; every decision on its request, sound and flawed, at once, held and struck by a crash.
 */
export function followGuarded(
  profile: Profile,
  contract: ToolContract,
  policy: PolicySetting,
  walk: Walk,
): void {
  const start = initialWorld(profile, policy, contract.name, contract.toolbox?.capabilities);
  followIdle(start, profile, walk);
  const plans: readonly (readonly Fault[])[] = [[], ...faultsOf(profile).map((fault) => [fault])];
  for (const tool of contract.toolbox?.tools ?? []) {
    const [request, refused] = [tool.requests.valid(0, 0), tool.requests.invalid(0)];
    for (const sideEffects of ["permitted", "not_permitted"] as const) {
      const call = callTo(tool.name, { sideEffects });
      const first: Action = submit("a1", request, call, []);
      for (const faults of plans) {
        followAttempt(start, submit("a1", request, call, faults), profile, walk);
        followAttempt(start, submit("a1", refused, call, faults), profile, walk);
      }
      for (const world of situations(start, first, walk)) {
        followDecisions(world, walk);
        followOthers(world, contract, walk);
        for (const faults of plans) followAttempt(world, submit("a9", request, call, faults), profile, walk);
        const another = { ...call, callId: "c-other" };
        followAttempt(world, submit("a9", request, another, []), profile, walk);
        followAttempt(world, submit("a9", tool.requests.changed(request, 0), call, []), profile, walk);
        followAttempt(world, submit("a9", request, nextStep(another), []), profile, walk);
        followEntering(world, submit("a9", request, another, []), profile, walk);
      }
    }
  }
}

const plain: Dispatch = { tool: "draft", step: 0, replaces: "none", sideEffects: "not_permitted" };

function callTo(tool: string, given: Pick<Dispatch, "sideEffects">): Context {
  const dispatch = { ...plain, tool, ...given };
  return { tenant: "t1", runId: "r1", callId: "c-a1", principal: "p1", dispatch };
}

function nextStep(context: Context): Context {
  return { ...context, dispatch: { ...(context.dispatch ?? plain), step: 1 } };
}

function submit(
  attempt: AttemptName,
  request: string,
  context: Context,
  faults: readonly Fault[],
): Extract<Action, { kind: "submit" }> {
  return { kind: "submit", attempt, request, context, faults };
}

const finish: Action = { kind: "finish", attempt: "a1" };
const tick: Action = { kind: "advance_clock", by: 2 };
const change: Action = { kind: "change_policy", to: { kind: "limit", maxCopies: 3, approval: "required" } };

function decide(kind: "approve" | "deny" | "revoke", decision: "d1" | "d2"): Action {
  return { kind, decision, request: 1, flaw: "none", pace: "at_once" };
}

/** Where a call may stand when a further attempt of it, or of its neighbours, comes along. */
function situations(start: World, first: Action, walk: Walk): readonly World[] {
  const again: Action = { kind: "retry", attempt: "a2", of: "a1", faults: [] };
  const asked = [first, finish];
  const granted = [...asked, decide("approve", "d1")];
  const lists: readonly (readonly Action[])[] = [
    asked,
    granted,
    [...asked, decide("deny", "d1")],
    [...granted, decide("revoke", "d2")],
    [...asked, tick],
    [...granted, tick],
    [...granted, change],
    [...asked, tick, again, { kind: "finish", attempt: "a2" }],
    [...granted, again, { kind: "finish", attempt: "a2" }],
  ];
  return lists.map((list) => list.reduce((world, action) => walk(world, action) ?? world, start));
}

function followDecisions(world: World, walk: Walk): void {
  for (const kind of ["approve", "deny", "revoke"] as const) {
    for (const flaw of decisionFlaws) {
      walk(world, { kind, decision: "d9", request: 1, flaw, pace: "at_once" });
    }
    const held = walk(world, { kind, decision: "d9", request: 1, flaw: "none", pace: "held" });
    if (held === undefined) continue;
    walk(held, { kind: "settle", decision: "d9" });
    for (const at of decisionPoints)
      walk(held, { kind: "crash", where: { kind: "deciding", decision: "d9", at } });
  }
}

function followOthers(world: World, contract: ToolContract, walk: Walk): void {
  for (const tampered of [false, true]) walk(world, { kind: "round_trip", tampered });
  for (const held of [false, true]) {
    for (const capability of contract.toolbox?.capabilities.slice(0, 1) ?? []) {
      walk(world, { kind: "set_capability", capability, held });
    }
  }
  walk(world, { kind: "advance_clock", by: 1 });
  walk(world, { kind: "drive", attempt: "a9", of: "a1" });
}

/** A kill on the way to the first halt. */
function followEntering(
  world: World,
  entry: Extract<Action, { kind: "submit" }>,
  profile: Profile,
  walk: Walk,
): void {
  for (const at of profile.crashPoints)
    walk(world, { kind: "crash", where: { kind: "entering", entry, at } });
}
