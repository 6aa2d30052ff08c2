import type { GuardedBug } from "./guarded-bug.js";
import { advance, decide, retry, ticketGranted } from "./guarded-steps.js";

/** The mistake: a no between check and commit is not seen. */
export const doesNotLookForANoInTheTransaction: GuardedBug = {
  name: "does-not-look-for-a-no-in-the-transaction",
  says: "commits although somebody said no after the check",
  caughtBy: ["denied-stays-denied"],
  witness: [...ticketGranted, retry("a2", "a1"), decide("deny", "d2"), advance("a2")],
  variant: { stages: () => ({ denialAtCommit: () => undefined }) },
};
