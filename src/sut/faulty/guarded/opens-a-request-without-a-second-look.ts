import type { Standing } from "../../guarded/consent/standing.js";
import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, submit, ticket } from "./guarded-steps.js";

/** The mistake: check and opening do not lie in one transaction. */
export const opensARequestWithoutASecondLook: GuardedBug = {
  name: "opens-a-request-without-a-second-look",
  says: "opens a request by what held before the stop, so that two first attempts both ask",
  caughtBy: ["asks-once"],
  witness: [
    submit("a1", "create_ticket", ticket),
    submit("a2", "create_ticket", ticket, { call: "c-a1" }),
    advance("a1"),
    advance("a2"),
  ],
  variant: {
    stages: () => ({
      openRequest: (passage, environment) => {
        const standing = (): Standing => ({ kind: "opens", because: "approval_required" });
        return sound.openRequest(passage, {
          ...environment,
          stages: { ...environment.stages, standing },
        });
      },
    }),
  },
};
