import { ruledStages as sound } from "../../ruled/stages.js";
import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { changeRules, gate, rule, say } from "./ruled-steps.js";

/** The mistake: at a call the gate knows what will be said after it, which no guard can. */
export const readsTheGateOverTheWholeSession: RuledBug = {
  name: "reads-the-gate-over-the-whole-session",
  says: "looks for the words of a rule in all turns of a trace, also in those after the call",
  caughtBy: ["gate-equals-guard"],
  witness: [changeRules([rule("forbid", "order")]), submit("a1", request.river), say("my order"), gate()],
  variant: {
    stages: () => ({
      readTraces: (text) =>
        sound.readTraces(text).map((trace) => {
          const user = trace.turns.map((turn) => turn.user).join("\n");
          return { ...trace, turns: trace.turns.map((turn) => ({ ...turn, user })) };
        }),
    }),
  },
};
