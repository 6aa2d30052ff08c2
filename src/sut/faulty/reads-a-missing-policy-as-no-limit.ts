import type { KnownBug } from "./known-bug.js";
import { changePolicy, request, submit } from "./witness-steps.js";

/** The mistake: a missing row compares as NULL, and NULL is given the meaning of "nothing forbids it". */
export const readsAMissingPolicyAsNoLimit: KnownBug = {
  name: "reads-a-missing-policy-as-no-limit",
  says: "reads a policy row that is missing at the commit as no limit at all",
  caughtBy: ["no-stale-commit"],
  witness: [submit("a1", request.river), changePolicy("remove")],
  variant: {
    sql: {
      insertEffect: `INSERT INTO effects (tenant, tool, key, digest, body, revision, run_id, call_id)
        SELECT @tenant, @tool, @key, @digest, @body, @revision, @runId, @callId
        WHERE coalesce(
          (SELECT revision = @revision AND max_copies >= @copies FROM policy WHERE singleton = 1), 1)`,
    },
  },
};
