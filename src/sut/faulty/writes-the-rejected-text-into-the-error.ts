import type { Passage } from "../ledger/ledger.js";
import { Refusal } from "../ledger/refusals.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: an output that no receipt records is saved in the error, where every log keeps it. */
export const writesTheRejectedTextIntoTheError: KnownBug = {
  name: "writes-the-rejected-text-into-the-error",
  says: "writes the rejected output into the error that reports a lost receipt",
  caughtBy: ["receipts-hold-no-payload"],
  witness: [submit("a1", request.river, { kind: "bad_output" }, { kind: "receipt_ignored" }), finish("a1")],
  variant: {
    stages: () => {
      const rejected = new WeakMap<Passage, string>();
      return {
        output: async (passage, value, environment) => {
          try {
            await sound.output(passage, value, environment);
          } catch (error) {
            if (error instanceof Refusal) rejected.set(passage, JSON.stringify(value));
            throw error;
          }
        },
        auditFailure: (passage, ending, error) => {
          const failure = sound.auditFailure(passage, ending, error);
          const text = rejected.get(passage);
          if (text !== undefined) failure.message += `; the rejected output was ${text}`;
          return failure;
        },
      };
    },
  },
};
