import type { EffectRow, Observation, PolicySetting, ReceiptRow } from "../../model/vocabulary.js";
import type { Attempt } from "../account.js";

/** What became of a table between two reads; a row that appears a second time counts as added. */
export type RowChanges<Row> = {
  readonly added: readonly Row[];
  readonly changed: readonly { readonly before: Row; readonly now: Row }[];
  readonly removed: readonly Row[];
};

/** Who moved between two observations: at most one attempt does. */
export type Mover = { readonly kind: "nobody" } | { readonly kind: "attempt"; readonly attempt: Attempt };

/** What lies between an observation and the one before it. */
export type StoreChange = {
  readonly before: Observation;
  readonly now: Observation;
  readonly effects: RowChanges<EffectRow>;
  readonly receipts: RowChanges<ReceiptRow>;
  readonly mover: Mover;
  /** Attempts that ended or were lost in between. */
  readonly settled: readonly Attempt[];
  /** Settings of the policy in between. */
  readonly settings: readonly PolicySetting[];
  /** Largest policy revision ever observed before `now`; 0 if none was. */
  readonly largestRevision: number;
};

/** Names an effect's place in the store: two rows with the same name are two effects of one key. */
export function effectPlace({ tenant, tool, key, runId, callId }: PlaceOfEffect): string {
  return key === "" ? `${tenant}\n${tool}\n\n${runId}\n${callId}` : `${tenant}\n${tool}\n${key}`;
}

/** A key names its effect; without one, the call does. */
export type PlaceOfEffect = Pick<EffectRow, "tenant" | "tool" | "key" | "runId" | "callId">;

export function effectChanges(
  before: readonly EffectRow[],
  now: readonly EffectRow[],
): RowChanges<EffectRow> {
  return rowChanges(before, now, effectPlace, sameEffect);
}

export function receiptChanges(
  before: readonly ReceiptRow[],
  now: readonly ReceiptRow[],
): RowChanges<ReceiptRow> {
  return rowChanges(before, now, (row) => row.number, sameReceipt);
}

/** Whether anything of a table differs between the two reads. */
export function isUntouched<Row>(changes: RowChanges<Row>): boolean {
  return changes.added.length === 0 && changes.changed.length === 0 && changes.removed.length === 0;
}

const untouched = { added: [], changed: [], removed: [] } as const;

function rowChanges<Row>(
  before: readonly Row[],
  now: readonly Row[],
  place: (row: Row) => string | number,
  same: (one: Row, other: Row) => boolean,
): RowChanges<Row> {
  if (before === now) return untouched;
  const unmatched = new Map<string | number, Row[]>();
  for (const row of before) {
    const sharing = unmatched.get(place(row));
    if (sharing === undefined) unmatched.set(place(row), [row]);
    else sharing.push(row);
  }
  const added: Row[] = [];
  const changed: { readonly before: Row; readonly now: Row }[] = [];
  for (const row of now) {
    const earlier = unmatched.get(place(row))?.shift();
    if (earlier === undefined) added.push(row);
    else if (earlier !== row && !same(earlier, row)) changed.push({ before: earlier, now: row });
  }
  return { added, changed, removed: [...unmatched.values()].flat() };
}

function sameEffect(one: EffectRow, other: EffectRow): boolean {
  return (
    one.digest === other.digest &&
    one.body === other.body &&
    one.revision === other.revision &&
    one.runId === other.runId &&
    one.callId === other.callId
  );
}

function sameReceipt(one: ReceiptRow, other: ReceiptRow): boolean {
  return (
    one.delivery === other.delivery &&
    one.tenant === other.tenant &&
    one.runId === other.runId &&
    one.callId === other.callId &&
    keyText(one) === keyText(other) &&
    one.status === other.status &&
    one.code === other.code &&
    one.effectExists === other.effectExists &&
    one.events.join() === other.events.join() &&
    one.raw === other.raw
  );
}

function keyText(row: ReceiptRow): string {
  return row.key.kind === "none" ? "none" : `key ${row.key.key}`;
}
