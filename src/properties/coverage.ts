import { interpretFor, type ToolContract } from "../contract/tool.js";
import { step } from "../model/step.js";
import type { Action, AttemptName, Fault, PolicySetting, Profile } from "../model/vocabulary.js";
import { initialWorld, type World } from "../model/world.js";
import { canStandTogether, driverFaultsOf, faultsOf } from "./fault-plan.js";

/**
 * The transitions of the machine that one attempt can take: from every situation it can meet (its key free, taken
 * by the same or by other arguments; the policy moved on or gone), under every plan of up to two faults, with
 * cancels, crashes and retries, and what an idle or fallen executor can do. Found by walking the machine itself,
 * sorted. This is what a campaign's coverage is counted out of; a second attempt adds no transition of its own,
 * since attempts meet only in the store.
 */
export function reachableTransitions(
  profile: Profile,
  contract: ToolContract,
  policy: PolicySetting,
): readonly string[] {
  const found = new Set<string>();
  const walk = (world: World, action: Action): World | undefined => {
    const moved = step(world, action, interpretFor(contract));
    if (moved.kind === "refused") return undefined;
    for (const transition of moved.transitions) found.add(transition);
    return moved.world;
  };
  const start = initialWorld(profile, policy, contract.name);
  const request = contract.requests.valid(0, 0);
  for (const ready of situations(start, request, contract, walk)) {
    for (const faults of plansOf(profile))
      followAttempt(ready, submission("a2", request, faults), profile, walk);
  }
  for (const refused of refusedRequests(contract)) {
    for (const faults of plansOf(profile))
      followAttempt(start, submission("a1", refused, faults), profile, walk);
  }
  followIdle(start, profile, walk);
  return [...found].sort();
}

type Walk = (world: World, action: Action) => World | undefined;

function submission(attempt: AttemptName, request: string, faults: readonly Fault[]): Action {
  const context = { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" };
  return { kind: "submit", attempt, request, context, faults };
}

/** Worlds in which a first attempt left the key free, taken by the same arguments, or taken by others. */
function situations(start: World, request: string, contract: ToolContract, walk: Walk): readonly World[] {
  const worlds = [start];
  for (const earlier of [request, contract.requests.changed(request, 0)]) {
    const submitted = walk(start, submission("a1", earlier, []));
    const ended = submitted === undefined ? undefined : walk(submitted, { kind: "finish", attempt: "a1" });
    if (ended !== undefined) worlds.push(ended);
  }
  return worlds;
}

/** One request for each way in which the tool refuses one, and one that is valid but heavier than most policies allow. */
function refusedRequests(contract: ToolContract): readonly string[] {
  const byCode = new Map<string, string>();
  for (let pick = 0; pick < 200; pick++) {
    const request = contract.requests.invalid(pick);
    const facts = contract.interpret(request);
    if (facts.kind === "invalid" && !byCode.has(facts.code)) byCode.set(facts.code, request);
  }
  const valid = Array.from({ length: 200 }, (_, variant) => contract.requests.valid(0, variant));
  const weightOf = (request: string): number => {
    const facts = contract.interpret(request);
    return facts.kind === "valid" ? facts.weight : 0;
  };
  const heaviest = valid.reduce((best, next) => (weightOf(next) > weightOf(best) ? next : best));
  return [...byCode.values(), heaviest];
}

function plansOf(profile: Profile): readonly (readonly Fault[])[] {
  const faults = faultsOf(profile);
  const pairs = faults.flatMap((first, index) =>
    faults
      .slice(index + 1)
      .filter((second) => canStandTogether(first, second))
      .map((second) => [first, second]),
  );
  return [[], ...faults.map((fault) => [fault]), ...pairs];
}

/** Every way on from a submission, to its end. */
function followAttempt(world: World, submit: Action, profile: Profile, walk: Walk): void {
  if (submit.kind !== "submit") return;
  const { attempt } = submit;
  const withoutPolicy = walk(world, { kind: "change_policy", to: { kind: "remove" } });
  if (withoutPolicy !== undefined) walk(withoutPolicy, submit);
  const submitted = walk(world, submit);
  if (submitted === undefined) return;
  const open = [submitted];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    for (const action of interruptions(attempt, profile)) walk(here, action);
    for (const before of preparations(attempt)) {
      const prepared = walk(here, before);
      if (prepared !== undefined) followPrepared(prepared, attempt, profile, walk);
    }
    for (const action of moves(attempt)) {
      const next = walk(here, action);
      if (next !== undefined) open.push(next);
    }
  }
}

/** After a cancel or a change of policy the next move decides. */
function followPrepared(world: World, attempt: AttemptName, profile: Profile, walk: Walk): void {
  for (const action of [...moves(attempt), ...interruptions(attempt, profile)]) walk(world, action);
}

function moves(attempt: AttemptName): readonly Action[] {
  return [
    { kind: "advance", attempt },
    { kind: "expire", attempt },
  ];
}

function preparations(attempt: AttemptName): readonly Action[] {
  return [
    { kind: "cancel", attempt },
    { kind: "change_policy", to: { kind: "limit", maxCopies: 3 } },
  ];
}

function interruptions(attempt: AttemptName, profile: Profile): readonly Action[] {
  if (!profile.abilities.includes("crash")) return [];
  return [
    { kind: "crash", where: { kind: "parked" } },
    ...profile.crashPoints.map((at): Action => ({ kind: "crash", where: { kind: "at", attempt, at } })),
  ];
}

function followIdle(start: World, profile: Profile, walk: Walk): void {
  const settings: readonly PolicySetting[] = [{ kind: "remove" }, { kind: "limit", maxCopies: 3 }];
  for (const to of settings) walk(start, { kind: "change_policy", to });
  walk(start, { kind: "observe" });
  for (const fault of driverFaultsOf(profile)) {
    const armed = walk(start, { kind: "arm", fault });
    if (armed !== undefined) walk(armed, { kind: "disarm", fault });
  }
  const fallen = walk(start, { kind: "crash", where: { kind: "parked" } });
  if (fallen === undefined) return;
  walk(fallen, { kind: "observe" });
  walk(fallen, { kind: "restart" });
}
