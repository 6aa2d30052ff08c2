import type { AttemptName, StageEvent } from "../../model/vocabulary.js";
import { type Attempt, laidToRest, type Receipt } from "../../model/world.js";
import { onlyContext } from "./bounded.js";

/** An attempt that is over: the machine counts it and asks it nothing more. */
export function standInAttempt(name: AttemptName): Attempt {
  const traveller = {
    name,
    context: onlyContext,
    request: "",
    facts: { kind: "invalid", code: "shape" },
    faults: [],
    snapshot: { kind: "none" },
    events: [],
    cancel: "none",
  } as const;
  return laidToRest(traveller, "ended");
}

/** The attempt that a receipt of the past belongs to; no attempt of the bounds has its number. */
function standInOwner(number: number): AttemptName {
  return `a${100 + number}`;
}

/** A receipt of the past: all that is left of it is that its key has one. */
export function standInReceipt(key: Receipt["key"], number: number): Receipt {
  const { tenant, runId, callId } = onlyContext;
  const events: readonly StageEvent[] = key.kind === "key" ? ["arguments_valid"] : [];
  const attempt = standInOwner(number);
  return {
    number,
    attempt,
    tenant,
    runId,
    callId,
    key,
    status: "input_rejected",
    code: "missing_policy",
    effectExists: false,
    events,
  };
}
