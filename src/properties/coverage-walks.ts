import type { Action, AttemptName, PolicySetting, Profile } from "../model/vocabulary.js";
import type { World } from "../model/world.js";
import { driverFaultsOf } from "./fault-plan.js";

/** Takes a step and notes its transitions; undefined if it cannot be taken. */
export type Walk = (world: World, action: Action) => World | undefined;

/** Every way on from a submission, to its end. */
export function followAttempt(world: World, submit: Action, profile: Profile, walk: Walk): void {
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

/** What an operator can do while nobody moves, and a fall of the executor. */
export function followIdle(start: World, profile: Profile, walk: Walk): void {
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
