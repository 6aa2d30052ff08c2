import { Refusal } from "../ledger/refusals.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: the last rejected output is kept as a help to whoever reads an error, where every log keeps it too. */
export const writesTheRejectedTextIntoTheError: KnownBug = {
  name: "writes-the-rejected-text-into-the-error",
  says: "writes the output rejected last into the error that reports a lost receipt",
  caughtBy: ["receipts-hold-no-payload"],
  witness: [submit("a1", request.river, { kind: "bad_output" }, { kind: "receipt_ignored" }), finish("a1")],
  variant: {
    stages: () => {
      let rejected = "";
      return {
        output: async (passage, value, environment) => {
          try {
            await sound.output(passage, value, environment);
          } catch (error) {
            if (error instanceof Refusal)
              rejected = `; the last rejected output was ${JSON.stringify(value)}`;
            throw error;
          }
        },
        auditFailure: (passage, ending, error) => {
          const failure = sound.auditFailure(passage, ending, error);
          failure.message += rejected;
          return failure;
        },
      };
    },
  },
};
