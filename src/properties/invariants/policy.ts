import type { EffectRow, Policy } from "../../model/vocabulary.js";
import { effectPlace } from "../account/store-change.js";
import { type Account, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { policyText, whileMoving } from "./wording.js";

export const noStaleCommit: Always = {
  id: "no-stale-commit",
  kind: "always",
  needs: [
    "second_observer",
    "policy",
    "recheck_at_commit",
    "effect_revision",
    "effect_digest",
    "checkpoint before_business",
  ],
  occurred: [
    on("advanced", ({ attempt: name }, account) => {
      const { lastStop, cancel, policyAtSubmission } = attemptOf(account, name);
      const entersExecute = lastStop.kind === "checkpoint" && lastStop.at === "before_business";
      const isStale = !samePolicy(policyAtSubmission, account.observation.policy);
      return entersExecute && cancel.kind !== "took_hold" && isStale;
    }),
  ],
  check: [
    on("observed", (_, account) => account.change.effects.added.flatMap((row) => staleness(row, account))),
  ],
};

function staleness(row: EffectRow, account: Account): readonly Finding[] {
  // Whoever moves an attempt leaves the policy alone, so the policy in force at the commit is that of the read before it.
  const { before, mover } = account.change;
  const { policy } = before;
  const weight = account.requested.get(effectPlace(row))?.get(row.digest) ?? 0;
  const snapshot =
    mover.kind === "attempt" && mover.attempt.departedWith.kind === "seen"
      ? mover.attempt.departedWith.revision
      : row.revision;
  const isCurrent =
    policy.kind === "present" &&
    row.revision === policy.revision &&
    snapshot === policy.revision &&
    weight <= policy.maxCopies;
  if (isCurrent) return nothing;
  return broken(
    `${whileMoving(account.change)}, ${row.key} of ${row.tenant} was committed on a policy that was not in force.`,
    policy.kind === "missing" ? "no commit, as there is no policy" : `a commit under ${policyText(policy)}`,
    `effect of revision ${row.revision}, checked at revision ${snapshot}, weight ${weight}`,
  );
}

export const revisionOnlyGrows: Always = {
  id: "revision-only-grows",
  kind: "always",
  needs: ["second_observer", "policy"],
  occurred: [on("policy_set", ({ setting }) => setting.kind === "limit")],
  check: [
    on("observed", (_, { change }) => {
      const { before, now, settings, largestRevision } = change;
      if (now.policy.kind === "missing") return nothing;
      const wasSet = settings.some(({ kind }) => kind === "limit");
      if (wasSet) {
        if (now.policy.revision > largestRevision) return nothing;
        return broken(
          "Setting the policy did not take a new revision.",
          `a revision above ${largestRevision}`,
          policyText(now.policy),
        );
      }
      if (samePolicy(before.policy, now.policy)) return nothing;
      return broken(
        `${whileMoving(change)}, the policy changed although nobody set it.`,
        policyText(before.policy),
        policyText(now.policy),
      );
    }),
  ],
};

function samePolicy(one: Policy, other: Policy): boolean {
  if (one.kind === "missing" || other.kind === "missing") return one.kind === other.kind;
  return one.revision === other.revision && one.maxCopies === other.maxCopies;
}
