import { callOf } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, retry, takeCapability, ticketGranted } from "./guarded-steps.js";

/** The mistake: the wait may be long, and nobody looks again. */
export const checksTheCapabilityBeforeTheWaitOnly: GuardedBug = {
  name: "checks-the-capability-before-the-wait-only",
  says: "asks for the right of a call once, before it waits, and not when it comes back",
  caughtBy: ["authority-at-commit"],
  witness: [...ticketGranted, retry("a2", "a1"), takeCapability("create_ticket", "tickets"), advance("a2")],
  variant: {
    stages: () => ({
      passCapability: async (passage, environment) => {
        if (environment.store.row("readRequests", callOf(passage)) !== undefined) return;
        await sound.passCapability(passage, environment);
      },
      capabilityAtCommit: (passage, environment) => {
        if (passage.matched === undefined) sound.capabilityAtCommit(passage, environment);
      },
    }),
  },
};
