import { type EffectRow, type StageEvent, type Status, stageEvents, statuses } from "../model/vocabulary.js";

/** A row as the driver gives it. */
export type RawRow = { readonly [column: string]: string | number | null };

export function parseEffect(row: RawRow): EffectRow {
  return {
    tenant: String(row.tenant),
    tool: String(row.tool),
    key: String(row.key),
    digest: String(row.digest),
    body: String(row.body),
    revision: Number(row.revision),
    runId: String(row.runId),
    callId: String(row.callId),
  };
}

/** Throws for a status that the vocabulary does not have. */
export function parseStatus(value: unknown): Status {
  const status = statuses.find((known) => known === value);
  if (status === undefined)
    throw new Error(`the store holds a receipt with the unknown status ${String(value)}`);
  return status;
}

/** Throws for what is no list of the vocabulary's stage events. */
export function parseEvents(text: string): readonly StageEvent[] {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) throw new Error("the store holds a receipt whose events are not a list");
  return parsed.map((value) => {
    const event = stageEvents.find((known) => known === value);
    if (event === undefined) throw new Error(`the store holds the unknown stage event ${String(value)}`);
    return event;
  });
}
