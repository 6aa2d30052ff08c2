import type { GuardedBug } from "./guarded-bug.js";
import { crashAt, restart, submit, ticket } from "./guarded-steps.js";

/** The mistake: requests for approval live as long as the process. */
export const keepsRequestsInMemory: GuardedBug = {
  name: "keeps-requests-in-memory",
  says: "forgets at a restart what it has asked",
  caughtBy: ["consent-survives"],
  witness: [submit("a1", "create_ticket", ticket), crashAt("a1", "after_request"), restart],
  variant: { onOpen: (store) => void store.run({ sql: "DELETE FROM requests" }) },
};
