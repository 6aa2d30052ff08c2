import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, changePolicy, decide, permitted, retry, river, submit } from "./guarded-steps.js";

/** The mistake: whether anybody has to be asked is looked at before whether anybody said no. */
export const forgetsADenialWhenThePolicyStopsAsking: GuardedBug = {
  name: "forgets-a-denial-when-the-policy-stops-asking",
  says: "lets a denied call through once nobody would have to be asked any more",
  caughtBy: ["denied-stays-denied"],
  witness: [
    changePolicy("required"),
    submit("a1", "draft", river, permitted),
    advance("a1"),
    decide("deny", "d1"),
    changePolicy("not_required"),
    retry("a2", "a1"),
    advance("a2"),
  ],
  variant: {
    stages: () => {
      const free = new Set<string>();
      return {
        standing: (passage, environment) => {
          const policy = environment.stages.policy(environment.store);
          if (environment.stages.needsApproval(passage, policy)) return sound.standing(passage, environment);
          free.add(passage.call.context.callId);
          return { kind: "passes" };
        },
        denialAtCommit: (call, environment) =>
          free.has(call.callId) ? undefined : sound.denialAtCommit(call, environment),
      };
    },
  },
};
