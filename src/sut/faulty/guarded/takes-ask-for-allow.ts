import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, submit, ticket } from "./guarded-steps.js";

/** The mistake: whatever is not a block is a pass. */
export const takesAskForAllow: GuardedBug = {
  name: "takes-ask-for-allow",
  says: "goes on where a layer answers that somebody has to be asked",
  caughtBy: ["approval-binds"],
  witness: [submit("a1", "create_ticket", ticket), advance("a1")],
  variant: {
    stages: () => ({
      standing: (passage, environment) => {
        const standing = sound.standing(passage, environment);
        return standing.kind === "opens" || standing.kind === "waits" ? { kind: "passes" } : standing;
      },
    }),
  },
};
