import type { RuleDecision } from "../../rules/decision.js";
import { Refusal } from "../ledger/refusals.js";
import { proposed } from "./conversation.js";
import type { RuledPassage } from "./passage.js";
import type { RuledEnvironment } from "./stages.js";
import { writeAlone } from "./store.js";

/** Counts the call, durably and whatever becomes of it, and refuses it unless the rules allow it. */
export function rules(passage: RuledPassage, environment: RuledEnvironment): void {
  const { store, stages: step, conversation } = environment;
  const call = proposed(passage);
  const counted = writeAlone(store, "insertCall", {
    delivery: passage.call.delivery,
    arguments: JSON.stringify(call.arguments.kind === "known" ? call.arguments.value : {}),
  });
  passage.callNumber = counted.lastId;
  let decision: RuleDecision;
  try {
    decision = conversation.session.decide(call, () => step.lookUp(passage, environment));
  } finally {
    conversation.session.note(call, "may_have_happened");
  }
  if (decision.verdict !== "allow") throw new Refusal("blocked", decision.code);
}
