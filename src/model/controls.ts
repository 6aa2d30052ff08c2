import { crash, restart } from "./crash-and-restart.js";
import { advance, lostWhileWaiting } from "./moves.js";
import { driverStage } from "./passage.js";
import { moved, refused, type Step } from "./stepped.js";
import type { CrashWhere, DriverFault, PolicySetting } from "./vocabulary.js";
import { inFlight, setPolicy, type World } from "./world.js";

/** What an operator does. An attempt that is under way notices at its commit. */
export function changePolicy(world: World, setting: PolicySetting): Step {
  const set = setPolicy(world.revision, setting);
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

/** Kills the executor as it stands, or at a point of an attempt's next move; a point not passed kills nothing. */
export function crashAt(world: World, where: CrashWhere): Step {
  if (where.kind === "at") return advance(world, where.attempt, where.at);
  const lost = inFlight(world).map(lostWhileWaiting);
  return moved(crash(world), lost.length === 0 ? ["idle crash:parked down"] : lost);
}

export function startAgain(world: World): Step {
  return world.executor === "up" ? refused("the executor is up") : moved(restart(world), ["down restart up"]);
}
