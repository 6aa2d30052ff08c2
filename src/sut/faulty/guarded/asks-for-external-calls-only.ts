import { validated } from "../../guarded/passage.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, submit, ticket } from "./guarded-steps.js";

/** The mistake: the list of what has to be asked about names the external calls, instead of what need not be asked about. */
export const asksForExternalCallsOnly: GuardedBug = {
  name: "asks-for-external-calls-only",
  says: "asks somebody only where a tool is external, so that a ticket is made without anybody having been asked",
  caughtBy: ["approval-binds"],
  witness: [submit("a1", "create_ticket", ticket), advance("a1")],
  variant: { stages: () => ({ needsApproval: (passage) => validated(passage).tool.effect === "external" }) },
};
