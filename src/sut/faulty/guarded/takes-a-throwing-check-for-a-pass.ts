import { guardedStages as sound } from "../../guarded/stages.js";
import { Failure } from "../../ledger/refusals.js";
import type { GuardedBug } from "./guarded-bug.js";
import { permitted, river, submit } from "./guarded-steps.js";

/** The mistake: what does not say no is taken for a yes. */
export const takesAThrowingCheckForAPass: GuardedBug = {
  name: "takes-a-throwing-check-for-a-pass",
  says: "goes on where the business check throws",
  caughtBy: ["fail-closed"],
  witness: [
    submit("a1", "draft", river, { ...permitted, faults: [{ kind: "checker_throws", stage: "check" }] }),
  ],
  variant: {
    stages: () => ({
      check: async (passage, environment) => {
        try {
          await sound.check(passage, environment);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
      },
    }),
  },
};
