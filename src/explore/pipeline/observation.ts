import type { AttemptName, EffectRow, Observation, ReceiptRow } from "../../model/vocabulary.js";
import type { Effect, Receipt, World } from "../../model/world.js";

/** What a second observer would read from the store of a world. */
export function observationOf({
  effects,
  receipts,
  policy,
}: Pick<World, "effects" | "receipts" | "policy">): Observation {
  return {
    effects: rowsOf(effectRows, effects, effectRow),
    receipts: rowsOf(receiptRows, receipts, receiptRow),
    policy,
    writeLock: "free",
  };
}

const effectRows = new WeakMap<readonly Effect[], readonly EffectRow[]>();
const receiptRows = new WeakMap<readonly Receipt[], readonly ReceiptRow[]>();

/** The same lists for the same rows, as a reader gets them while nothing is written. */
function rowsOf<Held, Row>(
  read: WeakMap<readonly Held[], readonly Row[]>,
  held: readonly Held[],
  row: (one: Held) => Row,
): readonly Row[] {
  const known = read.get(held) ?? held.map(row);
  read.set(held, known);
  return known;
}

function effectRow(effect: Effect): EffectRow {
  return { ...effect, body: `body of ${effect.digest}` };
}

function receiptRow({ attempt, ...receipt }: Receipt): ReceiptRow {
  const raw = `${receipt.number} ${attempt} ${receipt.status} ${receipt.code} ${receipt.effectExists}`;
  return { ...receipt, delivery: deliveryOf(attempt), raw };
}

export function deliveryOf(attempt: AttemptName): string {
  return `d-${attempt}`;
}
