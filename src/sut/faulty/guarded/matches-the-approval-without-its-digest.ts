import { guardedStages as sound } from "../../guarded/stages.js";
import type { GuardedBug } from "./guarded-bug.js";
import { advance, submit, ticket, ticketGranted } from "./guarded-steps.js";

/** The mistake: a grant for a call holds for whatever arguments it comes back with. */
export const matchesTheApprovalWithoutItsDigest: GuardedBug = {
  name: "matches-the-approval-without-its-digest",
  says: "compares the tool of a resumed call and not its arguments",
  caughtBy: ["approval-binds"],
  witness: [
    ...ticketGranted,
    submit("a2", "create_ticket", { ...ticket, details: "from inc" }, { call: "c-a1" }),
    advance("a2"),
  ],
  variant: {
    stages: () => ({
      mismatch: (passage, environment) => {
        const other = sound.mismatch(passage, environment);
        return other === "digest_mismatch" ? undefined : other;
      },
    }),
  },
};
