import { announce } from "../ledger/passage.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: after the insert the work counts as done, and COMMIT as a formality. */
export const saysCommittedBeforeTheCommit: KnownBug = {
  name: "says-committed-before-the-commit",
  says: "records effect_committed before COMMIT has succeeded",
  caughtBy: ["receipt-tells-truth"],
  witness: [submit("a1", request.river, { kind: "commit_refused", stage: "execute" }), finish("a1")],
  variant: {
    stages: () => ({
      commit: (passage, { store }) => {
        passage.events.push("effect_committed");
        store.run("commit");
        announce(passage, "after_commit");
      },
    }),
  },
};
