import { driverCode } from "../ledger/driver-errors.js";
import { validated } from "../ledger/passage.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: COMMIT is taken to end a transaction either way; a refused one leaves it open. */
export const forgetsTheRollbackAfterARefusedCommit: KnownBug = {
  name: "forgets-the-rollback-after-a-refused-commit",
  says: "leaves the transaction open after a COMMIT that was refused",
  caughtBy: ["rollback-is-complete"],
  witness: [submit("a1", request.river, { kind: "commit_refused", stage: "execute" }), finish("a1")],
  variant: {
    stages: () => ({
      execute: (passage, environment) => {
        const { store, stages: step } = environment;
        store.run("begin");
        try {
          return step.write(passage, validated(passage), environment);
        } catch (error) {
          const isOver = driverCode(error) === "commit_refused";
          if (!isOver && store.inTransaction()) store.run("rollback");
          throw error;
        }
      },
    }),
  },
};
