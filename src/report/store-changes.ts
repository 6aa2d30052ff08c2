import type { EffectRow, Observation, ReceiptRow } from "../model/vocabulary.js";
import { printable } from "./text.js";
import { policyWords } from "./words.js";

/** One difference between two looks at the store. A `wrong` one is never a legal step of any executor. */
export type StoreChange = {
  readonly kind: "effect_written" | "receipt_written" | "policy_changed" | "wrong";
  readonly text: string;
};

/** What the store gained, lost and changed between two observations; everything, if there was none before. */
export function storeChanges(before: Observation | undefined, after: Observation): readonly StoreChange[] {
  if (before === after) return [];
  const effects = rowChanges(before?.effects ?? [], after.effects, effectName, effectText);
  const receipts = rowChanges(before?.receipts ?? [], after.receipts, receiptName, receiptText);
  return [
    ...effects.gained.map(({ name, text }) => change("effect_written", `${name} ${text}`)),
    ...effects.odd.map((text) => change("wrong", text)),
    ...receipts.gained.map(({ name, text }) => change("receipt_written", `${name}: ${text}`)),
    ...receipts.odd.map((text) => change("wrong", text)),
    ...policyChange(before, after),
    ...lockChange(before, after),
  ];
}

/** `JOB-001`; with its tenant where it is not the usual one. */
export function effectKey(row: EffectRow): string {
  return `${row.tenant === "t1" ? "" : `${printable(row.tenant)}/`}${printable(row.key)}`;
}

function effectName(row: EffectRow): string {
  return `effect ${effectKey(row)}`;
}

/** What a receipt says, without its number. */
export function receiptText(row: ReceiptRow): string {
  const key = row.key.kind === "none" ? "no key" : `key ${printable(row.key.key)}`;
  return `${row.status}/${printable(row.code)}, ${key}, effect ${row.effectExists ? "exists" : "does not exist"}`;
}

function receiptName(row: ReceiptRow): string {
  return `receipt ${row.number}`;
}

function effectText(row: EffectRow): string {
  return `written under policy revision ${row.revision}`;
}

function change(kind: StoreChange["kind"], text: string): StoreChange {
  return { kind, text };
}

function rowChanges<Row>(
  before: readonly Row[],
  after: readonly Row[],
  nameOf: (row: Row) => string,
  textOf: (row: Row) => string,
): { gained: readonly { name: string; text: string }[]; odd: readonly string[] } {
  const gained = without(after, before);
  const lost = without(before, after);
  const changed = new Set(lost.map(nameOf).filter((name) => gained.some((row) => nameOf(row) === name)));
  const fresh = gained.filter((row) => !changed.has(nameOf(row)));
  const twice = (row: Row) => before.some((other) => nameOf(other) === nameOf(row));
  return {
    gained: fresh.filter((row) => !twice(row)).map((row) => ({ name: nameOf(row), text: textOf(row) })),
    odd: [
      ...[...changed].map((name) => `${name} CHANGED in place`),
      ...lost.filter((row) => !changed.has(nameOf(row))).map((row) => `${nameOf(row)} REMOVED`),
      ...fresh.filter(twice).map((row) => `${nameOf(row)} written A SECOND TIME`),
    ],
  };
}

/** Rows of `rows` that `others` does not have as often. */
function without<Row>(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(JSON.stringify(other), (left.get(JSON.stringify(other)) ?? 0) + 1);
  return rows.filter((row) => {
    const count = left.get(JSON.stringify(row)) ?? 0;
    left.set(JSON.stringify(row), count - 1);
    return count <= 0;
  });
}

function policyChange(before: Observation | undefined, after: Observation): readonly StoreChange[] {
  const now = policyWords(after.policy);
  return before === undefined || policyWords(before.policy) === now
    ? []
    : [change("policy_changed", `policy is now ${now}`)];
}

function lockChange(before: Observation | undefined, after: Observation): readonly StoreChange[] {
  return after.writeLock === "held" && before?.writeLock !== "held"
    ? [change("wrong", "a transaction STAYS OPEN: the write lock is held")]
    : [];
}
