import type { GuardedBug } from "./guarded-bug.js";
import { finish, permitted, river, submit } from "./guarded-steps.js";

/** The mistake: nobody counts. */
export const regeneratesWithoutBound: GuardedBug = {
  name: "regenerates-without-bound",
  says: "makes a value anew for as long as its form is wrong",
  caughtBy: ["repair-is-bounded"],
  witness: [
    submit("a1", "draft", river, {
      ...permitted,
      faults: [{ kind: "spoilt_output", as: "format", tries: 3 }],
    }),
    finish("a1"),
  ],
  variant: { stages: () => ({ mayRegenerate: () => true }) },
};
