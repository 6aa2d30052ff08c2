import type { GuardedBug } from "./guarded-bug.js";
import { decide, ticketAsked, untilExpiry } from "./guarded-steps.js";

/** The mistake: the clock is not asked. */
export const ignoresTheExpiry: GuardedBug = {
  name: "ignores-the-expiry",
  says: "lets a request be granted and used for ever",
  caughtBy: ["decision-tells-truth", "approval-binds"],
  witness: [...ticketAsked, untilExpiry, decide("approve", "d1")],
  variant: { stages: () => ({ isExpired: () => false }) },
};
