import type { ReservationRow } from "../../model/vocabulary.js";
import { keysOf } from "../../rules/session.js";
import { toolName } from "../ledger/effects.js";
import { announce, validated } from "../ledger/passage.js";
import { Failure, Refusal } from "../ledger/refusals.js";
import { proposed } from "./conversation.js";
import { hasEffect, type RuledPassage } from "./passage.js";
import { parseReservation } from "./rows.js";
import type { RuledEnvironment } from "./stages.js";
import { inTransaction, writeAlone } from "./store.js";

/** What becomes of a row once its attempt has executed. */
export type Settling = "done" | "unknown" | "removed";

type RowName = Pick<ReservationRow, "tenant" | "key" | "delivery">;

/** What the ledger holds under the call's key. A ledger that cannot be read is an error, never an empty one. */
export function lookUp(passage: RuledPassage, { store }: RuledEnvironment): "free" | "done" | "unknown" {
  const { tenant, key } = rowOf(passage);
  const row = store.row("readReservation", { tenant, key });
  if (row === undefined) return "free";
  const { state } = parseReservation(row);
  switch (state) {
    case "unreadable":
      throw new Failure("ledger_unreadable");
    case "done":
      return "done";
    case "reserved":
    case "unknown":
      return "unknown";
  }
}

/** Takes the key before the effect, if a rule that is on asks for it. */
export function reserve(passage: RuledPassage, environment: RuledEnvironment): void {
  const { stages: step, conversation } = environment;
  if (keysOf(conversation.session, proposed(passage)).length === 0) return;
  step.insertReservation(rowOf(passage), environment);
  passage.holdsKey = true;
  passage.events.push("key_reserved");
  announce(passage, "after_reserve");
}

export function insertReservation(row: RowName, { store }: RuledEnvironment): void {
  const { changes } = writeAlone(store, "insertReservation", row);
  if (changes !== 1) throw new Refusal("blocked", "duplicate_transaction");
}

/** Settles the row of an attempt whose business step is over, if it has one; a throw leaves it as it was. */
export function settle(
  passage: RuledPassage,
  execution: "succeeded" | "failed",
  environment: RuledEnvironment,
): void {
  if (!passage.holdsKey) return;
  announce(passage, "before_settle");
  const { stages: step } = environment;
  step.putSettled(rowOf(passage), step.settledAs(passage, execution), environment);
  passage.holdsKey = false;
}

/** Only an attempt without an effect of its own proves that nothing happened. */
export function settledAs(passage: RuledPassage, execution: "succeeded" | "failed"): Settling {
  if (execution === "succeeded") return "done";
  return hasEffect(passage) ? "unknown" : "removed";
}

export function putSettled(row: RowName, as: Settling, { store }: RuledEnvironment): void {
  if (as === "removed") writeAlone(store, "removeReservation", row);
  else writeAlone(store, "settleReservation", { ...row, state: as });
}

/** Gives back the key of an attempt that never came to its business step. */
export function release(passage: RuledPassage, environment: RuledEnvironment): void {
  if (!passage.holdsKey) return;
  environment.stages.putSettled(rowOf(passage), "removed", environment);
  passage.holdsKey = false;
}

/** Settles, from the effects, each row that no attempt under way will settle, and what the trace says of its call. */
export function reconcile(environment: RuledEnvironment): void {
  const { store, stages: step, underWay } = environment;
  const open = store
    .rows("readReservations")
    .map(parseReservation)
    .filter(({ state, delivery }) => state !== "done" && !underWay.has(delivery))
    .filter((row) => step.isReconciled(row, environment));
  if (open.length === 0) return;
  inTransaction(store, () => {
    for (const { tenant, key, delivery } of open) {
      const effect = store.row("readEffect", { tenant, tool: toolName, key });
      if (effect === undefined) store.run("removeReservation", { tenant, key, delivery });
      else store.run("settleReservation", { tenant, key, delivery, state: "done" });
      // The trace must not stay in doubt of what is known now.
      store.run("settleCall", { delivery, outcome: effect === undefined ? "nothing_happened" : "done" });
    }
  });
}

function rowOf(passage: RuledPassage): RowName {
  const { tenant, delivery } = passage.call;
  return { tenant, key: validated(passage).job, delivery };
}
