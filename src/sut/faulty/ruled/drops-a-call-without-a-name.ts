import { ruledStages as sound } from "../../ruled/stages.js";
import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { gate } from "./ruled-steps.js";

/** The mistake: a trace that could not be read looks like a trace without calls. */
export const dropsACallWithoutAName: RuledBug = {
  name: "drops-a-call-without-a-name",
  says: "leaves out the calls of a trace whose tool it cannot name",
  caughtBy: ["gate-equals-guard"],
  witness: [submit("a1", request.river), gate("unnamed_call")],
  variant: {
    stages: () => ({
      readTraces: (text) =>
        sound.readTraces(text).map((trace) => ({
          ...trace,
          turns: trace.turns.map((turn) => ({
            ...turn,
            items: turn.items.filter((item) => item.kind !== "called" || item.call.tool !== undefined),
          })),
        })),
    }),
  },
};
