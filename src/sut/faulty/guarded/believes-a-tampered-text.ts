import type { GuardedBug } from "./guarded-bug.js";
import { roundTrip, ticketAsked } from "./guarded-steps.js";

/** The mistake: the text is taken for an authority instead of a pointer. */
export const believesATamperedText: GuardedBug = {
  name: "believes-a-tampered-text",
  says: "takes a text of what waits back as it comes",
  caughtBy: ["decision-tells-truth"],
  witness: [...ticketAsked, roundTrip(true)],
  variant: { stages: () => ({ restore: () => "restored" }) },
};
