import type { StoredEffect } from "../ledger/effects.js";
import { expectedOutput } from "../ledger/guards.js";
import { validated } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import { ledgerSchema } from "../ledger/store.js";
import type { KnownBug } from "./known-bug.js";
import { crashAt, request, submit } from "./witness-steps.js";

/** The mistake: the keys live in a map of the process, and nothing in the store keeps a second row out. */
export const remembersKeysInMemoryOnly: KnownBug = {
  name: "remembers-keys-in-memory-only",
  says: "remembers keys in memory only, without a unique key in the store",
  caughtBy: ["one-effect-per-key"],
  witness: [submit("a1", request.river), crashAt("a1", "after_commit")],
  variant: {
    schema: ledgerSchema.replace(/,\s*PRIMARY KEY \(tenant, tool, key\)/, ""),
    stages: () => {
      const remembered = new Map<string, StoredEffect>();
      return {
        lookup: ({ call }, { job }) => remembered.get(`${call.tenant}/${job}`),
        commit: (passage, environment) => {
          try {
            sound.commit(passage, environment);
          } finally {
            if (passage.events.includes("effect_committed")) {
              const args = validated(passage);
              const body = JSON.stringify(expectedOutput(args));
              remembered.set(`${passage.call.tenant}/${args.job}`, { digest: passage.digest, body });
            }
          }
        },
      };
    },
  },
};
