import type { GuardedBug } from "./guarded-bug.js";
import { crash, restart, ticketAsked } from "./guarded-steps.js";

/** The mistake: requests for approval live as long as the process. */
export const keepsRequestsInMemory: GuardedBug = {
  name: "keeps-requests-in-memory",
  says: "forgets at a restart what it has asked",
  caughtBy: ["consent-survives"],
  witness: [...ticketAsked, crash, restart],
  variant: { onOpen: (store) => void store.run({ sql: "DELETE FROM requests" }) },
};
