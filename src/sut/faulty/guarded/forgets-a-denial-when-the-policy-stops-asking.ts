import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, permitted, submit, ticket, ticketAsked } from "./guarded-steps.js";

/** The mistake: whether anybody has to be asked is looked at before whether anybody said no. */
export const forgetsADenialWhenThePolicyStopsAsking: GuardedBug = {
  name: "forgets-a-denial-when-the-policy-stops-asking",
  says: "lets a denied call through once nobody would have to be asked any more",
  caughtBy: ["denied-stays-denied"],
  witness: [
    ...ticketAsked,
    decide("deny", "d1"),
    submit("a2", "create_ticket", ticket, { ...permitted, call: "c-a1" }),
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
