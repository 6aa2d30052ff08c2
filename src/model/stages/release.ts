import { layerResults } from "../layer-results.js";
import { type Halt, type Passage, passing } from "../passage.js";
import type { PredictedOutcome } from "../predicted.js";
import { isBad } from "./output.js";
import { showsEffect } from "./receipt.js";

/** Tells the caller how the call ended; the receipt, where there is one, is durable by now. */
export function release(passage: Passage): Halt {
  return passing(
    passage,
    "after_receipt",
    () => end(passage, { kind: "unknown", cause: "after_receipt" }),
    () => end(passage, outcomeOf(passage)),
  );
}

function end(passage: Passage, outcome: PredictedOutcome): Halt {
  return { kind: "ended", passage, outcome };
}

function outcomeOf(passage: Passage): PredictedOutcome {
  const { verdict, attempt, world } = passage;
  if (verdict.status === "cancelled") return { kind: "cancelled", reason: "callers" };
  return {
    kind: "completed",
    // The receipt of this attempt is the last one written; without a receipt layer there is none.
    receiptNumber: world.receipts.length,
    ...verdict,
    events: attempt.events,
    effectExists: showsEffect(passage),
    released: released(passage),
    ...(world.profile.abilities.includes("layer_results") ? { layers: layerResults(attempt, verdict) } : {}),
  };
}

function released(passage: Passage): "acceptable" | "unacceptable" | "nothing" {
  const { status } = passage.verdict;
  if (status !== "accepted" && status !== "clarification_needed") return "nothing";
  // Only a profile without an output check gets here with a bad copy.
  return isBad(passage) ? "unacceptable" : "acceptable";
}
