import type { KnownBug } from "./known-bug.js";
import { changePolicy, crashWhileParked } from "./witness-steps.js";

/** The mistake: an empty policy table is taken for a store that was not set up completely. */
export const recreatesThePolicyAtRestart: KnownBug = {
  name: "recreates-the-policy-at-restart",
  says: "puts the first policy back at a restart after an operator has removed the row",
  caughtBy: ["revision-only-grows"],
  witness: [changePolicy("remove"), crashWhileParked],
  variant: {
    onOpen: (store) => {
      store.run({
        sql: `INSERT INTO policy (singleton, revision, max_copies)
          SELECT 1, 1, 3 FROM policy_revisions WHERE last > 0 ON CONFLICT DO NOTHING`,
      });
    },
  },
};
