import type { SyncReservationStore } from "./reservation-store.js";
import { openIn, type Reservations, releaseIn, reserveIn, settleIn } from "./reservations.js";

/** Reservations of this process alone, forgotten when it ends. */
export function memoryStore(): SyncReservationStore {
  const rows: Reservations = new Map();
  return {
    reserve: (key, holder) => reserveIn(rows, key, holder),
    settle: (key, holder, state) => settleIn(rows, key, holder, state),
    release: (key, holder) => releaseIn(rows, key, holder),
    read: (key) => rows.get(key)?.state ?? "free",
    open: () => openIn(rows),
    close: () => {},
    warnings: [],
  };
}
