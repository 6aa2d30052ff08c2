import type { LedgerKey } from "../ledger-key.js";
import type { Eventually } from "./eventually.js";

/**
 * Where reservations are kept, one for each key. Only one of several callers that reserve a key at the same moment gets
 * it, in whatever process they are. Every method throws when the ledger cannot be read or written, and then the call
 * in question does not run: a ledger that cannot be read is never an empty one.
 */
export type ReservationStore = {
  readonly [Name in keyof SyncReservationStore]: SyncReservationStore[Name] extends (
    ...given: infer Given
  ) => infer Answer
    ? (...given: Given) => Eventually<Answer>
    : SyncReservationStore[Name];
};

/** A reservation store that answers at once; it serves wherever a `ReservationStore` does. */
export type SyncReservationStore = {
  /** `holder` is new for every call, so that nobody settles or releases what another holds. */
  readonly reserve: (key: LedgerKey, holder: string) => Reserving;
  /** Writes what is known of the holder's call, also where its reservation is gone; `done` stays `done`. */
  readonly settle: (key: LedgerKey, holder: string, state: "done" | "unknown") => void;
  /** Frees the key if this holder has it and is not done. */
  readonly release: (key: LedgerKey, holder: string) => void;
  readonly read: (key: LedgerKey) => "free" | HeldState;
  /** What is not settled, for `reconcile`. */
  readonly open: () => readonly OpenReservation[];
  readonly close: () => void;
  /** What this store cannot promise. */
  readonly warnings: readonly StoreWarning[];
};

/** `reserved`: its call runs at this moment, or its process died. `unknown`: its call may have happened. */
export const heldStates = ["reserved", "done", "unknown"] as const;
export type HeldState = (typeof heldStates)[number];

export type Reserving = { readonly kind: "reserved" } | { readonly kind: "held"; readonly state: HeldState };

export type OpenReservation = {
  readonly key: LedgerKey;
  readonly holder: string;
  readonly state: Exclude<HeldState, "done">;
};

export type StoreWarning = { readonly code: "no_reservations"; readonly message: string };
