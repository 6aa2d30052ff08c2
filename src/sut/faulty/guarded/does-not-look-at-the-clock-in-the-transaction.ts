import type { GuardedBug } from "./guarded-bug.js";
import { advance, retry, ticketGranted, untilExpiry } from "./guarded-steps.js";

/** The mistake: what was live at the check is taken to be live at the commit. */
export const doesNotLookAtTheClockInTheTransaction: GuardedBug = {
  name: "does-not-look-at-the-clock-in-the-transaction",
  says: "commits by a grant that expired after the check",
  caughtBy: ["approval-binds"],
  witness: [...ticketGranted, retry("a2", "a1"), untilExpiry, advance("a2")],
  variant: { stages: () => ({ isExpiredAtCommit: () => false }) },
};
