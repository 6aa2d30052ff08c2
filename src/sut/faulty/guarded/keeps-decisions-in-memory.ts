import type { GuardedBug } from "./guarded-bug.js";
import { crash, restart, ticketGranted } from "./guarded-steps.js";

/** The mistake: decisions live as long as the process. */
export const keepsDecisionsInMemory: GuardedBug = {
  name: "keeps-decisions-in-memory",
  says: "forgets at a restart what was decided",
  caughtBy: ["consent-survives"],
  witness: [...ticketGranted, crash, restart],
  variant: { onOpen: (store) => void store.run({ sql: "DELETE FROM decisions" }) },
};
