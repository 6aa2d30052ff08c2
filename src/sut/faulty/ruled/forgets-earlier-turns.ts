import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { changeRules, rule, say } from "./ruled-steps.js";

/** The mistake: the guard is shown what the user says now, and the gate the whole conversation. */
export const forgetsEarlierTurns: RuledBug = {
  name: "forgets-earlier-turns",
  says: "looks for the words of a rule in the latest turn alone before a call",
  caughtBy: ["gate-equals-guard"],
  witness: [
    changeRules([rule("forbid", "order")]),
    say("where is my order"),
    say("how is the weather"),
    submit("a1", request.river),
  ],
  variant: {
    stages: () => ({
      heard: (texts) => texts.map((text, turn) => (turn === texts.length - 1 ? text : "")),
    }),
  },
};
