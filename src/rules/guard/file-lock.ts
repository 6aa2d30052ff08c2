import Database from "better-sqlite3";
import { isBusy, isSqliteError, LedgerBusy } from "./ledger-busy.js";
import { LedgerUnreadable } from "./ledger-unreadable.js";

export type FileLock = {
  /** Throws `LedgerBusy` when the lock is not free within the timeout; the work has not begun then. */
  readonly hold: <Value>(work: () => Value) => Value;
  readonly close: () => void;
};

/**
 * A lock between processes: the exclusive transaction of an SQLite file, into which nothing is ever written. The
 * operating system frees it when its holder dies, so it is never broken by age, and a holder that was only stopped
 * keeps it.
 */
export function fileLock(file: string, guards: string, timeoutMs: number): FileLock {
  const connection = new Database(file, { timeout: timeoutMs });
  let isPrepared = false;
  const begin = (): void => {
    try {
      if (!isPrepared) {
        // Without this an empty file gets a journal beside it, which a killed holder would leave behind.
        connection.pragma("journal_mode = MEMORY");
        isPrepared = true;
      }
      connection.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      if (isBusy(error)) throw new LedgerBusy(guards, timeoutMs, error);
      if (isSqliteError(error, "SQLITE_NOTADB", "SQLITE_CORRUPT")) {
        throw new LedgerUnreadable(
          file,
          "it is only a lock and something else was written into it",
          "Remove it while no process uses the ledger",
          error,
        );
      }
      throw error;
    }
  };
  return {
    hold: (work) => {
      begin();
      try {
        return work();
      } finally {
        connection.exec("ROLLBACK");
      }
    },
    close: () => {
      connection.close();
    },
  };
}
