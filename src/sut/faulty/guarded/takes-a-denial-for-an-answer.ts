import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, retry, ticketAsked } from "./guarded-steps.js";

/** The mistake: that somebody answered is taken for consent. */
export const takesADenialForAnAnswer: GuardedBug = {
  name: "takes-a-denial-for-an-answer",
  says: "executes a call as soon as anything was decided about it",
  caughtBy: ["denied-stays-denied"],
  witness: [...ticketAsked, decide("deny", "d1"), retry("a2", "a1"), advance("a2")],
  variant: {
    stages: () => ({
      denial: () => undefined,
      isGranted: (request, environment) => {
        const { tenant, runId, callId } = request;
        return environment.store.rows("readDecisions", { tenant, runId, callId }).length > 0;
      },
    }),
  },
};
