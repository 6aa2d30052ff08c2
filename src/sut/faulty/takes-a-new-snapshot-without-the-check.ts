import { readPolicy } from "../ledger/policy.js";
import { stages as sound } from "../ledger/stages.js";
import type { KnownBug } from "./known-bug.js";
import { changePolicy, request, submit } from "./witness-steps.js";

/** The mistake: a stale snapshot is healed by a fresh one, as if reading a policy were the same as passing it. */
export const takesANewSnapshotWithoutTheCheck: KnownBug = {
  name: "takes-a-new-snapshot-without-the-check",
  says: "takes a new snapshot when its own is stale and goes on without the check",
  caughtBy: ["no-stale-commit"],
  witness: [submit("a1", request.river), changePolicy(1)],
  variant: {
    // The limit belongs to the check, it was thought, and the revision to the commit.
    sql: {
      insertEffect: `INSERT INTO effects (tenant, tool, key, digest, body, revision, run_id, call_id)
        SELECT @tenant, @tool, @key, @digest, @body, revision, @runId, @callId FROM policy
        WHERE singleton = 1 AND revision = @revision`,
    },
    stages: () => ({
      insert: (passage, args, environment) => {
        passage.snapshot = readPolicy(environment.store) ?? passage.snapshot;
        return sound.insert(passage, args, environment);
      },
    }),
  },
};
