import type { LayerDecision } from "../../guarded/layer-decision.js";
import { callOf, validated } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, retry, takeCapability, ticketGranted } from "./guarded-steps.js";

/** The mistake: who was once asked about is taken to be entitled for as long as the wait lasts. */
export const cachesACapability: GuardedBug = {
  name: "caches-a-capability",
  says: "answers for a call that somebody was asked about with the right as it was found first",
  caughtBy: ["authority-at-commit"],
  witness: [...ticketGranted, retry("a2", "a1"), takeCapability("create_ticket", "tickets"), advance("a2")],
  variant: {
    stages: () => {
      const held = new Map<string, LayerDecision>();
      return {
        capability: (passage, environment) => {
          const { principal, tenant } = passage.call.context;
          const question = `${principal} ${tenant} ${validated(passage).tool.name}`;
          const isAsked = environment.store.row("readRequests", callOf(passage)) !== undefined;
          const answer = (isAsked ? held.get(question) : undefined) ?? sound.capability(passage, environment);
          if (answer.action === "allow") held.set(question, answer);
          return answer;
        },
      };
    },
  },
};
