import { Failure } from "../../ledger/refusals.js";
import { ruledStages as sound } from "../../ruled/stages.js";
import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { damageLedger, once } from "./ruled-steps.js";

const overwrite = `INSERT OR REPLACE INTO reservations (tenant, key, state, delivery)
  VALUES (@tenant, @key, 'reserved', @delivery)`;

/** The mistake: what cannot be read is taken for nothing, by the look and by the write that follows it. */
export const takesAnUnreadableLedgerForAnEmptyOne: RuledBug = {
  name: "takes-an-unreadable-ledger-for-an-empty-one",
  says: "lets a call pass whose key stands in the ledger with a state that it cannot read",
  caughtBy: ["reservation-is-exclusive", "gate-equals-guard"],
  witness: [once, submit("a1", request.river), damageLedger, submit("a2", request.river)],
  variant: {
    stages: () => ({
      lookUp: (passage, environment) => {
        try {
          return sound.lookUp(passage, environment);
        } catch (error) {
          if (error instanceof Failure) return "free";
          throw error;
        }
      },
      insertReservation: (row, { store }) => {
        store.run({ sql: overwrite }, row);
      },
    }),
  },
};
