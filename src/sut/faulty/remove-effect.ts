import { toolName } from "../ledger/effects.js";
import type { Passage } from "../ledger/passage.js";
import { validated } from "../ledger/passage.js";
import type { Store } from "../ledger/store.js";

/** Deletes the effect under the attempt's key, for executors that take a deletion for an undoing. */
export function removeEffect(store: Store, passage: Passage): void {
  store.connection
    .prepare("DELETE FROM effects WHERE tenant = ? AND tool = ? AND key = ?")
    .run(passage.call.tenant, toolName, validated(passage).job);
}
