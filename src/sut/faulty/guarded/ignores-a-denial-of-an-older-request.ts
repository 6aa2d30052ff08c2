import { parseDecision } from "../../guarded/consent/rows.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, changePolicy, decide, retry, ticketAsked } from "./guarded-steps.js";

/** The mistake: a no is taken for one to a request, instead of to the call. */
export const ignoresADenialOfAnOlderRequest: GuardedBug = {
  name: "ignores-a-denial-of-an-older-request",
  says: "looks for a no on the latest request of a call only",
  caughtBy: ["denied-stays-denied"],
  witness: [
    ...ticketAsked,
    changePolicy("not_required"),
    retry("a2", "a1"),
    advance("a2"),
    decide("approve", "d1", 2),
    decide("deny", "d2", 1),
    retry("a3", "a1"),
    advance("a3"),
  ],
  variant: {
    stages: () => ({
      denial: (call, environment) => {
        const latest = environment.stages.latestOf(call, environment);
        const decisions = environment.store.rows("readDecisions", call).map(parseDecision);
        const isDenied = decisions.some(
          ({ request, verdict }) => request === latest?.number && verdict === "deny",
        );
        return isDenied ? sound.denial(call, environment) : undefined;
      },
    }),
  },
};
