import type { Ending, Passage } from "../ledger/passage.js";
import type { CallOutcome } from "./rows.js";

/** One attempt on its way through the pipeline; mutable, owned by the call. */
export type RuledPassage = Passage & {
  /** Its number among the calls that came to the rules. */
  callNumber: number | undefined;
  /** Whether it has a reservation that it has yet to settle. */
  holdsKey: boolean;
};

/** Whether this attempt committed an effect or met one. */
export function hasEffect({ events }: RuledPassage): boolean {
  return events.includes("effect_committed") || events.includes("effect_reused");
}

/** What a trace tells of the call of an attempt that came to this ending. */
export function outcomeOfCall(passage: RuledPassage, ending: Ending): CallOutcome {
  if (!hasEffect(passage)) return "nothing_happened";
  return ending.kind === "finished" && ending.code === "after_commit" ? "unknown" : "done";
}
