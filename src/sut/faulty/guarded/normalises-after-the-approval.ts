import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, retry, ticketGranted } from "./guarded-steps.js";

/** The mistake: the approver was shown the raw arguments, and the digest is not taken of what executes. */
export const normalisesAfterTheApproval: GuardedBug = {
  name: "normalises-after-the-approval",
  says: "changes the arguments after they were approved, and executes the changed ones",
  caughtBy: ["approval-binds"],
  witness: [...ticketGranted, retry("a2", "a1"), advance("a2")],
  variant: {
    stages: () => ({
      atExecution: (passage) => {
        if (passage.args === undefined) return;
        const { details } = passage.args;
        if (details === undefined) return;
        const args = { ...passage.args, details: String(details).toLowerCase() };
        passage.args = args;
        passage.digest = sound.digest(args);
      },
      mismatchAtCommit: () => undefined,
    }),
  },
};
