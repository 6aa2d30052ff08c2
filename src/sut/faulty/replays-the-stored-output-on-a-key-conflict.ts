import type { Passage } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: a known key is answered from the store, as a cache would, and what it answers was checked once. */
export const replaysTheStoredOutputOnAKeyConflict: KnownBug = {
  name: "replays-the-stored-output-on-a-key-conflict",
  says: "replays the stored output when the same key comes with other arguments",
  caughtBy: ["key-binds-arguments"],
  witness: [submit("a1", request.river), submit("a2", request.forest)],
  variant: {
    stages: () => {
      const replayed = new WeakSet<Passage>();
      return {
        lookup: (passage, args, environment) => {
          const stored = sound.lookup(passage, args, environment);
          if (stored === undefined || stored.digest === passage.digest) return stored;
          replayed.add(passage);
          return { ...stored, digest: passage.digest };
        },
        output: async (passage, value, environment) => {
          if (!replayed.has(passage)) await sound.output(passage, value, environment);
        },
      };
    },
  },
};
