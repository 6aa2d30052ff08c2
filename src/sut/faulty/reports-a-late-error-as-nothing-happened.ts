import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: an error is taken to mean that everything was rolled back, also one that came after the commit. */
export const reportsALateErrorAsNothingHappened: KnownBug = {
  name: "reports-a-late-error-as-nothing-happened",
  says: "reports an error after the commit as if nothing had happened",
  caughtBy: ["receipt-tells-truth"],
  witness: [submit("a1", request.river, { kind: "throw_at", at: "after_commit" }), finish("a1")],
  variant: {
    stages: () => ({
      receiptRow: (passage, status, code, environment) => {
        const row = sound.receiptRow(passage, status, code, environment);
        return status === "error" ? { ...row, effectExists: 0 } : row;
      },
    }),
  },
};
