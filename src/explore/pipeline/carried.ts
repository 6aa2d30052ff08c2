import type { Policy, SnapshotRevision } from "../../model/vocabulary.js";
import type { Account, Attempt } from "../../properties/account.js";

/**
 * What a history says of the attempts that still wait, as far as a promise can ask for it once they move on: one text
 * for each, in no order of theirs. Revisions are told as what they are to the policy in force.
 */
export function carriedBy({ attempts, observation }: Account): readonly string[] {
  const { policy } = observation;
  return attempts
    .filter(waits)
    .map((attempt) => textOf(attempt, policy))
    .sort();
}

function waits({ standing }: Attempt): boolean {
  return standing.kind === "parked" || standing.kind === "blocked";
}

function textOf(attempt: Attempt, policy: Policy): string {
  const { contract, canaries, standing, lastStop, departedWith, cancel, fired, added } = attempt;
  return JSON.stringify({
    contract,
    canaries,
    standing,
    lastStop: lastStop.kind === "none" ? "none" : lastStop.at,
    parkedWith: lastStop.kind === "none" ? "nothing" : knownOf(lastStop.snapshotRevision, policy),
    departedWith: knownOf(departedWith, policy),
    // Asked when it enters execute, and only of one that can.
    submittedUnder:
      lastStop.kind === "checkpoint" && lastStop.at === "before_business" ? since(attempt, policy) : "",
    cancel,
    fired,
    added: added.map(({ tenant, tool, key, digest }) => [tenant, tool, key, digest]),
  });
}

function knownOf(
  snapshot: SnapshotRevision,
  policy: Policy,
): "nothing" | "the policy in force" | "another policy" {
  if (snapshot.kind === "none") return "nothing";
  const isCurrent = policy.kind === "present" && policy.revision === snapshot.revision;
  return isCurrent ? "the policy in force" : "another policy";
}

function since(
  { policyAtSubmission: then }: Attempt,
  policy: Policy,
): "the policy in force" | "another policy" {
  const isSame =
    then.kind === "present" && policy.kind === "present"
      ? then.revision === policy.revision
      : then.kind === policy.kind;
  return isSame ? "the policy in force" : "another policy";
}
