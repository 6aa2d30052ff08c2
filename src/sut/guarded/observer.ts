import Database from "better-sqlite3";
import {
  type Consent,
  type DecisionRow,
  type EscalationRow,
  guardLayers,
  type LayerAction,
  type LayerResults,
  layerActions,
  type Observation,
  type Policy,
  type ReceiptRow,
  type StepRow,
  type UseRow,
} from "../../model/vocabulary.js";
import { parseEffect, parseEvents, parseStatus, type RawRow } from "../observed-rows.js";
import type { Observer } from "../sqlite-process.js";
import { parseRequest } from "./consent/rows.js";
import { guardedSql } from "./sql.js";

const effectsSql = `SELECT tenant, tool, key, digest, body, revision, run_id AS runId, call_id AS callId
  FROM effects ORDER BY tenant, tool, key, run_id, call_id`;
const receiptsSql = `SELECT number, delivery, tenant, run_id AS runId, call_id AS callId, key, status, code,
  effect_exists AS effectExists, events, layers, withheld FROM receipts ORDER BY number`;
const stepsSql = `SELECT tenant, run_id AS runId, step, call_id AS callId, replaces FROM steps ORDER BY number`;
const decisionsSql = `SELECT number, request, verdict, approver, role, decided_at AS decidedAt
  FROM decisions ORDER BY number`;
const usesSql = `SELECT tenant, run_id AS runId, call_id AS callId, tool, digest, request FROM uses ORDER BY number`;
const escalationsSql = `SELECT tenant, run_id AS runId, call_id AS callId, delivery, layer
  FROM escalations ORDER BY number`;

/** A second connection that sees committed rows alone; it never writes and holds no read transaction open. */
export function openGuardedObserver(file: string): Observer {
  const connection = new Database(file, { timeout: 0 });
  connection.pragma("query_only = 1");
  const version = connection.prepare("PRAGMA data_version").pluck();
  const list = (sql: string) => connection.prepare<[], RawRow>(sql);
  const policy = list("SELECT revision, max_copies AS maxCopies, approval FROM policy");
  const tables = {
    effects: cached(list(effectsSql), parseEffect),
    receipts: cached(list(receiptsSql), parseReceipt),
    steps: cached(list(stepsSql), parseStep),
    requests: cached(list(guardedSql.readAllRequests), parseRequest),
    decisions: cached(list(decisionsSql), parseDecision),
    uses: cached(list(usesSql), parseUse),
    escalations: cached(list(escalationsSql), parseEscalation),
  };
  let lastVersion: unknown;
  let last: Observation | undefined;
  const consentOf = (before: Consent | undefined): Consent => {
    const now: Consent = {
      steps: tables.steps(),
      requests: tables.requests(),
      decisions: tables.decisions(),
      uses: tables.uses(),
      escalations: tables.escalations(),
    };
    const isSame =
      before !== undefined &&
      before.steps === now.steps &&
      before.requests === now.requests &&
      before.decisions === now.decisions &&
      before.uses === now.uses &&
      before.escalations === now.escalations;
    return isSame ? before : now;
  };
  return {
    read: (writeLock) => {
      const now = version.get();
      if (last === undefined || now !== lastVersion) {
        lastVersion = now;
        last = {
          effects: tables.effects(),
          receipts: tables.receipts(),
          policy: parsePolicy(policy.get()),
          writeLock,
          consent: consentOf(last?.consent),
        };
      } else if (last.writeLock !== writeLock) last = { ...last, writeLock };
      return last;
    },
    close: () => connection.close(),
  };
}

/** Reads a table; the same list, and the same rows in it, while nothing of them has changed. */
function cached<Row>(
  statement: { readonly all: () => readonly RawRow[] },
  parse: (row: RawRow) => Row,
): () => readonly Row[] {
  let texts: readonly string[] = [];
  let rows: readonly Row[] = [];
  return () => {
    const raw = statement.all();
    const fresh = raw.map((row) => Object.values(row).join("|"));
    if (fresh.length === texts.length && fresh.every((text, index) => text === texts[index])) return rows;
    rows = raw.map((row, index) => {
      const known = fresh[index] === texts[index] ? rows[index] : undefined;
      return known ?? parse(row);
    });
    texts = fresh;
    return rows;
  };
}

function parseReceipt(row: RawRow): ReceiptRow {
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
    layers: parseLayers(String(row.layers)),
    raw: Object.values(row).join("|"),
  };
}

function parseLayers(text: string): LayerResults {
  const parsed: unknown = JSON.parse(text);
  const byLayer = new Map<string, unknown>(
    Object.entries(typeof parsed === "object" && parsed !== null ? parsed : {}),
  );
  const action = (layer: string): LayerAction => {
    const decision = byLayer.get(layer);
    const said =
      typeof decision === "object" && decision !== null && "action" in decision ? decision.action : "";
    return layerActions.find((known) => known === said) ?? "not_reached";
  };
  const [schema, business, capability, approval] = guardLayers;
  return {
    schema: action(schema),
    business: action(business),
    capability: action(capability),
    approval: action(approval),
  };
}

function parsePolicy(row: RawRow | undefined): Policy {
  if (row === undefined) return { kind: "missing" };
  const approval = row.approval === "required" ? "required" : "not_required";
  return { kind: "present", revision: Number(row.revision), maxCopies: Number(row.maxCopies), approval };
}

function parseStep(row: RawRow): StepRow {
  return {
    tenant: String(row.tenant),
    runId: String(row.runId),
    step: Number(row.step),
    callId: String(row.callId),
    replaces: String(row.replaces),
  };
}

function parseDecision(row: RawRow): DecisionRow {
  return {
    number: Number(row.number),
    request: Number(row.request),
    verdict: row.verdict === "grant" ? "grant" : "deny",
    approver: String(row.approver),
    role: String(row.role),
    decidedAt: Number(row.decidedAt),
  };
}

function parseUse(row: RawRow): UseRow {
  return {
    tenant: String(row.tenant),
    runId: String(row.runId),
    callId: String(row.callId),
    tool: String(row.tool),
    digest: String(row.digest),
    request: row.request === null ? "none" : Number(row.request),
  };
}

function parseEscalation(row: RawRow): EscalationRow {
  return {
    tenant: String(row.tenant),
    runId: String(row.runId),
    callId: String(row.callId),
    delivery: String(row.delivery),
    layer: row.layer === "capability" ? "capability" : "output",
  };
}
