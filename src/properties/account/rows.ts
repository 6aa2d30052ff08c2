import type { EffectRow, Observation, ReceiptRow } from "../../model/vocabulary.js";
import type { Account, Attempt } from "../account.js";

/** Receipts of this attempt: those that store its delivery. */
export function receiptsOf(attempt: Attempt, { receipts }: Observation): readonly ReceiptRow[] {
  return receipts.filter(({ delivery }) => delivery === attempt.delivery);
}

/** Effects of the key that this attempt's request means, whoever added them; none for an invalid request. */
export function effectsOf(
  attempt: Attempt,
  { tool }: Account,
  { effects }: Observation,
): readonly EffectRow[] {
  return effects.filter((row) => isEffectOf(attempt, tool, row));
}

/** Whether this attempt itself added the effect of its key. */
export function addedItsEffect(attempt: Attempt, { tool }: Account): boolean {
  return attempt.added.some((row) => isEffectOf(attempt, tool, row));
}

function isEffectOf({ contract, context }: Attempt, tool: string, row: EffectRow): boolean {
  return (
    contract.kind === "valid" &&
    row.key === contract.key &&
    row.tenant === context.tenant &&
    row.tool === (context.dispatch?.tool ?? tool) &&
    (row.key !== "" || (row.callId === context.callId && row.runId === context.runId))
  );
}
