import { driverCode } from "../ledger/driver-errors.js";
import { validated } from "../ledger/passage.js";
import { Failure, Refusal } from "../ledger/refusals.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: there is a rollback for every kind of error that was thought of, and for no other. */
export const forgetsTheRollbackAfterAnError: KnownBug = {
  name: "forgets-the-rollback-after-an-error",
  says: "leaves the transaction open after an error that nobody foresaw",
  caughtBy: ["rollback-is-complete"],
  witness: [submit("a1", request.river, { kind: "throw_at", at: "inside_transaction" }), finish("a1")],
  variant: {
    stages: () => ({
      execute: (passage, environment) => {
        const { store, stages: step } = environment;
        store.run("begin");
        try {
          return step.write(passage, validated(passage), environment);
        } catch (error) {
          const foreseen =
            error instanceof Refusal || error instanceof Failure || driverCode(error) !== undefined;
          if (foreseen && store.inTransaction()) store.run("rollback");
          throw error;
        }
      },
    }),
  },
};
