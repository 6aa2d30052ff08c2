import type { GuardedBug } from "./guarded-bug.js";
import { decide, ticketAsked } from "./guarded-steps.js";

/** The mistake: whoever can reach the handler may decide. */
export const letsAnybodyDecide: GuardedBug = {
  name: "lets-anybody-decide",
  says: "does not ask whether an approver holds the role",
  caughtBy: ["decision-tells-truth", "approval-binds"],
  witness: [...ticketAsked, decide("approve", "d1", 1, "role")],
  variant: { stages: () => ({ isEntitled: ({ by }, request) => by.approver !== request.principal }) },
};
