import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: an error shall say which call it is about, and says it by quoting the whole request. */
export const writesTheArgumentsIntoTheError: KnownBug = {
  name: "writes-the-arguments-into-the-error",
  says: "writes the arguments into the error that reports a lost receipt",
  caughtBy: ["receipts-hold-no-payload"],
  witness: [submit("a1", request.canary, { kind: "receipt_ignored" })],
  variant: {
    stages: () => ({
      auditFailure: (passage, ending, error) => {
        const failure = sound.auditFailure(passage, ending, error);
        failure.message += `; the request was ${passage.call.request}`;
        return failure;
      },
    }),
  },
};
