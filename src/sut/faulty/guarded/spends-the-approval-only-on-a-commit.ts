import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, finish, permitted, retry, river, submit } from "./guarded-steps.js";

/** The mistake: a no before its release is still recorded, and then ignored. */
export const spendsTheApprovalOnlyOnACommit: GuardedBug = {
  name: "spends-the-approval-only-on-a-commit",
  says: "writes no use of a call that meets the effect of another",
  caughtBy: ["denied-stays-denied"],
  witness: [
    submit("a1", "draft", river, permitted),
    finish("a1"),
    submit("a2", "draft", river),
    advance("a2"),
    decide("approve", "d1"),
    retry("a3", "a2"),
    advance("a3"),
    decide("deny", "d2"),
    advance("a3"),
  ],
  variant: { stages: () => ({ recordReuse: () => {} }) },
};
