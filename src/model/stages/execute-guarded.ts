import { hasExpired, isUsed, mismatch, saidNo } from "../consent/rules.js";
import {
  effectUnderKey,
  fail,
  goOn,
  type Passage,
  passing,
  say,
  settle,
  type Turn,
  toolOf,
} from "../passage.js";
import type { Facts, UseRow } from "../vocabulary.js";
import { holdsCapability } from "./capability.js";

type Valid = Extract<Facts, { kind: "valid" }>;

/**
 * The transaction of a profile with approvals: all that was asked before is asked once more, then the call meets its
 * effect or makes it. `insert` writes the effect, with whatever goes wrong there.
 */
export function executeGuarded(
  begun: Passage,
  facts: Valid,
  { isStale, insert }: { readonly isStale: boolean; readonly insert: () => Turn },
): Turn {
  const { world, attempt } = begun;
  const { context, approved } = attempt;
  const other = mismatch(world, attempt);
  if (other !== "none") return settle(begun, "approval_refused", other);
  const isRead = facts.tool?.effect === "read";
  if (!isRead && isUsed(world, context)) return goOn(say(begun, "effect_reused"));
  const no = saidNo(world, context);
  if (no !== "none") return settle(begun, "approval_refused", no);
  const request = world.consent.requests.find(({ number }) => number === approved);
  if (request !== undefined && hasExpired(world, request))
    return settle(begun, "approval_refused", "expired");
  if (!holdsCapability(begun)) return settle(begun, "permission_denied", "capability");
  const row = facts.key === "" ? "none" : effectUnderKey(begun);
  if (row !== "none") {
    return row.digest === facts.digest
      ? reuseFirst(begun, facts)
      : settle(begun, "key_conflict", "key_conflict");
  }
  if (isStale) return settle(begun, "policy_changed", "policy_changed");
  return isRead ? goOn(begun) : insert();
}

/** A call that meets an effect which another made spends itself in a transaction of its own. */
function reuseFirst(begun: Passage, facts: Valid): Turn {
  return passing(
    begun,
    "inside_transaction",
    () => fail(begun, "inside_transaction"),
    () => {
      const reused = say(used(begun, facts), "effect_reused");
      return passing(
        reused,
        "after_commit",
        () => fail(reused, "after_commit"),
        () => goOn(reused),
      );
    },
  );
}

/** The world in which the call of the attempt is spent. */
export function used(passage: Passage, { digest }: Valid): Passage {
  const { world, attempt } = passage;
  const { tenant, runId, callId } = attempt.context;
  const { approved } = attempt;
  const use: UseRow = {
    ...{ tenant, runId, callId },
    tool: toolOf(world, attempt.context),
    digest,
    request: typeof approved === "number" ? approved : "none",
  };
  const consent = { ...world.consent, uses: [...world.consent.uses, use] };
  return { ...passage, world: { ...world, consent } };
}
