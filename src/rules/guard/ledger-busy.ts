import Database from "better-sqlite3";

/** Another process held the ledger for longer than the timeout; nothing was written and the call did not run. */
export class LedgerBusy extends Error {
  override readonly name = "LedgerBusy";

  constructor(
    readonly ledger: string,
    timeoutMs: number,
    cause: unknown,
  ) {
    super(
      `the ledger ${ledger} was held by another process for more than ${timeoutMs} ms. A process that was killed holds ` +
        "nothing, so one is still at work or was stopped: let it go on or end it, then try again; do not remove any file",
      { cause },
    );
  }
}

export function isBusy(error: unknown): boolean {
  return isSqliteError(error, "SQLITE_BUSY");
}

/** `code` is the beginning of the driver's code, so that extended codes count too. */
export function isSqliteError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Database.SqliteError && codes.some((code) => error.code.startsWith(code));
}
