import { stages as sound } from "../ledger/stages.js";
import type { StepStore } from "../ledger/store.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: a receipt counts as written once its insert has succeeded; its COMMIT is left to the next turn. */
export const acknowledgesBeforeTheCommit: KnownBug = {
  name: "acknowledges-before-the-commit",
  says: "returns accepted before the receipt's COMMIT, so that a refused COMMIT comes too late to be told",
  caughtBy: ["receipt-before-release"],
  witness: [submit("a1", request.river)],
  variant: {
    stages: () => ({
      receipt: (passage, status, code, { store, clock, stages }) =>
        sound.receipt(passage, status, code, { store: committingLater(store), clock, stages }),
    }),
  },
};

function committingLater(store: StepStore): StepStore {
  let handedOver = false;
  return {
    ...store,
    run: (name, parameters) => {
      if (name !== "commit") return store.run(name, parameters);
      handedOver = true;
      process.nextTick(() => flush(store));
      return { changes: 0, lastId: 0 };
    },
    inTransaction: () => !handedOver && store.inTransaction(),
  };
}

/** Nobody is left to be told of a failure. */
function flush(store: StepStore): void {
  try {
    store.run("commit");
  } catch {
    if (store.inTransaction()) store.run("rollback");
  }
}
