import type { DecisionVerdict, RequestRow } from "../../../model/vocabulary.js";

export type StoredUse = { readonly tool: string; readonly digest: string };
type StoredDecision = {
  readonly number: number;
  readonly request: number;
  readonly verdict: DecisionVerdict;
};

/** Rows come out of a strict table, so a column that is missing is a mistake of this program. */
export function parseRequest(row: unknown): RequestRow {
  const column = columnsOf(row);
  return {
    number: Number(column("number")),
    tenant: String(column("tenant")),
    runId: String(column("runId")),
    callId: String(column("callId")),
    principal: String(column("principal")),
    tool: String(column("tool")),
    digest: String(column("digest")),
    revision: Number(column("revision")),
    role: String(column("role")),
    requestedAt: Number(column("requestedAt")),
    expiresAt: Number(column("expiresAt")),
  };
}

export function parseDecision(row: unknown): StoredDecision {
  const column = columnsOf(row);
  return {
    number: Number(column("number")),
    request: Number(column("request")),
    verdict: column("verdict") === "grant" ? "grant" : "deny",
  };
}

export function parseUse(row: unknown): StoredUse {
  const column = columnsOf(row);
  return { tool: String(column("tool")), digest: String(column("digest")) };
}

export function columnsOf(row: unknown): (name: string) => unknown {
  if (typeof row !== "object" || row === null) throw new Error("a row was expected, and there is none");
  const columns = new Map<string, unknown>(Object.entries(row));
  return (name) => {
    const value = columns.get(name);
    if (value === undefined) throw new Error(`a row has no column ${name}`);
    return value;
  };
}
