import { crashDeciding, roundTrip, settleDecision, takeDecision } from "./consent/decisions.js";
import { driverAnswer, overAttempt } from "./consent/driver.js";
import { waitingRequests } from "./consent/rules.js";
import {
  advanceClock,
  arm,
  changePolicy,
  changeRules,
  crashParked,
  damageLedger,
  disarm,
  reconcile,
  sayText,
  setCapability,
  startAgain,
} from "./controls.js";
import { advance, cancel, enterInto, expire, finish, type Interpret, submit, submitAgain } from "./moves.js";
import { moved, refused, type Step } from "./stepped.js";
import { unreachable } from "./unreachable.js";
import type { Ability, Action, CrashWhere, Fault } from "./vocabulary.js";
import type { World } from "./world.js";

export type { Step } from "./stepped.js";

/** The world after an action, or why it cannot be done. `interpret` is the tool's contract, asked for new requests only. */
export function step(world: World, action: Action, interpret: Interpret): Step {
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
      return crashAt(world, action.where, interpret);
    case "restart":
      return startAgain(world);
    case "approve":
    case "deny":
    case "revoke":
      return takeDecision(world, action);
    case "settle":
      return settleDecision(world, action.decision);
    case "advance_clock":
      return advanceClock(world, action.by);
    case "set_capability":
      return setCapability(world, action.capability, action.held);
    case "round_trip":
      return waitingRequests(world).length === 0
        ? refused("nothing waits")
        : moved(world, [`idle round_trip ${roundTrip(world, action.tampered)}`]);
    case "drive":
      return drive(world, action, interpret);
    case "say":
      return sayText(world, action.text);
    case "change_rules":
      return changeRules(world, action.to, action.flaw);
    case "reconcile":
      return reconcile(world);
    case "damage_ledger":
      return damageLedger(world);
    case "gate":
      // Its verdicts are no part of the machine: it reads, and a promise decides whether it reads right.
      return moved(world, ["idle gate"]);
    case "observe":
      return moved(world, []);
    default:
      return unreachable(action);
  }
}

/** A point not passed kills nothing. */
function crashAt(world: World, where: CrashWhere, interpret: Interpret): Step {
  switch (where.kind) {
    case "parked":
      return crashParked(world);
    case "at":
      return advance(world, where.attempt, where.at);
    case "entering":
      return enterInto(world, where.entry, where.at, interpret);
    case "deciding":
      return crashDeciding(world, where.decision, where.at);
    default:
      return unreachable(where);
  }
}

/** The driver's next step with the call of an attempt that is over: nothing, or a further attempt. */
function drive(
  world: World,
  { attempt, of }: Extract<Action, { kind: "drive" }>,
  interpret: Interpret,
): Step {
  const over = overAttempt(world, of);
  if (over === "none") return refused(`${of} is not over`);
  if (driverAnswer(world, over) === "rests") return moved(world, ["idle drive rests"]);
  return submitAgain(world, { kind: "retry", attempt, of, faults: [] }, interpret);
}

/** The world without armed faults and without those that attempts under way still carry; a hung checker stays hung. */
export function clearFaults(world: World): World {
  const attempts = world.attempts.map((attempt) => ({
    ...attempt,
    // The copy is spoilt when the output stage begins, so from there on it is too late to take that back.
    faults: attempt.events.includes("output_started") ? attempt.faults.flatMap(spoiltAlready) : [],
  }));
  return { ...world, armed: [], attempts };
}

/** Of a value that would have been spoilt again, only the first was made before. */
function spoiltAlready(fault: Fault): readonly Fault[] {
  if (fault.kind === "spoilt_output") return [{ ...fault, tries: 1 }];
  return fault.kind === "bad_output" ? [fault] : [];
}

const needs: { readonly [kind in Action["kind"]]?: Ability } = {
  cancel: "cancel",
  change_policy: "policy",
  crash: "crash",
  approve: "approvals",
  deny: "approvals",
  revoke: "approvals",
  settle: "approvals",
  advance_clock: "clock",
  set_capability: "capabilities",
  round_trip: "round_trip",
  drive: "driver",
  say: "rules",
  change_rules: "rules",
  reconcile: "reconcile",
  damage_ledger: "reservations",
  gate: "rules",
};

/** What an action takes that the profile does not claim. */
function lacks({ profile }: World, action: Action): string {
  if (action.kind === "arm" && !profile.faults.includes(action.fault.kind)) return action.fault.kind;
  const need = needs[action.kind];
  return need === undefined || profile.abilities.includes(need) ? "nothing" : need;
}
