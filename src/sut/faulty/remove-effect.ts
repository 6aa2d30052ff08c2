import { toolName } from "../ledger/effects.js";
import type { Passage } from "../ledger/passage.js";
import { validated } from "../ledger/passage.js";
import type { StepStore } from "../ledger/store.js";

/** Deletes the effect under the attempt's key, for executors that take a deletion for an undoing. */
export function removeEffect(store: StepStore, passage: Passage): void {
  const { tenant } = passage.call;
  store.run(
    { sql: "DELETE FROM effects WHERE tenant = @tenant AND tool = @tool AND key = @key" },
    { tenant, tool: toolName, key: validated(passage).job },
  );
}
