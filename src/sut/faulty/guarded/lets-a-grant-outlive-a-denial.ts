import { parseDecision } from "../../guarded/consent/rows.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, retry, ticketGranted } from "./guarded-steps.js";

/** The mistake: a stored grant is looked for first. */
export const letsAGrantOutliveADenial: GuardedBug = {
  name: "lets-a-grant-outlive-a-denial",
  says: "goes on by a grant although it was revoked",
  caughtBy: ["denied-stays-denied"],
  witness: [...ticketGranted, decide("deny", "d2"), retry("a2", "a1"), advance("a2")],
  variant: {
    stages: () => ({
      denial: (call, environment) => {
        const decisions = environment.store.rows("readDecisions", call).map(parseDecision);
        const isGranted = decisions.some(({ verdict }) => verdict === "grant");
        return isGranted ? undefined : sound.denial(call, environment);
      },
    }),
  },
};
