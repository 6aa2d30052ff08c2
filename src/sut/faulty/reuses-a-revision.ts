import { readPolicy } from "../ledger/policy.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { changePolicy } from "./witness-steps.js";

/** The mistake: a revision is taken to name what a policy says, so the old value gets its old number back. */
export const reusesARevision: KnownBug = {
  name: "reuses-a-revision",
  says: "gives a policy its old revision number back when the old value is restored",
  caughtBy: ["revision-only-grows"],
  witness: [changePolicy("remove"), changePolicy(3)],
  variant: {
    stages: () => {
      const replaced = new Map<number, number>();
      return {
        setPolicy: (setting, environment) => {
          const { store } = environment;
          const before = readPolicy(store);
          const limit = setting.kind === "limit" ? setting.maxCopies : undefined;
          if (before !== undefined && before.maxCopies !== limit) {
            replaced.set(before.maxCopies, before.revision);
          }
          sound.setPolicy(setting, environment);
          const old = limit === undefined ? undefined : replaced.get(limit);
          if (old !== undefined) store.run({ sql: "UPDATE policy SET revision = @old" }, { old });
        },
      };
    },
  },
};
