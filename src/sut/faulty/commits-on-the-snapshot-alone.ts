import type { KnownBug } from "./known-bug.js";
import { changePolicy, request, submit } from "./witness-steps.js";

/** The mistake: the check has passed, so the policy is not looked at again when the effect is written. */
export const commitsOnTheSnapshotAlone: KnownBug = {
  name: "commits-on-the-snapshot-alone",
  says: "commits on the snapshot of the check alone, whatever the policy says by then",
  caughtBy: ["no-stale-commit"],
  witness: [submit("a1", request.river), changePolicy(1)],
  variant: {
    sql: {
      insertEffect: `INSERT INTO effects (tenant, tool, key, digest, body, revision, run_id, call_id)
        VALUES (@tenant, @tool, @key, @digest, @body, @revision, @runId, @callId)`,
    },
  },
};
