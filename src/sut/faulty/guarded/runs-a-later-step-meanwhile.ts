import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { submit, ticket } from "./guarded-steps.js";

/** The mistake: a pause is taken for a step that is skipped. */
export const runsALaterStepMeanwhile: GuardedBug = {
  name: "runs-a-later-step-meanwhile",
  says: "takes the next step of a run while an earlier one waits",
  caughtBy: ["pause-consumes-nothing"],
  witness: [
    submit("a1", "create_ticket", ticket),
    submit("a2", "read_config", { name: "region" }, { step: 1 }),
  ],
  variant: {
    stages: () => ({
      startedCalls: (passage, environment) =>
        sound.startedCalls(passage, environment).filter(({ step }) => step >= passage.dispatch.step),
    }),
  },
};
