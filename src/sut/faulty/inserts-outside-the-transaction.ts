import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/**
 * The mistake: the insert is a helper that manages a transaction of its own. As SQLite nests none, it ends its
 * caller's first and begins another afterwards, which is the one that is rolled back.
 */
export const insertsOutsideTheTransaction: KnownBug = {
  name: "inserts-outside-the-transaction",
  says: "inserts the effect outside the transaction that is rolled back when something goes wrong",
  caughtBy: ["rollback-is-complete"],
  witness: [submit("a1", request.river, { kind: "throw_at", at: "inside_transaction" }), finish("a1")],
  variant: {
    stages: () => ({
      insert: (passage, args, environment) => {
        const { store } = environment;
        store.run("commit");
        const value = sound.insert(passage, args, environment);
        store.run("begin");
        return value;
      },
    }),
  },
};
