import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { finish, retryWith, ticketGranted } from "./guarded-steps.js";

/** The mistake: what a human has allowed is worth any number of tries, and nobody counts them. */
export const regeneratesWithoutBound: GuardedBug = {
  name: "regenerates-without-bound",
  says: "makes the value of an approved call anew for as long as its form is wrong",
  caughtBy: ["repair-is-bounded"],
  witness: [
    ...ticketGranted,
    retryWith("a2", "a1", { kind: "spoilt_output", as: "format", tries: 3 }),
    finish("a2"),
  ],
  variant: {
    stages: () => ({
      mayRegenerate: (passage, regenerations) =>
        passage.matched !== undefined || sound.mayRegenerate(passage, regenerations),
    }),
  },
};
