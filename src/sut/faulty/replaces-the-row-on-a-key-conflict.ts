import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { request, submit } from "./witness-steps.js";

/** The mistake: a key names the newest version of a draft, so other arguments overwrite the row. */
export const replacesTheRowOnAKeyConflict: KnownBug = {
  name: "replaces-the-row-on-a-key-conflict",
  says: "replaces the row when the same key comes with other arguments",
  caughtBy: ["one-effect-per-key", "key-binds-arguments"],
  witness: [submit("a1", request.river), submit("a2", request.forest)],
  variant: {
    sql: {
      insertEffect: `INSERT OR REPLACE INTO effects (tenant, tool, key, digest, body, revision, run_id, call_id)
        SELECT @tenant, @tool, @key, @digest, @body, revision, @runId, @callId FROM policy
        WHERE singleton = 1 AND revision = @revision AND max_copies >= @copies`,
    },
    stages: () => ({
      lookup: (passage, args, environment) => {
        const stored = sound.lookup(passage, args, environment);
        return stored?.digest === passage.digest ? stored : undefined;
      },
    }),
  },
};
