import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, retry, ticketAsked } from "./guarded-steps.js";

/** The mistake: that a request is open is not looked at. */
export const asksForEver: GuardedBug = {
  name: "asks-for-ever",
  says: "opens a further request each time a waiting call comes back",
  caughtBy: ["asks-once"],
  witness: [...ticketAsked, retry("a2", "a1"), advance("a2")],
  variant: {
    stages: () => ({
      standing: (passage, environment) => {
        const standing = sound.standing(passage, environment);
        return standing.kind === "waits" ? { kind: "opens", because: "approval_required" } : standing;
      },
    }),
  },
};
