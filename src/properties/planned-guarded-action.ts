import { contractFor, type ToolContract } from "../contract/tool.js";
import { waitingRequests } from "../model/consent/rules.js";
import {
  type Action,
  type ActionKind,
  type AttemptName,
  type Context,
  type CrashPoint,
  type CrashWhere,
  type DecisionFlaw,
  type DecisionName,
  type Dispatch,
  decisionFlaws,
  decisionPoints,
  type Entry,
  type Fault,
  type PolicySetting,
} from "../model/vocabulary.js";
import type { Attempt, World } from "../model/world.js";
import type { Chooser } from "./chooser.js";
import { pickPlan } from "./fault-plan.js";
import type { GuardedMeans, GuardedSituation } from "./guarded-planner.js";

/** An action of this kind that applies there; undefined if there is none after all. */
export function planGuardedAction(
  kind: ActionKind,
  situation: GuardedSituation,
  means: GuardedMeans,
  pick: Chooser,
): Action | undefined {
  const { world, parked, blocked, cancellable, unarmed } = situation;
  switch (kind) {
    case "submit":
      return submission(situation, means, pick);
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
      return repetition(kind, situation, means, pick);
    case "advance":
    case "finish":
      return naming(kind, parked, pick);
    case "cancel":
      return naming(kind, cancellable, pick);
    case "expire":
      return naming(kind, blocked, pick);
    case "approve":
    case "deny":
    case "revoke":
      return decision(kind, situation, means, pick);
    case "settle": {
      const held = one(world.held, pick);
      return held === undefined ? undefined : { kind, decision: held.decision };
    }
    case "advance_clock":
      return { kind, by: 1 + pick(2) };
    case "set_capability":
      return capability(situation, means, pick);
    case "round_trip":
      return waitingRequests(world).length === 0 ? undefined : { kind, tampered: pick(2) === 0 };
    case "drive": {
      const of = latest(situation.over, pick);
      return of === undefined ? undefined : { kind, attempt: nextName(world), of: of.name };
    }
    case "change_policy":
      return { kind, to: pickPolicy(pick) };
    case "arm":
    case "disarm": {
      const fault = one(kind === "arm" ? unarmed : world.armed, pick);
      return fault === undefined ? undefined : { kind, fault };
    }
    case "crash":
      return { kind, where: crashWhere(situation, means, pick) };
    case "restart":
    case "observe":
      return { kind };
  }
}

function one<Item>(from: readonly Item[], pick: Chooser): Item | undefined {
  return from[pick(Math.max(1, from.length))];
}

/** The latest are the likelier to be in an interesting state. */
function latest<Item>(from: readonly Item[], pick: Chooser): Item | undefined {
  const length = Math.max(1, from.length);
  return from[from.length - 1 - Math.min(pick(length), pick(length))];
}

function nextName({ attempts }: World): AttemptName {
  return `a${attempts.length + 1}`;
}

function pickFaults(from: readonly Fault[], pick: Chooser): readonly Fault[] {
  return pick(100) < 70 ? [] : pickPlan(pick, from, pick(3) === 0 ? 2 : 1);
}

function submission({ world, over, ready }: GuardedSituation, means: GuardedMeans, pick: Chooser): Entry {
  const { can, faults } = means;
  const attempt = nextName(world);
  const tool = one(means.tools, pick) ?? means.contract;
  const isInvalid = can("invalid") && pick(8) === 0;
  const key = can("several_keys") ? pick(2) : 0;
  const request = isInvalid ? tool.requests.invalid(pick(1 << 16)) : tool.requests.valid(key, pick(2));
  const context = contextOf(attempt, tool, { world, can }, pick);
  const twin = can("changed") && pick(ready.length > 0 ? 4 : 10) === 0 ? twinOf(over, pick) : undefined;
  return { kind: "submit", attempt, request, context, ...twin, faults: pickFaults(faults, pick) };
}

/** An earlier call once more, but for another tenant, or for the tool that takes the same arguments. */
function twinOf(
  over: readonly Attempt[],
  pick: Chooser,
): Pick<Entry & { kind: "submit" }, "request" | "context"> | undefined {
  const earlier = latest(over, pick);
  const dispatch = earlier?.context.dispatch;
  if (earlier === undefined || dispatch === undefined) return undefined;
  const { request, context } = earlier;
  const other = { notify_oncall: "page_oncall", page_oncall: "notify_oncall" }[dispatch.tool];
  if (other === undefined || pick(3) === 0) {
    return { request, context: { ...context, tenant: context.tenant === "t1" ? "t2" : "t1" } };
  }
  return { request, context: { ...context, dispatch: { ...dispatch, tool: other } } };
}

function contextOf(
  attempt: AttemptName,
  tool: ToolContract,
  { world, can }: Pick<GuardedSituation, "world"> & Pick<GuardedMeans, "can">,
  pick: Chooser,
): Context {
  const plain: Dispatch = {
    tool: tool.name,
    step: can("steps") && pick(3) === 0 ? 1 : 0,
    replaces: "none",
    sideEffects: can("permitted") && pick(3) === 0 ? "permitted" : "not_permitted",
  };
  const context = {
    tenant: can("tenants") && pick(8) === 0 ? "t2" : "t1",
    runId: can("runs") && pick(8) === 0 ? "r2" : "r1",
    callId: `c-${attempt}`,
    principal: "p1",
    dispatch: plain,
  };
  const earlier = latest(world.attempts, pick);
  if (earlier === undefined) return context;
  const { tenant, runId, callId, dispatch = plain } = earlier.context;
  // Another tool, or the same again, under the id of an earlier call.
  if (can("changed") && pick(8) === 0)
    return { ...context, tenant, runId, callId, dispatch: { ...plain, step: dispatch.step } };
  const repairs = earlier.facts.kind === "invalid" && pick(2) === 0;
  if (!repairs) return context;
  return { ...context, tenant, runId, dispatch: { ...plain, step: dispatch.step, replaces: callId } };
}

