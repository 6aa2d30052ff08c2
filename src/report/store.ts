import type { Consent, Event, Observation } from "../model/vocabulary.js";
import {
  callName,
  decisionRowWords,
  escalationRowWords,
  type RowWords,
  requestRowWords,
  stepRowWords,
  useRowWords,
} from "./consent-words.js";
import type { Canvas } from "./paint.js";
import { effectKey, receiptText, reservationText } from "./store-changes.js";
import { clipped, printable, wrapped } from "./text.js";
import { policyWords } from "./words.js";

/** What the store held when the event at `position` happened: the first look at it from there on, or else the last. */
export function storeAt(history: readonly Event[], position: number): Observation | undefined {
  const looks = history.flatMap((event) =>
    event.kind === "observed" ? [{ at: event.position, observation: event.observation }] : [],
  );
  return (looks.find(({ at }) => at >= position) ?? looks.at(-1))?.observation;
}

/** Effects, receipts, consent where there is any, and policy, one row a line. */
export function storeLines(observation: Observation, canvas: Canvas): readonly string[] {
  const effects = observation.effects.map((row) => {
    const by = `${printable(row.runId)}/${printable(row.callId)}`;
    return `${effectKey(row)}  policy revision ${row.revision}, by ${by}  ${clipped(row.body, 120)}`;
  });
  const receipts = observation.receipts.map(
    (row) => `${row.number}  ${receiptText(row)}, of ${printable(row.runId)}/${printable(row.callId)}`,
  );
  const lock = observation.writeLock === "held" ? [["lock", "held by an open transaction"] as const] : [];
  const rows: readonly (readonly [string, string])[] = [
    ...labelled("effects", effects),
    ...labelled("receipts", receipts),
    ...(observation.reservations === undefined
      ? []
      : labelled("reserved", observation.reservations.map(reservationText))),
    ...(observation.consent === undefined ? [] : consentRows(observation.consent)),
    ["policy", policyWords(observation.policy)],
    ...lock,
  ];
  return rows.flatMap(([label, text]) => field(label, text, 10, canvas));
}

function consentRows(consent: Consent): readonly (readonly [string, string])[] {
  return [
    ...labelled(
      "steps",
      consent.steps.map(stepRowWords).map(({ name, text }) => `${name} ${text}`),
    ),
    ...labelled("requests", consent.requests.map(requestRowWords).map(numberedLine)),
    ...labelled("decisions", consent.decisions.map(decisionRowWords).map(numberedLine)),
    ...labelled(
      "uses",
      consent.uses.map((row) => `${callName(row)}  ${useRowWords(row).text}`),
    ),
    ...labelled(
      "escalated",
      consent.escalations.map((row) => `${callName(row)}  ${escalationRowWords(row).text}`),
    ),
  ];
}

/** The label says what is numbered. */
function numberedLine({ identity, text }: RowWords): string {
  return `${identity}  ${text}`;
}

/** A label with its text beside it; the text wraps within its column. */
export function field(label: string, text: string, room: number, canvas: Canvas): readonly string[] {
  const width = Math.max(30, canvas.width - room - 4);
  return wrapped(text, width).map((line, index) => {
    const left = index === 0 ? canvas.paint.dim(label.padEnd(room)) : " ".repeat(room);
    return `    ${left}${line}`.trimEnd();
  });
}

function labelled(label: string, rows: readonly string[]): readonly (readonly [string, string])[] {
  if (rows.length === 0) return [[label, "none"]];
  return rows.map((row, index) => [index === 0 ? label : "", row] as const);
}
