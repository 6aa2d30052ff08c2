import type { GuardedBug } from "./guarded-bug.js";
import { changePolicy, decide, ticketAsked } from "./guarded-steps.js";

/** The mistake: the revision that the approver was shown is not compared. */
export const survivesAPolicyChange: GuardedBug = {
  name: "survives-a-policy-change",
  says: "takes a request that was disclosed under another policy for current",
  caughtBy: ["decision-tells-truth", "approval-binds"],
  witness: [...ticketAsked, changePolicy("not_required"), decide("approve", "d1")],
  variant: { stages: () => ({ isCurrent: () => true }) },
};
