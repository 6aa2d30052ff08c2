import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, retry, ticketGranted } from "./guarded-steps.js";

/** The mistake: nothing ties the effect to the call that was approved. */
export const mintsACallIdOnResume: GuardedBug = {
  name: "mints-a-call-id-on-resume",
  says: "resumes a granted call under an id of its own making",
  caughtBy: ["approval-binds"],
  witness: [...ticketGranted, retry("a2", "a1"), advance("a2")],
  variant: {
    stages: () => ({
      insert: (passage, environment) => {
        if (passage.matched === undefined) return sound.insert(passage, environment);
        const { call } = passage;
        const context = { ...call.context, callId: `${call.context.callId}-resumed` };
        return sound.insert({ ...passage, call: { ...call, context } }, environment);
      },
    }),
  },
};
