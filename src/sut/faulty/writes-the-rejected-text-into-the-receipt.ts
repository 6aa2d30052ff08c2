import { Refusal } from "../ledger/refusals.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: whoever reads the receipt shall see what was wrong, so the rejected value is appended to the code. */
export const writesTheRejectedTextIntoTheReceipt: KnownBug = {
  name: "writes-the-rejected-text-into-the-receipt",
  says: "writes the rejected output into the code of its receipt",
  caughtBy: ["receipts-hold-no-payload"],
  witness: [submit("a1", request.river, { kind: "bad_output" }), finish("a1")],
  variant: {
    stages: () => ({
      output: async (passage, value, environment) => {
        try {
          await sound.output(passage, value, environment);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          throw new Refusal(error.status, `${error.code}: ${JSON.stringify(value)}`);
        }
      },
    }),
  },
};
