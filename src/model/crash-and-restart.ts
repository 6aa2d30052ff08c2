import { reconciled } from "./reservations.js";
import { isWaiting, laidToRest, type World } from "./world.js";

/** The executor is gone, and with it whatever was in flight; what is durable stays, and so do the armed faults. */
export function crash(world: World): World {
  const attempts = world.attempts.map((attempt) =>
    isWaiting(attempt) ? laidToRest(attempt, "lost") : attempt,
  );
  return { ...world, executor: "down", attempts, held: [], crashes: world.crashes + 1 };
}

/** The executor is back on the same store: no attempt is resumed, and a missing policy stays missing. Keys left reserved are settled first. */
export function restart(world: World): World {
  const settled = world.profile.abilities.includes("reconcile") ? reconciled(world) : world;
  return { ...settled, executor: "up" };
}
