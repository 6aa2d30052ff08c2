import { type Json, type ReservationRow, reservationStates } from "../../model/vocabulary.js";
import type { RawRow } from "../observed-rows.js";

/** One text of rules as an operator handed it over. */
export type RuleText = { readonly file: string; readonly text: string };

/** A call that came to the rules; `turn` is how many texts had been said by then. */
export type CallRow = {
  readonly turn: number;
  readonly arguments: { readonly [name: string]: Json };
  readonly outcome: CallOutcome;
};

export const callOutcomes = ["done", "nothing_happened", "unknown"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** A state that is no word of the vocabulary cannot be read, which is not the same as none. */
export function parseReservation(row: unknown): ReservationRow {
  const { tenant, key, state, delivery } = row as RawRow;
  return {
    tenant: String(tenant),
    key: String(key),
    state: reservationStates.find((known) => known === state) ?? "unreadable",
    delivery: String(delivery),
  };
}

export function parseRuleText(row: unknown): RuleText {
  const { file, text } = row as RawRow;
  return { file: String(file), text: String(text) };
}

export function parseTurn(row: unknown): string {
  const { text } = row as RawRow;
  return String(text);
}

export function parseCall(row: unknown): CallRow {
  const { turn, arguments: text, outcome } = row as RawRow;
  return {
    turn: Number(turn),
    arguments: JSON.parse(String(text)),
    outcome: callOutcomes.find((known) => known === outcome) ?? "unknown",
  };
}
