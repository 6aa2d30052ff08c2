import type {
  Consent,
  EffectRow,
  LayerResults,
  Observation,
  ReceiptRow,
  ReservationRow,
} from "../model/vocabulary.js";
import {
  callName,
  decisionRowWords,
  escalationRowWords,
  type RowWords,
  requestRowWords,
  stepRowWords,
  useRowWords,
} from "./consent-words.js";
import { printable } from "./text.js";
import { policyWords } from "./words.js";

/** What a change to the store is about. */
type ChangeKind =
  | "step_written"
  | "request_written"
  | "decision_written"
  | "use_written"
  | "escalation_written"
  | "effect_written"
  | "receipt_written"
  | "reservation_written"
  | "policy_changed"
  | "wrong";

/** One difference between two looks at the store. A `wrong` one is never a legal step of any executor. */
export type StoreChange = { readonly kind: ChangeKind; readonly text: string };

/** What the store gained, lost and changed between two observations; everything, if there was none before. */
export function storeChanges(before: Observation | undefined, after: Observation): readonly StoreChange[] {
  if (before === after) return [];
  const effects = rowChanges(before?.effects ?? [], after.effects, effectWords);
  const receipts = rowChanges(before?.receipts ?? [], after.receipts, receiptWords);
  return [
    ...changesOf("effect_written", effects, " "),
    ...changesOf("receipt_written", receipts, ": "),
    ...reservationChanges(before?.reservations ?? [], after.reservations ?? []),
    ...consentChanges(before?.consent ?? noConsent, after.consent ?? noConsent),
    ...policyChange(before, after),
    ...lockChange(before, after),
  ];
}

const noConsent: Consent = { steps: [], requests: [], decisions: [], uses: [], escalations: [] };

function consentChanges(before: Consent, after: Consent): readonly StoreChange[] {
  if (before === after) return [];
  const { steps, requests, decisions, uses, escalations } = after;
  return [
    ...changesOf("step_written", rowChanges(before.steps, steps, stepRowWords), " "),
    ...changesOf("request_written", rowChanges(before.requests, requests, requestRowWords), ": "),
    ...changesOf("decision_written", rowChanges(before.decisions, decisions, decisionRowWords), ": "),
    ...changesOf("use_written", rowChanges(before.uses, uses, useRowWords), ": "),
    ...changesOf("escalation_written", rowChanges(before.escalations, escalations, escalationRowWords), " "),
  ];
}

/** A reservation comes, is settled and goes; none of that is wrong by itself. */
function reservationChanges(
  before: readonly ReservationRow[],
  after: readonly ReservationRow[],
): readonly StoreChange[] {
  const gone = before.filter((row) => !after.some((other) => sameKey(row, other)));
  return [
    ...without(after, before).map((row) =>
      change("reservation_written", `reservation ${reservationText(row)}`),
    ),
    ...gone.map((row) => change("reservation_written", `reservation ${keyText(row)} released`)),
  ];
}

function sameKey(one: ReservationRow, other: ReservationRow): boolean {
  return one.tenant === other.tenant && one.key === other.key;
}

/** The key, its state, and the attempt that reserved it. */
export function reservationText(row: ReservationRow): string {
  return `${keyText(row)} ${row.state}, by ${printable(row.delivery.replace(/^d-/, ""))}`;
}

function keyText({ tenant, key }: ReservationRow): string {
  return `${tenant === "t1" ? "" : `${printable(tenant)}/`}${printable(key)}`;
}

/** `JOB-001`; with its tenant where it is not the usual one, and by its call where its tool has no business key. */
export function effectKey(row: EffectRow): string {
  if (row.key === "") return `${printable(row.tool)} of ${callName(row)}`;
  return `${row.tenant === "t1" ? "" : `${printable(row.tenant)}/`}${printable(row.key)}`;
}

function effectWords(row: EffectRow): RowWords {
  const { tenant, tool, key, runId, callId } = row;
  const place = key === "" ? [tenant, tool, key, runId, callId] : [tenant, key];
  return {
    identity: JSON.stringify(place),
    name: `effect ${effectKey(row)}`,
    text: `written under policy revision ${row.revision}`,
  };
}

/** What a receipt says, without its number. */
export function receiptText(row: ReceiptRow): string {
  const key = row.key.kind === "none" ? "no key" : `key ${printable(row.key.key)}`;
  const effect = `effect ${row.effectExists ? "exists" : "does not exist"}`;
  return `${row.status}/${printable(row.code)}, ${key}, ${effect}${layerText(row.layers)}`;
}

/** The layers that did not allow it. */
function layerText(layers: LayerResults | undefined): string {
  return Object.entries(layers ?? {})
    .filter(([, action]) => action !== "allow" && action !== "not_reached")
    .map(([layer, action]) => `, ${layer}: ${action}`)
    .join("");
}

function receiptWords(row: ReceiptRow): RowWords {
  return { identity: String(row.number), name: `receipt ${row.number}`, text: receiptText(row) };
}

function change(kind: ChangeKind, text: string): StoreChange {
  return { kind, text };
}

type RowChanges = { readonly gained: readonly RowWords[]; readonly odd: readonly string[] };

function changesOf(kind: ChangeKind, { gained, odd }: RowChanges, between: string): readonly StoreChange[] {
  return [
    ...gained.map(({ name, text }) => change(kind, `${name}${between}${text}`)),
    ...odd.map((text) => change("wrong", text)),
  ];
}

function rowChanges<Row>(
  before: readonly Row[],
  after: readonly Row[],
  wordsOf: (row: Row) => RowWords,
): RowChanges {
  if (before === after) return { gained: [], odd: [] };
  const gained = without(after, before).map(wordsOf);
  const lost = without(before, after).map(wordsOf);
  const known = new Set(before.map((row) => wordsOf(row).identity));
  const replaced = new Set(gained.map(({ identity }) => identity));
  const changed = new Map(
    lost.filter(({ identity }) => replaced.has(identity)).map(({ identity, name }) => [identity, name]),
  );
  const fresh = gained.filter(({ identity }) => !changed.has(identity));
  return {
    gained: fresh.filter(({ identity }) => !known.has(identity)),
    odd: [
      ...[...changed.values()].map((name) => `${name} CHANGED in place`),
      ...lost.filter(({ identity }) => !changed.has(identity)).map(({ name }) => `${name} REMOVED`),
      ...fresh
        .filter(({ identity }) => known.has(identity))
        .map(({ name }) => `${name} written A SECOND TIME`),
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
