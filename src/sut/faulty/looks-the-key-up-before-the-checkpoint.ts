import type { StoredEffect } from "../ledger/effects.js";
import type { Passage } from "../ledger/passage.js";
import { validated } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: whether the key is free is asked before the wait and believed after it. */
export const looksTheKeyUpBeforeTheCheckpoint: KnownBug = {
  name: "looks-the-key-up-before-the-checkpoint",
  says: "looks the key up before the checkpoint and inserts after it",
  caughtBy: ["matches-the-machine"],
  witness: [submit("a1", request.river), submit("a2", request.river)],
  variant: {
    stages: () => {
      const found = new WeakMap<Passage, StoredEffect>();
      return {
        check: async (passage, environment) => {
          await sound.check(passage, environment);
          const stored = sound.lookup(passage, validated(passage), environment);
          if (stored !== undefined) found.set(passage, stored);
        },
        lookup: (passage) => found.get(passage),
      };
    },
  },
};
