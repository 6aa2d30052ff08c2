import type { GuardedBug } from "./guarded-bug.js";
import { crashAt, restart, submit, ticket } from "./guarded-steps.js";

/** The mistake: the time that is left is counted from the start of the process. */
export const restartsTheExpiry: GuardedBug = {
  name: "restarts-the-expiry",
  says: "lets the life of a request begin anew at a restart",
  caughtBy: ["consent-survives"],
  witness: [submit("a1", "create_ticket", ticket), crashAt("a1", "after_request"), restart],
  variant: { onOpen: (store) => void store.run({ sql: "UPDATE requests SET expires_at = expires_at + 2" }) },
};
