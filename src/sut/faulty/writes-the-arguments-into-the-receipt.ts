import { Refusal } from "../ledger/refusals.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: a validation error quotes what it refuses, and the error's text becomes the receipt's code. */
export const writesTheArgumentsIntoTheReceipt: KnownBug = {
  name: "writes-the-arguments-into-the-receipt",
  says: "writes refused arguments into the code of their receipt",
  caughtBy: ["receipts-hold-no-payload"],
  witness: [submit("a1", request.canary)],
  variant: {
    stages: () => ({
      validate: (passage, environment) => {
        try {
          return sound.validate(passage, environment);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          throw new Refusal(error.status, `${error.code}: ${passage.call.request}`);
        }
      },
    }),
  },
};
