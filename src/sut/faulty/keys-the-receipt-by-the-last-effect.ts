import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: the receipt is tied to the row written last, which another attempt may have written. */
export const keysTheReceiptByTheLastEffect: KnownBug = {
  name: "keys-the-receipt-by-the-last-effect",
  says: "keys a receipt by the last effect written anywhere, not by its own request",
  caughtBy: ["receipt-tells-truth"],
  witness: [submit("a1", request.river), submit("a2", request.otherKey)],
  variant: {
    stages: () => {
      let last: string | undefined;
      return {
        insert: (passage, args, environment) => {
          const value = sound.insert(passage, args, environment);
          last = args.job;
          return value;
        },
        receiptRow: (passage, status, code, environment) => {
          const row = sound.receiptRow(passage, status, code, environment);
          return row.key === null ? row : { ...row, key: last ?? row.key };
        },
      };
    },
  },
};
