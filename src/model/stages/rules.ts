import { fail, goOn, type Passage, say, settle, type Turn } from "../passage.js";
import { activeClaims } from "../rule-set.js";
import type { Facts } from "../vocabulary.js";

type Valid = Extract<Facts, { kind: "valid" }>;

/** Counts the call, whatever becomes of it, and refuses it for the first reason that an active rule gives. */
export function passRules(passage: Passage): Turn {
  const { world, attempt } = passage;
  const counted = { ...passage, world: { ...world, calls: world.calls + 1 } };
  return attempt.facts.kind === "invalid" ? fail(counted, "unforeseen") : judge(counted, attempt.facts);
}

function judge(counted: Passage, { key }: Valid): Turn {
  const { world, attempt } = counted;
  const claims = activeClaims(world);
  if (claims.some(({ kind }) => kind === "idempotent")) {
    const { tenant } = attempt.context;
    const row = world.reservations.find((other) => other.key === key && other.tenant === tenant);
    // What cannot be read may say anything, so it is no refusal by a rule.
    if (row?.state === "unreadable") return fail(counted, "ledger_unreadable");
    if (row !== undefined) return settle(counted, "blocked", "duplicate_transaction");
  }
  if (claims.some(({ kind }) => kind === "forbid")) return settle(counted, "blocked", "forbidden_tool");
  if (claims.some(({ kind }) => kind === "allow_others"))
    return settle(counted, "blocked", "tool_not_allowed");
  return claims.some((claim) => claim.kind === "budget" && world.calls > claim.most)
    ? settle(counted, "blocked", "too_many_calls")
    : goOn(say(counted, "rules_passed"));
}
