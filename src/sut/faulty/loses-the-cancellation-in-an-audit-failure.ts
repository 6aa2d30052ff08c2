import { finished } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { cancel, finish, request, submit } from "./witness-steps.js";

/** The mistake: the later error replaces the earlier one, as a throw in a catch block does. */
export const losesTheCancellationInAnAuditFailure: KnownBug = {
  name: "loses-the-cancellation-in-an-audit-failure",
  says: "loses the cancellation when the receipt of a cancelled attempt cannot be written",
  caughtBy: ["audit-failure-is-loud"],
  witness: [submit("a1", request.river, { kind: "receipt_ignored" }), cancel("a1"), finish("a1")],
  variant: {
    stages: () => ({
      auditFailure: (passage, ending, error) => {
        const left = ending.kind === "cancelled" ? finished("cancelled", "cancelled") : ending;
        return sound.auditFailure(passage, left, error);
      },
    }),
  },
};
