import type { ReservationRow } from "../../../model/vocabulary.js";
import { parseReservation } from "../../ruled/rows.js";
import { ruledStages as sound } from "../../ruled/stages.js";
import { finish, request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { once } from "./ruled-steps.js";

const insert = `INSERT INTO reservations (tenant, key, state, delivery)
  VALUES (@tenant, @key, @state, @delivery)`;

/** The mistake: the ledger is one text that is read, changed and written back, with the call in between. */
export const writesTheLedgerWithoutALock: RuledBug = {
  name: "writes-the-ledger-without-a-lock",
  says: "writes the whole ledger back as it was when the attempt reserved its key",
  caughtBy: ["reservation-is-exclusive"],
  witness: [once, submit("a1", request.otherKey), submit("a2", request.river), finish("a2")],
  variant: {
    stages: () => {
      const read = new Map<string, readonly ReservationRow[]>();
      return {
        insertReservation: (row, environment) => {
          sound.insertReservation(row, environment);
          read.set(row.delivery, environment.store.rows("readReservations").map(parseReservation));
        },
        putSettled: (row, as, { store }) => {
          store.run("begin");
          store.run({ sql: "DELETE FROM reservations" });
          for (const known of read.get(row.delivery) ?? []) {
            const state = known.delivery === row.delivery ? as : known.state;
            if (state !== "removed") store.run({ sql: insert }, { ...known, state });
          }
          store.run("commit");
        },
      };
    },
  },
};
