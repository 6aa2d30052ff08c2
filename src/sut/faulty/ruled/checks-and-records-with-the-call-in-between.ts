import { request, submit } from "../witness-steps.js";
import type { RuledBug } from "./ruled-bug.js";
import { once } from "./ruled-steps.js";

const record = `INSERT OR REPLACE INTO reservations (tenant, key, state, delivery)
  VALUES (@tenant, @key, @state, @delivery)`;

/** The mistake: the ledger is asked before the call and written after it, and every call in between finds it empty. */
export const checksAndRecordsWithTheCallInBetween: RuledBug = {
  name: "checks-and-records-with-the-call-in-between",
  says: "writes a key into the ledger only once its call is over",
  caughtBy: ["reservation-is-exclusive"],
  witness: [once, submit("a1", request.river), submit("a2", request.river)],
  variant: {
    stages: () => ({
      insertReservation: () => {},
      putSettled: (row, as, { store }) => {
        if (as !== "removed") store.run({ sql: record }, { ...row, state: as });
      },
    }),
  },
};
