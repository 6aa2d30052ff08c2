import { allOf, type Footprint, joined } from "./footprint.js";

/** Collects what an executor touches in its store and around it, from one `take` to the next. */
export type StoreFootprints = {
  readonly kind: "reported";
  readonly watch: () => void;
  /** Whether anybody asked; if not, nothing needs to be worked out. */
  readonly isWatched: () => boolean;
  /** A statement of the executor is about to run. */
  readonly ran: (statement: Footprint) => void;
  /** The executor asked whether a transaction is open. */
  readonly asked: () => void;
  /** The executor took the next value of something that all attempts share, such as a clock. */
  readonly drew: (from: "#clock" | "#ids") => void;
  readonly take: () => Footprint;
};

/**
 * `isInTransaction` says whether the executor's connection has a transaction open. One that is open between two steps
 * is theirs together: it decides what each statement of any other step sees, and whether what it writes will stay.
 */
export function storeFootprints(isInTransaction: () => boolean): StoreFootprints {
  let watched = false;
  let touched: Footprint[] = [];
  let wasOpen = false;
  const asked = (): void => {
    if (watched) touched.push(transactionRead);
  };
  return {
    kind: "reported",
    watch: () => {
      watched = true;
      wasOpen = isInTransaction();
    },
    isWatched: () => watched,
    ran: (statement) => {
      touched.push(statement);
      asked();
    },
    asked,
    drew: (from) => {
      if (watched) touched.push(drawn[from]);
    },
    take: () => {
      const isOpen = isInTransaction();
      if (isOpen || wasOpen) touched.push(transactionWritten);
      const all = joined(touched);
      touched = [];
      wasOpen = isOpen;
      return all;
    },
  };
}

const writing = (table: string): Footprint => ({ kind: "known", reads: [], writes: [allOf(table)] });

const transactionRead: Footprint = { kind: "known", reads: [allOf("#transaction")], writes: [] };
const transactionWritten = writing("#transaction");
const drawn = { "#clock": writing("#clock"), "#ids": writing("#ids") } as const;
