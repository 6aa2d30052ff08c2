import type { LedgerKey } from "../ledger-key.js";
import { type Eventually, isPromiseLike } from "./eventually.js";
import type { ReservationStore, Reserving, StoreWarning, SyncReservationStore } from "./reservation-store.js";

/** A ledger of somebody's own that can only say whether it has a key, and take one in. */
export type SimpleLedger = {
  readonly seen: (key: LedgerKey) => Eventually<boolean>;
  readonly record: (key: LedgerKey) => Eventually<void>;
};
type SyncSimpleLedger = {
  readonly seen: (key: LedgerKey) => boolean;
  readonly record: (key: LedgerKey) => void;
};

/**
 * Makes a store of a ledger without reservations. Nothing is written before a call has run, so calls at the same moment
 * all pass, and a call whose process dies leaves no trace; one that may have happened is recorded as one that did.
 */
export function simpleStore(ledger: SyncSimpleLedger): SyncReservationStore;
export function simpleStore(ledger: SimpleLedger): ReservationStore;
export function simpleStore(ledger: SimpleLedger): ReservationStore {
  const read = (key: LedgerKey) =>
    mapped(ledger.seen(key), (seen): "done" | "free" => (seen ? "done" : "free"));
  return {
    reserve: (key) =>
      mapped(
        read(key),
        (state): Reserving => (state === "free" ? { kind: "reserved" } : { kind: "held", state }),
      ),
    settle: (key) => ledger.record(key),
    release: () => {},
    read,
    open: () => [],
    close: () => {},
    warnings: [noReservations],
  };
}

const noReservations: StoreWarning = {
  code: "no_reservations",
  message:
    "the store has only `seen` and `record`: two calls with one key at the same moment both run, and a process that dies " +
    "during a call leaves no trace of it; use a store with `reserve` and `release`, such as the SQLite store",
};

/** At once where the value is there at once, so that a synchronous ledger makes a synchronous store. */
function mapped<Value, Result>(value: Eventually<Value>, to: (value: Value) => Result): Eventually<Result> {
  return isPromiseLike(value) ? value.then(to) : to(value);
}
