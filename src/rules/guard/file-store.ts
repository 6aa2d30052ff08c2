import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { LedgerKey } from "../ledger-key.js";
import { fileLock } from "./file-lock.js";
import { readLedgerFile, writeLedgerFile } from "./ledger-file.js";
import { correctThePath, LedgerUnreadable } from "./ledger-unreadable.js";
import type { SyncReservationStore } from "./reservation-store.js";
import { openIn, type Reservations, releaseIn, reserveIn, settleIn } from "./reservations.js";

/**
 * Reservations in a JSON file, shared by processes of one machine. Every change writes the whole file while it holds
 * `<file>.lock`, and waits up to `lockTimeoutMs` (5000 by default) for it, blocking its thread. Throws
 * `LedgerUnreadable` or `LedgerBusy`.
 */
export function fileStore(
  file: string,
  { lockTimeoutMs = 5000 }: { readonly lockTimeoutMs?: number } = {},
): SyncReservationStore {
  const place = realPlace(file);
  readLedgerFile(place);
  const lock = fileLock(`${place}.lock`, place, lockTimeoutMs);
  const change = <Answer>(key: LedgerKey, by: (rows: Reservations) => Answer): Answer =>
    lock.hold(() => {
      const rows = readLedgerFile(place);
      const before = rows.get(key);
      const answer = by(rows);
      if (rows.get(key) !== before) writeLedgerFile(place, rows);
      return answer;
    });
  return {
    reserve: (key, holder) => change(key, (rows) => reserveIn(rows, key, holder)),
    settle: (key, holder, state) => change(key, (rows) => settleIn(rows, key, holder, state)),
    release: (key, holder) => change(key, (rows) => releaseIn(rows, key, holder)),
    // The file is only ever replaced whole, so that reading needs no lock.
    read: (key) => readLedgerFile(place).get(key)?.state ?? "free",
    open: () => openIn(readLedgerFile(place)),
    close: lock.close,
    warnings: [],
  };
}

/** Processes that know the file by different names have to meet at one lock. */
function realPlace(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Not there yet: then its folder has to be.
  }
  try {
    return join(realpathSync(dirname(file)), basename(file));
  } catch (error) {
    throw new LedgerUnreadable(file, `its folder is not there (${String(error)})`, correctThePath, error);
  }
}
