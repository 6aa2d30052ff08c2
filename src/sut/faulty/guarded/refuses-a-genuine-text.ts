import type { GuardedBug } from "./guarded-bug.js";
import { roundTrip, ticketAsked } from "./guarded-steps.js";

/** The mistake: a text never equals itself, since a time of writing is compared with it. */
export const refusesAGenuineText: GuardedBug = {
  name: "refuses-a-genuine-text",
  says: "turns away a text of what waits that is as it was",
  caughtBy: ["always-recoverable"],
  witness: [...ticketAsked, roundTrip(false)],
  variant: { stages: () => ({ restore: () => "refused" }) },
};
