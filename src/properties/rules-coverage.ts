import type { Action, Fault, Profile, RuleClaim } from "../model/vocabulary.js";
import { ruleFlaws } from "../model/vocabulary.js";
import type { World } from "../model/world.js";
import { followAttempt, type Walk } from "./coverage-walks.js";

type Submission = Extract<Action, { kind: "submit" }>;

/**
 * Walks what a profile with rules adds to one attempt: each rule that refuses it, its key to be reserved and free, taken,
 * or not to be read, every plan of faults meanwhile, and what can be done about rules and reservations.
 */
export function followRuled(
  start: World,
  submit: Submission,
  plans: readonly (readonly Fault[])[],
  profile: Profile,
  walk: Walk,
): void {
  const single = plans.filter(({ length }) => length <= 1);
  for (const claim of refusing) {
    const world = walk(start, rulesOf(claim));
    for (const faults of world === undefined ? [] : single) {
      followAttempt(world ?? start, { ...submit, faults }, profile, walk);
    }
  }
  const reserving = walk(start, rulesOf({ kind: "idempotent" }));
  if (reserving === undefined) return;
  for (const faults of plans) followAttempt(reserving, { ...submit, faults }, profile, walk);
  // An effect from before the rule is met by a call that has to reserve its key.
  const [done] = [walk(start, submit)].map((world) =>
    world === undefined ? undefined : walk(world, { kind: "finish", attempt: submit.attempt }),
  );
  const late = done === undefined ? undefined : walk(done, rulesOf({ kind: "idempotent" }));
  for (const faults of late === undefined ? [] : single) {
    followAttempt(late ?? start, { ...submit, attempt: "a2", faults }, profile, walk);
  }
  for (const world of takenKeys(reserving, submit, walk)) {
    for (const faults of single) followAttempt(world, { ...submit, attempt: "a2", faults }, profile, walk);
    followOperator(world, walk);
  }
  const forbidding = walk(start, rulesOf({ kind: "forbid" })) ?? start;
  for (const at of profile.crashPoints) {
    const entering: Action = { kind: "crash", where: { kind: "entering", entry: submit, at } };
    // One that is refused ends at once, so that it can be struck on the way to its end.
    for (const world of [reserving, forbidding]) walk(world, entering);
  }
  followOperator(start, walk);
}

const refusing: readonly RuleClaim[] = [
  { kind: "forbid" },
  { kind: "allow_others" },
  { kind: "budget", most: 0 },
];

function rulesOf(claim: RuleClaim): Action {
  return { kind: "change_rules", to: [{ name: "rule", saidAny: [], fromTurn: 0, claim }], flaw: "none" };
}

/** Worlds in which a first attempt holds the key, or has left it done, unknown, or not to be read. */
function takenKeys(reserving: World, submit: Submission, walk: Walk): readonly World[] {
  const held = walk(reserving, submit);
  const unsure = walk(reserving, { ...submit, faults: [{ kind: "throw_at", at: "after_commit" }] });
  const ended = [held, unsure].map((world) =>
    world === undefined ? undefined : walk(world, { kind: "finish", attempt: submit.attempt }),
  );
  const damaged = ended[0] === undefined ? undefined : walk(ended[0], { kind: "damage_ledger" });
  return [held, ...ended, damaged].filter((world) => world !== undefined);
}

function followOperator(world: World, walk: Walk): void {
  for (const flaw of ruleFlaws) walk(world, { kind: "change_rules", to: [], flaw });
  walk(world, { kind: "say", text: "status" });
  walk(world, { kind: "gate", flaw: "none" });
  walk(world, { kind: "reconcile" });
  walk(world, { kind: "damage_ledger" });
}
