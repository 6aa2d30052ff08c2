import { crash, restart } from "./crash-and-restart.js";
import { lostWhileWaiting } from "./moves.js";
import { driverStage } from "./passage.js";
import { reconciled, unreadable } from "./reservations.js";
import { moved, refused, type Step } from "./stepped.js";
import type { DriverFault, Grant, PolicySetting, RuleFlaw, RuleSetting } from "./vocabulary.js";
import { inFlight, setPolicy, type World } from "./world.js";

/** What an operator does. An attempt that is under way notices at its commit. */
export function changePolicy(world: World, setting: PolicySetting): Step {
  const set = setPolicy(world.revision, setting, world.profile);
  const changed = { ...world, ...set, policyChanges: world.policyChanges + 1 };
  return moved(changed, [`idle change_policy ${set.policy.kind}`]);
}

/** Puts a fault into the store's driver, for whoever passes its stage. */
export function arm(world: World, fault: DriverFault): Step {
  const stage = driverStage(fault);
  if (world.armed.some((other) => driverStage(other) === stage)) {
    return refused(`a fault is armed at ${stage} already`);
  }
  return moved({ ...world, armed: [...world.armed, fault] }, [`idle arm ${fault.kind} at ${stage}`]);
}

export function disarm(world: World, fault: DriverFault): Step {
  const stage = driverStage(fault);
  const isIt = (other: DriverFault): boolean => other.kind === fault.kind && driverStage(other) === stage;
  if (!world.armed.some(isIt)) return refused(`${fault.kind} is not armed at ${stage}`);
  const armed = world.armed.filter((other) => !isIt(other));
  return moved({ ...world, armed }, [`idle disarm ${fault.kind} at ${stage}`]);
}

/** Kills the executor as it stands. */
export function crashParked(world: World): Step {
  const lost = inFlight(world).map(lostWhileWaiting);
  return moved(crash(world), lost.length === 0 ? ["idle crash:parked down"] : lost);
}

/** The harness's clock is put forward; nothing happens by itself. */
export function advanceClock(world: World, by: number): Step {
  return moved({ ...world, clock: world.clock + by }, ["idle advance_clock"]);
}

/** A right is given or taken; whoever is under way meets it at its commit. */
export function setCapability(world: World, capability: Grant, held: boolean): Step {
  const others = world.capabilities.filter((other) => !sameGrant(other, capability));
  const capabilities = held ? [...others, capability] : others;
  return moved({ ...world, capabilities }, [`idle set_capability ${held ? "held" : "not_held"}`]);
}

/** A turn of the conversation begins. */
export function sayText(world: World, text: string): Step {
  return moved({ ...world, turns: [...world.turns, text] }, ["idle say"]);
}

/** A whole rule set takes the place of the one before. Whoever is under way has passed the rules already. */
export function changeRules(world: World, to: RuleSetting, flaw: RuleFlaw): Step {
  const answer = answerToRules(flaw);
  const set = answer === "taken" ? { ...world, rules: to, ruleChanges: world.ruleChanges + 1 } : world;
  return moved(set, [`idle change_rules ${answer}`]);
}

/** A text with anything wrong in it changes nothing, also where it holds no rule. */
export function answerToRules(flaw: RuleFlaw): "taken" | "refused" {
  return flaw === "none" ? "taken" : "refused";
}

/** What a crash or an error has left open is settled. */
export function reconcile(world: World): Step {
  return moved(reconciled(world), ["idle reconcile"]);
}

export function damageLedger(world: World): Step {
  return moved({ ...unreadable(world), damages: world.damages + 1 }, ["idle damage_ledger"]);
}

function sameGrant(one: Grant, other: Grant): boolean {
  return (
    one.principal === other.principal &&
    one.tenant === other.tenant &&
    one.tool === other.tool &&
    one.resource === other.resource
  );
}

export function startAgain(world: World): Step {
  return world.executor === "up" ? refused("the executor is up") : moved(restart(world), ["down restart up"]);
}
