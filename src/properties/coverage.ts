import { interpretFor, type ToolContract } from "../contract/tool.js";
import { step } from "../model/step.js";
import type { Action, AttemptName, Fault, PolicySetting, Profile } from "../model/vocabulary.js";
import { initialWorld, type World } from "../model/world.js";
import { followAttempt, followIdle, type Walk } from "./coverage-walks.js";
import { canStandTogether, faultsOf } from "./fault-plan.js";
import { followGuarded } from "./guarded-coverage.js";
import { followRuled } from "./rules-coverage.js";

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
  if (profile.layers.includes("approval")) {
    followGuarded(profile, contract, policy, walk);
    return [...found].sort();
  }
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
  if (profile.layers.includes("rules")) {
    followRuled(start, submission("a1", request, []), plansOf(profile), profile, walk);
  }
  return [...found].sort();
}

function submission(
  attempt: AttemptName,
  request: string,
  faults: readonly Fault[],
): Extract<Action, { kind: "submit" }> {
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
