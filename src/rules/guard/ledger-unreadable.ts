/** A ledger cannot be used; to go on with an empty one would let every transaction in it run again. */
export class LedgerUnreadable extends Error {
  override readonly name = "LedgerUnreadable";

  constructor(
    /** The path, or the table of a database. */
    readonly ledger: string,
    seen: string,
    /** A whole sentence without its full stop. */
    next: string,
    cause?: unknown,
  ) {
    super(`the ledger ${ledger} cannot be used: ${seen}. ${next}`, cause === undefined ? {} : { cause });
  }
}

/** What to do with a ledger that is there and broken. */
export const restoreIt =
  "It is not taken for an empty one, for then every transaction in it could run again: restore it from a backup or, " +
  "once it is known what has happened, move it away to begin a new one";

/** What to do where there is no way to the ledger. */
export const correctThePath = "Correct the path, create its folder, or give this process the right to it";
