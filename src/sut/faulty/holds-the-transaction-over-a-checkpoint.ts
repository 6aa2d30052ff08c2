import type { Passage } from "../ledger/passage.js";
import { announce, validated } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { StepStore } from "../ledger/store.js";
import type { KnownBug } from "./known-bug.js";
import { advance, request, submit } from "./witness-steps.js";

/**
 * The mistake: the transaction stays open until the attempt has stopped after its business step, on a connection
 * that all attempts share. Whoever cannot BEGIN takes what is open for a leftover of its own and rolls it back.
 */
export const holdsTheTransactionOverACheckpoint: KnownBug = {
  name: "holds-the-transaction-over-a-checkpoint",
  says: "holds a transaction open over a checkpoint, and a failed BEGIN rolls back a neighbour's",
  caughtBy: ["commit-survives", "rollback-is-complete"],
  witness: [submit("a1", request.river), advance("a1"), { kind: "observe" }],
  variant: {
    stages: () => {
      const uncommitted = new Set<Passage>();
      return {
        execute: (passage, environment) => {
          const { store, stages: step } = environment;
          try {
            store.run("begin");
            return step.write(passage, validated(passage), environment);
          } catch (error) {
            if (store.inTransaction()) store.run("rollback");
            throw error;
          }
        },
        commit: (passage) => {
          uncommitted.add(passage);
        },
        stop: async (passage, at, environment) => {
          try {
            await sound.stop(passage, at, environment);
          } finally {
            if (uncommitted.delete(passage)) commitWhatIsOpen(environment.store, passage);
          }
        },
        setPolicy: (setting, environment) => {
          const { store } = environment;
          if (store.inTransaction()) store.run("rollback");
          sound.setPolicy(setting, environment);
        },
      };
    },
  },
};

/** Does not ask whether the open transaction is the attempt's own, nor whether there is one. */
function commitWhatIsOpen(store: StepStore, passage: Passage): void {
  try {
    if (store.inTransaction()) store.run("commit");
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
  passage.events.push("effect_committed");
  announce(passage, "after_commit");
}
