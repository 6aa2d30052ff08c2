import { unreachable } from "../../model/unreachable.js";
import type { EffectRow, Outcome, Policy, ReceiptRow, StageEvent } from "../../model/vocabulary.js";
import type { StoreChange } from "../account/store-change.js";
import type { Attempt } from "../account.js";

/** How an outcome is called in a violation, such as "completed error/busy". */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "completed":
      return `completed ${outcome.status}/${outcome.code}`;
    case "audit_unavailable":
      return `audit_unavailable (${list(outcome.causes)})`;
    case "unknown":
      return `unknown/${outcome.cause}`;
    case "cancelled":
    case "refused":
    case "failed":
      return outcome.kind;
    default:
      return unreachable(outcome);
  }
}

/** How an attempt stands, such as "ended cancelled" or "is parked at after_business". */
export function standingText(attempt: Attempt): string {
  const { standing } = attempt;
  switch (standing.kind) {
    case "moving":
      return "is moving";
    case "parked":
      return `is parked at ${standing.at}`;
    case "blocked":
      return `is blocked on ${standing.on}`;
    case "ended":
      return `ended ${outcomeText(standing.outcome)}`;
    case "lost":
      return `was lost at ${standing.at}`;
    default:
      return unreachable(standing);
  }
}

export function receiptText(row: ReceiptRow): string {
  const key = row.key.kind === "none" ? "no key" : `key ${row.key.key}`;
  return (
    `receipt ${row.number} of delivery ${row.delivery}: ${row.status}/${row.code}, ${key}, ` +
    `effectExists ${row.effectExists}, events ${list(row.events)}`
  );
}

/** Such as "receipts 1, 2" or "no receipt". */
export function receiptNumbers(rows: readonly ReceiptRow[]): string {
  if (rows.length === 0) return "no receipt";
  return `${rows.length === 1 ? "receipt" : "receipts"} ${list(rows.map((row) => row.number))}`;
}

export function effectText(row: EffectRow): string {
  return `${row.key} of ${row.tenant}: digest ${row.digest}, body ${row.body}, revision ${row.revision}`;
}

export function effectKeys(rows: readonly EffectRow[]): string {
  return rows.length === 0
    ? "no effect"
    : `effect of ${list(rows.map((row) => `${row.key} of ${row.tenant}`))}`;
}

export function policyText(policy: Policy): string {
  return policy.kind === "missing"
    ? "no policy"
    : `policy revision ${policy.revision} with max_copies ${policy.maxCopies}`;
}

export function eventsText(events: readonly StageEvent[]): string {
  return events.length === 0 ? "no events" : `events ${list(events)}`;
}

/** Such as "While a2 moved" or "While no attempt moved". */
export function whileMoving(change: StoreChange): string {
  return `While ${change.mover.kind === "nobody" ? "no attempt" : change.mover.attempt.name} moved`;
}

export function list(words: readonly (string | number)[]): string {
  return words.length === 0 ? "none" : words.join(", ");
}
