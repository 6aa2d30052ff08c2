import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: an insert that raised nothing is taken to have inserted, and the last insert id to be its row's. */
export const trustsTheLastInsertId: KnownBug = {
  name: "trusts-the-last-insert-id",
  says: "takes the last insert id as proof of a receipt, without looking at the number of changed rows",
  caughtBy: ["receipt-before-release", "one-receipt-per-attempt"],
  witness: [submit("a1", request.tooMany, { kind: "receipt_ignored" })],
  variant: {
    stages: () => ({
      receipt: (passage, status, code, environment) => {
        const { store } = environment;
        store.run("begin");
        try {
          const row = sound.receiptRow(passage, status, code, environment);
          const { lastId } = store.run("insertReceipt", row);
          store.run("commit");
          return { number: lastId, effectExists: row.effectExists === 1 };
        } finally {
          if (store.inTransaction()) store.run("rollback");
        }
      },
    }),
  },
};
