import type { KnownBug } from "./known-bug.js";
import { changePolicy, request, submit } from "./witness-steps.js";

/**
 * The mistake: only the number is compared again, so a policy that was changed and restored, or loosened, passes
 * although nobody checked the request under it.
 */
export const rechecksTheLimitNotTheRevision: KnownBug = {
  name: "rechecks-the-limit-not-the-revision",
  says: "rechecks the limit at the commit but not the revision, so that 3, 1, 3 slips through",
  caughtBy: ["no-stale-commit"],
  witness: [submit("a1", request.river), changePolicy(3)],
  variant: {
    sql: {
      insertEffect: `INSERT INTO effects (tenant, tool, key, digest, body, revision, run_id, call_id)
        SELECT @tenant, @tool, @key, @digest, @body, revision, @runId, @callId FROM policy
        WHERE singleton = 1 AND max_copies >= @copies`,
    },
  },
};
