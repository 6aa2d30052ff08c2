import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { decide, ticketAsked } from "./guarded-steps.js";

/** The mistake: what the approver saw is not compared with what waits. */
export const believesAnEchoOfOtherArguments: GuardedBug = {
  name: "believes-an-echo-of-other-arguments",
  says: "records a decision whose approver was shown other arguments",
  caughtBy: ["decision-tells-truth", "approval-binds"],
  witness: [...ticketAsked, decide("approve", "d1", 1, "digest")],
  variant: {
    stages: () => ({
      objection: (decision, request, environment) => {
        const code = sound.objection(decision, request, environment);
        if (code !== "digest_mismatch" || request === undefined) return code;
        return sound.lateObjection(decision, request, environment);
      },
    }),
  },
};
