import type { GuardedBug } from "./guarded-bug.js";
import { decide, ticketAsked } from "./guarded-steps.js";

/** The mistake: approver and requester are not held apart. */
export const letsTheRequesterDecide: GuardedBug = {
  name: "lets-the-requester-decide",
  says: "lets who asked for something grant it",
  caughtBy: ["decision-tells-truth", "approval-binds"],
  witness: [...ticketAsked, decide("approve", "d1", 1, "requester")],
  variant: { stages: () => ({ isEntitled: ({ by }, request) => by.roles.includes(request.role) }) },
};
