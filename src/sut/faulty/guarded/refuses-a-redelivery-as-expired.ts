import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, retry, ticketGranted, untilExpiry } from "./guarded-steps.js";

/** The mistake: an approval that was used in time is taken for one that was not. */
export const refusesARedeliveryAsExpired: GuardedBug = {
  name: "refuses-a-redelivery-as-expired",
  says: "looks at the expiry before it looks whether the call was used",
  caughtBy: ["always-recoverable"],
  witness: [...ticketGranted, retry("a2", "a1"), advance("a2"), untilExpiry],
  variant: {
    stages: () => ({
      standing: (passage, environment) => {
        const request = environment.stages.requestFor(passage, environment);
        const isOver = request !== undefined && environment.stages.isExpired(request, environment.clock());
        return isOver ? { kind: "opens", because: "expired" } : sound.standing(passage, environment);
      },
    }),
  },
};
