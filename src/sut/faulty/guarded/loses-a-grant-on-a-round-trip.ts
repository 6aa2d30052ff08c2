import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { roundTrip, ticketGranted } from "./guarded-steps.js";

/** The mistake: only what still waits is restored, and with it the grants are gone. */
export const losesAGrantOnARoundTrip: GuardedBug = {
  name: "loses-a-grant-on-a-round-trip",
  says: "drops what was granted when what waits is written out and restored",
  caughtBy: ["consent-survives"],
  witness: [...ticketGranted, roundTrip(false)],
  variant: {
    stages: () => ({
      restore: (text, environment) => {
        environment.store.run({ sql: "DELETE FROM decisions WHERE verdict = 'grant'" });
        return sound.restore(text, environment);
      },
    }),
  },
};
