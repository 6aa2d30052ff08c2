import Database from "better-sqlite3";
import type { Observation, Policy, ReceiptRow } from "../../model/vocabulary.js";
import { parseEffect, parseEvents, parseStatus, type RawRow } from "../observed-rows.js";
import type { Observer } from "../sqlite-process.js";

const effectsSql = `SELECT tenant, tool, key, digest, body, revision, run_id AS runId, call_id AS callId
  FROM effects ORDER BY tenant, tool, key`;
const receiptsSql = `SELECT number, delivery, tenant, run_id AS runId, call_id AS callId, key, status, code,
  effect_exists AS effectExists, events FROM receipts ORDER BY number`;

/** A second connection that sees committed rows alone; it never writes and holds no read transaction open. */
export function openObserver(file: string): Observer {
  const connection = new Database(file, { timeout: 0 });
  connection.pragma("query_only = 1");
  const version = connection.prepare("PRAGMA data_version").pluck();
  const effects = connection.prepare<[], RawRow>(effectsSql);
  const receipts = connection.prepare<[], RawRow>(receiptsSql);
  const policy = connection.prepare<[], RawRow>("SELECT revision, max_copies AS maxCopies FROM policy");
  let lastVersion: unknown;
  let last: Observation | undefined;
  const receiptCache = new Map<number, ReceiptRow>();

  const readReceipt = (row: RawRow): ReceiptRow => {
    const raw = rawText(row);
    const known = receiptCache.get(Number(row.number));
    if (known !== undefined && known.raw === raw) return known;
    const parsed = parseReceipt(row, raw);
    receiptCache.set(parsed.number, parsed);
    return parsed;
  };

  return {
    read: (writeLock) => {
      const now = version.get();
      if (last === undefined || now !== lastVersion) {
        lastVersion = now;
        last = {
          effects: effects.all().map(parseEffect),
          receipts: receipts.all().map(readReceipt),
          policy: parsePolicy(policy.get()),
          writeLock,
        };
      } else if (last.writeLock !== writeLock) last = { ...last, writeLock };
      return last;
    },
    close: () => connection.close(),
  };
}

function rawText(row: RawRow): string {
  return `${row.number}|${row.delivery}|${row.tenant}|${row.runId}|${row.callId}|${row.key}|${row.status}|${row.code}|${row.effectExists}|${row.events}`;
}

function parseReceipt(row: RawRow, raw: string): ReceiptRow {
  return {
    number: Number(row.number),
    delivery: String(row.delivery),
    tenant: String(row.tenant),
    runId: String(row.runId),
    callId: String(row.callId),
    key: row.key === null || row.key === undefined ? { kind: "none" } : { kind: "key", key: String(row.key) },
    status: parseStatus(row.status),
    code: String(row.code),
    effectExists: row.effectExists === 1,
    events: parseEvents(String(row.events)),
    raw,
  };
}

function parsePolicy(row: RawRow | undefined): Policy {
  if (row === undefined) return { kind: "missing" };
  return { kind: "present", revision: Number(row.revision), maxCopies: Number(row.maxCopies) };
}
