import type { LayerDecision } from "../../guarded/layer-decision.js";
import { validated } from "../../guarded/passage.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, permitted, river, submit, takeCapability } from "./guarded-steps.js";

/** The mistake: a right that was there once is taken to stay. */
export const cachesACapability: GuardedBug = {
  name: "caches-a-capability",
  says: "remembers a right from its first use on",
  caughtBy: ["authority-at-commit"],
  witness: [submit("a1", "draft", river, permitted), takeCapability("draft", "drafts"), advance("a1")],
  variant: {
    stages: () => {
      const held = new Map<string, LayerDecision>();
      return {
        capability: (passage, environment) => {
          const { principal, tenant } = passage.call.context;
          const question = `${principal} ${tenant} ${validated(passage).tool.name}`;
          const answer = held.get(question) ?? sound.capability(passage, environment);
          if (answer.action === "allow") held.set(question, answer);
          return answer;
        },
      };
    },
  },
};
