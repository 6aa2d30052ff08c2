import { fileStore } from "../../../src/rules/guard/file-store.js";
import type { SyncReservationStore } from "../../../src/rules/guard/reservation-store.js";
import { sqliteStore } from "../../../src/rules/guard/sqlite-store.js";

/** The stores that processes share by a file. */
export const openFileStore = {
  sqlite: (ledger: string): SyncReservationStore => sqliteStore(ledger, { busyTimeoutMs: 30_000 }),
  file: (ledger: string): SyncReservationStore => fileStore(ledger, { lockTimeoutMs: 30_000 }),
};

export function isFileKind(kind: string): kind is keyof typeof openFileStore {
  return Object.hasOwn(openFileStore, kind);
}
