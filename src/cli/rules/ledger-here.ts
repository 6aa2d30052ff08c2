import { statSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";
import { UsageError } from "../../config/usage-error.js";
import { fileStore } from "../../rules/guard/file-store.js";
import { readLedgerFile } from "../../rules/guard/ledger-file.js";
import { LedgerUnreadable } from "../../rules/guard/ledger-unreadable.js";
import { memoryStore } from "../../rules/guard/memory-store.js";
import type { SyncReservationStore } from "../../rules/guard/reservation-store.js";
import { sqliteStore } from "../../rules/guard/sqlite-store.js";
import type { Session } from "../session.js";

/**
 * The ledger that `--store` names: `sqlite:path`, or the path of a JSON file with or without `file:` before it. To ask,
 * nothing is created or changed: what is not there yet is an empty ledger.
 *
 * @throws UsageError where the ledger cannot be read
 */
export function ledgerHere(
  { io }: Session,
  text: string | undefined,
  purpose: "ask" | "record",
): SyncReservationStore {
  if (text === undefined) return memoryStore();
  const [, scheme = "file", given = text] = /^(file|sqlite):(.*)$/s.exec(text) ?? [];
  const place = `--store ${text}`;
  if (given === "") throw new UsageError({ message: `expected a path after "${scheme}:"`, place });
  const path = resolve(io.cwd, given);
  return readable(place, () => {
    if (purpose === "record") return scheme === "sqlite" ? sqliteStore(path) : fileStore(path);
    return scheme === "sqlite" ? sqliteToAsk(path) : fileToAsk(path);
  });
}

/** @throws UsageError in the place of `LedgerUnreadable` */
export function readable<Value>(place: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof LedgerUnreadable) throw new UsageError({ message: error.message, place });
    throw error;
  }
}

/** A file store would create its lock. */
function fileToAsk(path: string): SyncReservationStore {
  const rows = readLedgerFile(path);
  return { ...memoryStore(), read: (key) => rows.get(key)?.state ?? "free" };
}

/** An SQLite store would create the file and its table. */
function sqliteToAsk(path: string): SyncReservationStore {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || !hasReservations(path)) return memoryStore();
  return sqliteStore(path);
}

function hasReservations(path: string): boolean {
  try {
    const connection = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const found = connection
        .prepare("SELECT 1 FROM sqlite_master WHERE name = 'commitpoint_reservations'")
        .get();
      return found !== undefined;
    } finally {
      connection.close();
    }
  } catch {
    // The store tells what is wrong with it; a file that is no database is left as it is.
    return true;
  }
}
