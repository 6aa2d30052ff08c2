import { readEffect } from "../ledger/effects.js";
import { validated } from "../ledger/passage.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { finish, request, submit } from "./witness-steps.js";

/** The mistake: the store is the better authority, so the check is made there, on a value that is not released. */
export const checksTheStoredBody: KnownBug = {
  name: "checks-the-stored-body",
  says: "checks the stored body, not the value it releases",
  caughtBy: ["checked-every-time"],
  witness: [submit("a1", request.river, { kind: "bad_output" }), finish("a1")],
  variant: {
    stages: () => ({
      output: async (passage, value, environment) => {
        const stored = readEffect(environment.store, passage, validated(passage).job);
        await sound.output(passage, stored === undefined ? value : JSON.parse(stored.body), environment);
      },
    }),
  },
};
