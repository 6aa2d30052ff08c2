import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { cancel, request, submit } from "./witness-steps.js";

/** The mistake: an abort travels up as an exception, past the place where receipts are written. */
export const writesNoReceiptWhenCancelled: KnownBug = {
  name: "writes-no-receipt-when-cancelled",
  says: "writes no receipt for a cancelled attempt",
  caughtBy: ["one-receipt-per-attempt"],
  witness: [submit("a1", request.river), cancel("a1")],
  variant: {
    stages: () => ({
      conclude: (passage, ending, environment) => {
        if (ending.kind === "cancelled") throw ending.reason;
        return sound.conclude(passage, ending, environment);
      },
    }),
  },
};
