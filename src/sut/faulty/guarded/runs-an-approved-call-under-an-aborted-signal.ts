import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { cancel, finish, retry, ticketGranted } from "./guarded-steps.js";

/** The mistake: once there is a grant, the signal is not looked at any more. */
export const runsAnApprovedCallUnderAnAbortedSignal: GuardedBug = {
  name: "runs-an-approved-call-under-an-aborted-signal",
  says: "executes a call that was approved although its caller has cancelled it",
  caughtBy: ["refused-leaves-nothing"],
  witness: [...ticketGranted, retry("a2", "a1"), cancel("a2"), finish("a2")],
  variant: {
    stages: () => ({
      stop: async (passage, at, environment) => {
        if (passage.matched === undefined || at !== "before_business")
          return sound.stop(passage, at, environment);
        passage.place = at;
        await passage.call.hooks.checkpoint(at);
      },
    }),
  },
};
