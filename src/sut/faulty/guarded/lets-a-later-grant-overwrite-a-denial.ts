import { parseDecision } from "../../guarded/consent/rows.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { decide, ticketAsked } from "./guarded-steps.js";

/** The mistake: the last word counts, instead of the no. */
export const letsALaterGrantOverwriteADenial: GuardedBug = {
  name: "lets-a-later-grant-overwrite-a-denial",
  says: "goes by the latest decision on a call, so that a grant takes a no back",
  caughtBy: ["decision-tells-truth", "denied-stays-denied"],
  witness: [...ticketAsked, decide("deny", "d1"), decide("approve", "d2")],
  variant: {
    stages: () => ({
      isDenied: () => false,
      denial: (call, environment) => {
        const last = environment.store.rows("readDecisions", call).map(parseDecision).at(-1);
        return last?.verdict === "deny" ? sound.denial(call, environment) : undefined;
      },
    }),
  },
};
