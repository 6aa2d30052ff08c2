import {
  driverFault,
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
import type { Facts } from "../vocabulary.js";
import { executeGuarded, used } from "./execute-guarded.js";

type Valid = Extract<Facts, { kind: "valid" }>;

/** One transaction: replay what the key already has, or write the effect if the snapshot still holds. */
export function execute(passage: Passage): Turn {
  const { facts } = passage.attempt;
  const begun = say(passage, "business_started");
  if (facts.kind === "invalid") return fail(begun, "unforeseen");
  const fault = driverFault(passage, "execute");
  // These refuse the transaction itself, before anything can be read in it.
  if (fault === "busy" || fault === "read_only") return fail(begun, fault);
  if (passage.world.profile.layers.includes("approval")) {
    return executeGuarded(begun, facts, { isStale: isStale(begun), insert: () => insert(begun, facts) });
  }
  const row = effectUnderKey(passage);
  if (row === "none")
    return isStale(begun) ? settle(begun, "policy_changed", "policy_changed") : insert(begun, facts);
  return row.digest === facts.digest
    ? goOn(say(begun, "effect_reused"))
    : settle(begun, "key_conflict", "key_conflict");
}

function insert(begun: Passage, facts: Valid): Turn {
  const fault = driverFault(begun, "execute");
  if (fault === "effect_ignored") return fail(begun, "effect_not_written");
  if (fault === "disk_full") return fail(begun, fault);
  return passing(
    begun,
    "inside_transaction",
    () => fail(begun, "inside_transaction"),
    () => (fault === "commit_refused" ? fail(begun, fault) : commit(begun, facts)),
  );
}

function commit(begun: Passage, facts: Valid): Turn {
  const { key, digest } = facts;
  const { world, attempt } = begun;
  const { tenant, runId, callId } = attempt.context;
  const { snapshot } = attempt;
  const revision = snapshot.kind === "seen" ? snapshot.revision : 0;
  const effect = { tenant, tool: toolOf(world, attempt.context), key, digest, revision, runId, callId };
  const written = { ...begun, world: { ...world, effects: [...world.effects, effect] } };
  const spent = world.profile.layers.includes("approval") ? used(written, facts) : written;
  const committed = say(spent, "effect_committed");
  return passing(
    committed,
    "after_commit",
    () => fail(committed, "after_commit"),
    () => goOn(committed),
  );
}

/**
 * Whether the policy is another one than the check saw. The limit needs no second look: under one revision
 * there is one limit. Without a snapshot there is nothing to compare.
 */
function isStale({ world, attempt }: Passage): boolean {
  const { policy, profile } = world;
  const { snapshot } = attempt;
  if (snapshot.kind === "none" || !profile.abilities.includes("recheck_at_commit")) return false;
  return policy.kind === "missing" || policy.revision !== snapshot.revision;
}
