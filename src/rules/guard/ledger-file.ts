import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { correctThePath, LedgerUnreadable, restoreIt } from "./ledger-unreadable.js";
import { heldStates } from "./reservation-store.js";
import type { Reservations } from "./reservations.js";

/** `reservations` is a list, since the keys of a JSON object cannot be told apart from its inherited names. */
const shape = z.strictObject({
  commitpoint_ledger: z.literal(1),
  reservations: z.array(
    z.strictObject({ key: z.string(), holder: z.string(), state: z.enum(heldStates) }).readonly(),
  ),
});

/** Reads a whole ledger file. A missing file or one of no bytes is a new ledger; throws `LedgerUnreadable`. */
export function readLedgerFile(file: string): Reservations {
  const bytes = bytesOf(file);
  if (bytes.length === 0) {
    return new Map();
  }
  const ledger = shape.safeParse(parsed(file, bytes));
  if (!ledger.success) {
    throw new LedgerUnreadable(file, `it is JSON of another shape (${firstIssue(ledger.error)})`, restoreIt);
  }
  const rows: Reservations = new Map();
  for (const { key, holder, state } of ledger.data.reservations) {
    if (rows.has(key))
      throw new LedgerUnreadable(file, `the key ${JSON.stringify(key)} stands there twice`, restoreIt);
    rows.set(key, { holder, state });
  }
  return rows;
}

/**
 * Replaces a ledger file at once, durably: whoever reads it or loses power meets the old or the new one, whole. Only
 * for the holder of the ledger's lock.
 */
export function writeLedgerFile(file: string, rows: Reservations): void {
  const reservations = Array.from(rows, ([key, { holder, state }]) => ({ key, holder, state }));
  const text = `${JSON.stringify({ commitpoint_ledger: 1, reservations }, undefined, 1)}\n`;
  // One fixed name: what a killed process leaves there the next one overwrites.
  const next = `${file}.next`;
  const descriptor = openSync(next, "w");
  try {
    const before = statSync(file, { throwIfNoEntry: false });
    if (before !== undefined) fchmodSync(descriptor, before.mode);
    writeAll(descriptor, Buffer.from(text));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
  syncFolder(dirname(file));
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return Buffer.alloc(0);
    throw new LedgerUnreadable(file, String(error), correctThePath, error);
  }
}

function parsed(file: string, bytes: Buffer): unknown {
  try {
    // Broken text would otherwise become other text, and a key that is no longer the one it was.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new LedgerUnreadable(file, "it is no JSON text", restoreIt, error);
  }
}

function firstIssue({ issues }: z.ZodError): string {
  const [issue] = issues;
  return issue === undefined ? "" : `at ${JSON.stringify(issue.path)}: ${issue.message}`;
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written);
  }
}

/** A rename lasts only once its folder is written; Windows has no way to ask for that. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") {
    return;
  }
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
