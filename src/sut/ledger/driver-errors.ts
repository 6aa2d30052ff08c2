import Database from "better-sqlite3";
import type { Code } from "../../model/vocabulary.js";

export function isDriverError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError;
}

/** The vocabulary's code for what the driver said, or undefined if it has none or it was not the driver. */
export function driverCode(error: unknown): Code | undefined {
  if (!isDriverError(error)) return undefined;
  const { code } = error;
  if (code.startsWith("SQLITE_BUSY")) return "busy";
  if (code.startsWith("SQLITE_READONLY")) return "read_only";
  if (code.startsWith("SQLITE_FULL")) return "disk_full";
  return code === "SQLITE_CONSTRAINT_FOREIGNKEY" ? "commit_refused" : undefined;
}
