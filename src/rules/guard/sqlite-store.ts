import { existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { z } from "zod";
import { isBusy, isSqliteError, LedgerBusy } from "./ledger-busy.js";
import { correctThePath, LedgerUnreadable, restoreIt } from "./ledger-unreadable.js";
import { heldStates, type Reserving, type SyncReservationStore } from "./reservation-store.js";

const table = "commitpoint_reservations";
const stateRow = z.object({ state: z.enum(heldStates) });
const openRows = z.array(
  z.object({ key: z.string(), holder: z.string(), state: z.enum(["reserved", "unknown"]) }),
);

/**
 * Reservations in an SQLite file, shared by processes of one machine; the file may hold other tables. Waits up to
 * `busyTimeoutMs` (5000 by default) for another writer, blocking its thread. Throws `LedgerUnreadable` or `LedgerBusy`.
 */
export function sqliteStore(
  file: string,
  { busyTimeoutMs = 5000 }: { readonly busyTimeoutMs?: number } = {},
): SyncReservationStore {
  const translated = translatedErrors(file, busyTimeoutMs);
  const connection = translated(() => opened(file, busyTimeoutMs));
  const insert = connection.prepare(
    `INSERT INTO ${table} (key, holder, state) VALUES (?, ?, 'reserved') ON CONFLICT (key) DO NOTHING`,
  );
  const settle = connection.prepare(
    `INSERT INTO ${table} (key, holder, state) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE
     SET state = excluded.state WHERE holder = excluded.holder AND state <> 'done'`,
  );
  const release = connection.prepare(`DELETE FROM ${table} WHERE key = ? AND holder = ? AND state <> 'done'`);
  const select = connection.prepare(`SELECT state FROM ${table} WHERE key = ?`);
  const unsettled = connection.prepare(`SELECT key, holder, state FROM ${table} WHERE state <> 'done'`);
  const read = (key: string) => {
    const row = select.get(key);
    return row === undefined ? "free" : stateRow.parse(row).state;
  };
  // In one transaction, so that the state is that of the row that was in the way.
  const reserve = connection.transaction((key: string, holder: string): Reserving => {
    if (insert.run(key, holder).changes === 1) return { kind: "reserved" };
    return { kind: "held", ...stateRow.parse(select.get(key)) };
  });
  return {
    reserve: (key, holder) => translated(() => reserve.immediate(key, holder)),
    settle: (key, holder, state) => translated(() => void settle.run(key, holder, state)),
    release: (key, holder) => translated(() => void release.run(key, holder)),
    read: (key) => translated(() => read(key)),
    open: () => translated(() => openRows.parse(unsettled.all())),
    close: () => void connection.close(),
    warnings: [],
  };
}

function opened(file: string, busyTimeoutMs: number): Database.Database {
  if (!existsSync(dirname(file))) {
    throw new LedgerUnreadable(file, "its folder is not there", correctThePath);
  }
  const connection = new Database(file, { timeout: busyTimeoutMs });
  try {
    useWriteAheadLog(connection, Date.now() + busyTimeoutMs);
    connection.pragma("synchronous = FULL");
    connection.exec(`CREATE TABLE IF NOT EXISTS ${table} (
      key TEXT PRIMARY KEY NOT NULL,
      holder TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('reserved', 'done', 'unknown'))
    ) STRICT, WITHOUT ROWID`);
    connection.prepare(`SELECT key, holder, state FROM ${table} LIMIT 0`).all();
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Of several processes that switch a new file over at once, SQLite lets some fail without any wait. */
function useWriteAheadLog(connection: Database.Database, until: number): void {
  for (;;) {
    try {
      connection.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** The driver's errors do not name the file. */
function translatedErrors(file: string, busyTimeoutMs: number) {
  return <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      const seen = error instanceof Error ? error.message : String(error);
      if (isBusy(error)) throw new LedgerBusy(file, busyTimeoutMs, error);
      if (
        isSqliteError(error, "SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_ERROR") ||
        error instanceof z.ZodError
      ) {
        throw new LedgerUnreadable(file, seen, restoreIt, error);
      }
      if (isSqliteError(error, "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_READONLY")) {
        throw new LedgerUnreadable(file, seen, correctThePath, error);
      }
      throw error;
    }
  };
}
