import { isOfCall } from "../passage.js";
import type { AttemptName } from "../vocabulary.js";
import type { Attempt, World } from "../world.js";
import { hasLiveGrant } from "./rules.js";

/** How often a call may be tried again that failed without a trace. */
const mostTries = 2;

/** Whether an executor's driver may try the call of an attempt that is over once more. */
export function driverAnswer(world: World, attempt: Attempt): "repeats" | "rests" {
  const { facts, context, name } = attempt;
  const isIdempotent = facts.kind === "valid" && (facts.tool?.effect === "read" || facts.key !== "");
  const receipt = world.receipts.find((one) => one.attempt === name);
  // Nobody knows what became of it: it may be tried again only where it can be asked about.
  if (receipt === undefined) return isIdempotent ? "repeats" : "rests";
  const { status, code, events, effectExists } = receipt;
  const met = effectExists || events.includes("effect_committed") || events.includes("effect_reused");
  switch (status) {
    case "policy_changed":
    case "error": {
      const failures = world.receipts.filter(
        (one) => isOfCall(one, context) && (one.status === "policy_changed" || one.status === "error"),
      );
      if (failures.length > mostTries) return "rests";
      return status === "error" && met && !isIdempotent ? "rests" : "repeats";
    }
    case "waiting_for_approval":
      return hasLiveGrant(world, context) ? "repeats" : "rests";
    case "approval_refused":
      return (code === "expired" || code === "policy_changed") && hasLiveGrant(world, context)
        ? "repeats"
        : "rests";
    default:
      return "rests";
  }
}

/** The attempt of that name, if it is over. */
export function overAttempt(world: World, name: AttemptName): Attempt | "none" {
  const attempt = world.attempts.find((one) => one.name === name);
  const isOver = attempt?.place.kind === "ended" || attempt?.place.kind === "lost";
  return attempt !== undefined && isOver ? attempt : "none";
}
