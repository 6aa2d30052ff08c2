import type { LedgerKey } from "../ledger-key.js";

/**
 * The tool has run and given its value, and the ledger could not be told. Its keys stay reserved: repetitions are refused,
 * with outcome unknown, until `reconcile`.
 */
export class NotSettled extends Error {
  override readonly name = "NotSettled";

  constructor(
    /** What the tool returned. */
    readonly value: unknown,
    readonly keys: readonly LedgerKey[],
    cause: unknown,
  ) {
    super(
      `the tool has run, but the ledger could not be told (${String(cause)}); do not call it again: its value is in ` +
        "`value`, and `reconcile` settles its keys once the ledger can be written",
      { cause },
    );
  }
}
