import Database from "better-sqlite3";
import type { Observation, ReservationRow } from "../../model/vocabulary.js";
import { openObserver } from "../ledger/observer.js";
import type { Observer } from "../sqlite-process.js";
import { parseReservation } from "./rows.js";
import { ruledSql } from "./sql.js";

/** The ledger's second observer, which also sees the reservations; an unreadable one is shown as that. */
export function openRuledObserver(file: string): Observer {
  const ledger = openObserver(file);
  const connection = new Database(file, { timeout: 0 });
  connection.pragma("query_only = 1");
  const statement = connection.prepare(ruledSql.readReservations);
  let texts = "";
  let reservations: readonly ReservationRow[] = [];
  let seen: Observation | undefined;
  let last: Observation | undefined;
  return {
    read: (writeLock) => {
      // The ledger's observer answers the same object as long as nothing at all was committed.
      const now = ledger.read(writeLock);
      if (last !== undefined && now === seen) return last;
      const rows = statement.all();
      const fresh = JSON.stringify(rows);
      if (fresh !== texts) reservations = rows.map(parseReservation);
      texts = fresh;
      seen = now;
      last = { ...now, reservations };
      return last;
    },
    close: () => {
      connection.close();
      ledger.close();
    },
  };
}
