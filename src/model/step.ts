import { arm, changePolicy, crashAt, disarm, startAgain } from "./controls.js";
import { advance, cancel, expire, finish, submit, submitAgain } from "./moves.js";
import { moved, refused, type Step } from "./stepped.js";
import { unreachable } from "./unreachable.js";
import type { Ability, Action, Facts } from "./vocabulary.js";
import type { World } from "./world.js";

export type { Step } from "./stepped.js";

/** The world after an action, or why it cannot be done. `interpret` is the tool's contract, asked for new requests only. */
export function step(world: World, action: Action, interpret: (request: string) => Facts): Step {
  const lacking = lacks(world, action);
  if (lacking !== "nothing") return refused(`the profile does not claim ${lacking}`);
  if (world.executor === "down" && action.kind !== "restart" && action.kind !== "observe") {
    return refused("the executor is down");
  }
  switch (action.kind) {
    case "submit":
      return submit(world, action, interpret);
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
      return submitAgain(world, action, interpret);
    case "advance":
      return advance(world, action.attempt, "none");
    case "finish":
      return finish(world, action.attempt);
    case "cancel":
      return cancel(world, action.attempt);
    case "expire":
      return expire(world, action.attempt);
    case "change_policy":
      return changePolicy(world, action.to);
    case "arm":
      return arm(world, action.fault);
    case "disarm":
      return disarm(world, action.fault);
    case "crash":
      return crashAt(world, action.where);
    case "restart":
      return startAgain(world);
    case "observe":
      return moved(world, []);
    default:
      return unreachable(action);
  }
}

/** The world without armed faults and without those that attempts under way still carry; a hung checker stays hung. */
export function clearFaults(world: World): World {
  const attempts = world.attempts.map((attempt) => ({
    ...attempt,
    // The copy is spoilt when the output stage begins, so from there on it is too late to take that back.
    faults: attempt.events.includes("output_started")
      ? attempt.faults.filter(({ kind }) => kind === "bad_output")
      : [],
  }));
  return { ...world, armed: [], attempts };
}

const needs: { readonly [kind in Action["kind"]]?: Ability } = {
  cancel: "cancel",
  change_policy: "policy",
  crash: "crash",
};

/** What an action takes that the profile does not claim. */
function lacks({ profile }: World, action: Action): string {
  if (action.kind === "arm" && !profile.faults.includes(action.fault.kind)) return action.fault.kind;
  const need = needs[action.kind];
  return need === undefined || profile.abilities.includes(need) ? "nothing" : need;
}
