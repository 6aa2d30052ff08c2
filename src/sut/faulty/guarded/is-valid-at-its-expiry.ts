import type { GuardedBug } from "./guarded-bug.js";
import { decide, ticketAsked, untilExpiry } from "./guarded-steps.js";

/** The mistake: the end of the interval is taken for part of it. */
export const isValidAtItsExpiry: GuardedBug = {
  name: "is-valid-at-its-expiry",
  says: "lets a request be granted and used at the very moment of its expiry",
  caughtBy: ["decision-tells-truth", "approval-binds"],
  witness: [...ticketAsked, untilExpiry, decide("approve", "d1")],
  variant: { stages: () => ({ isExpired: (request, now) => now > request.expiresAt }) },
};