function repetition(
  kind: "retry" | "retry_changed" | "resubmit_new_key",
  { world, over, ready }: GuardedSituation,
  { contract, can, faults, lateFaults }: GuardedMeans,
  pick: Chooser,
): Action | undefined {
  // Mostly a call that can go on, or one that is over; now and then one whose attempt is still under way.
  const others = over.length > 0 && pick(4) > 0 ? over : world.attempts;
  const first = kind === "retry" && ready.length > 0 && pick(3) > 0 ? one(ready, pick) : latest(others, pick);
  if (first === undefined) return undefined;
  const shared = {
    attempt: nextName(world),
    of: first.name,
    faults: pickFaults(kind === "retry" && pick(2) === 0 ? lateFaults : faults, pick),
  };
  if (kind === "retry" || first.facts.kind === "invalid") return { kind: "retry", ...shared };
  const { changed, rekeyed } = contractFor(contract, first.context).requests;
  const request =
    kind === "retry_changed"
      ? changed(first.request, pick(4))
      : rekeyed(first.request, can("several_keys") ? pick(2) : 0);
  return { kind, ...shared, request };
}

function naming(
  kind: "advance" | "finish" | "cancel" | "expire",
  from: readonly Attempt[],
  pick: Chooser,
): Action | undefined {
  const attempt = one(from, pick);
  return attempt === undefined ? undefined : { kind, attempt: attempt.name };
}

function decision(
  kind: "approve" | "deny" | "revoke",
  { world, open, granted, met }: GuardedSituation,
  { can }: GuardedMeans,
  pick: Chooser,
): Action | undefined {
  const undecided = met.length > 0 ? met : [...open, ...granted];
  const wanted = { approve: open, deny: undecided, revoke: granted }[kind];
  const row = wanted.length > 0 && pick(5) > 0 ? one(wanted, pick) : latest(world.consent.requests, pick);
  if (row === undefined) return undefined;
  const flaw: DecisionFlaw =
    can("flaws") && pick(5) === 0 ? (decisionFlaws[pick(decisionFlaws.length)] ?? "none") : "none";
  const pace = can("held") && pick(5) === 0 ? "held" : "at_once";
  const name: DecisionName = `d${world.decisionsMade + 1}`;
  return { kind, decision: name, request: row.number, flaw, pace };
}

function capability(
  { world }: GuardedSituation,
  { contract, tools }: GuardedMeans,
  pick: Chooser,
): Action | undefined {
  const every = contract.toolbox?.capabilities ?? [];
  const missing = every.filter((grant) => !world.capabilities.includes(grant));
  if (missing.length > 0 && pick(3) > 0) {
    const regained = one(missing, pick);
    return regained === undefined ? undefined : { kind: "set_capability", capability: regained, held: true };
  }
  const names = new Set(tools.map(({ name }) => name));
  const own = every.filter(
    (grant) => names.has(grant.tool) && grant.tenant === "t1" && world.capabilities.includes(grant),
  );
  const lost = one(own, pick);
  return lost === undefined ? undefined : { kind: "set_capability", capability: lost, held: false };
}

function crashWhere(situation: GuardedSituation, means: GuardedMeans, pick: Chooser): CrashWhere {
  const { world, parked, over } = situation;
  const held = one(world.held, pick);
  if (held !== undefined && pick(2) === 0) {
    return { kind: "deciding", decision: held.decision, at: decisionPoints[pick(2)] ?? "before_decision" };
  }
  if (world.attempts.length < 9 && pick(4) === 0) {
    const first = latest(over, pick);
    const entry: Entry =
      first !== undefined && pick(2) === 0
        ? { kind: "retry", attempt: nextName(world), of: first.name, faults: [] }
        : { ...submission(situation, means, pick), faults: [] };
    const at: CrashPoint = pick(2) === 0 ? "after_step" : "before_receipt";
    return { kind: "entering", entry, at };
  }
  const attempt = one(parked, pick);
  if (attempt === undefined || pick(4) === 0) return { kind: "parked" };
  const points = means.profile.crashPoints.filter((point) => mayPass(attempt, point));
  const at = one(points, pick);
  return at === undefined ? { kind: "parked" } : { kind: "at", attempt: attempt.name, at };
}

/** Whether an attempt standing there may pass the point on its next move. */
function mayPass({ place }: Attempt, point: CrashPoint): boolean {
  if (place.kind !== "parked" || point === "after_step") return false;
  if (point === "after_request") return place.at === "before_request";
  const inExecute = point === "inside_transaction" || point === "after_commit";
  return !inExecute || place.at === "before_business";
}

function pickPolicy(pick: Chooser): PolicySetting {
  const limits = [3, 3, 3, 3, 2, 4, 9, 1, 0];
  const maxCopies = limits[pick(limits.length + 1)];
  if (maxCopies === undefined) return { kind: "remove" };
  return pick(3) === 0 ? { kind: "limit", maxCopies, approval: "required" } : { kind: "limit", maxCopies };
}
