import type { LedgerKey } from "../ledger-key.js";
import type { HeldState, OpenReservation, Reserving } from "./reservation-store.js";

/** A whole ledger in memory; rows are never changed, only replaced. */
export type Reservations = Map<LedgerKey, Reservation>;
export type Reservation = { readonly holder: string; readonly state: HeldState };

export function reserveIn(rows: Reservations, key: LedgerKey, holder: string): Reserving {
  const row = rows.get(key);
  if (row !== undefined) {
    return { kind: "held", state: row.state };
  }
  rows.set(key, { holder, state: "reserved" });
  return { kind: "reserved" };
}

export function settleIn(
  rows: Reservations,
  key: LedgerKey,
  holder: string,
  state: "done" | "unknown",
): void {
  const row = rows.get(key);
  if (row === undefined || (row.holder === holder && row.state !== "done")) {
    rows.set(key, { holder, state });
  }
}

export function releaseIn(rows: Reservations, key: LedgerKey, holder: string): void {
  const row = rows.get(key);
  if (row?.holder === holder && row.state !== "done") {
    rows.delete(key);
  }
}

export function openIn(rows: Reservations): readonly OpenReservation[] {
  return [...rows].flatMap(([key, { holder, state }]) => (state === "done" ? [] : [{ key, holder, state }]));
}
