import { type CallName, isOfCall, toolOf } from "../passage.js";
import type { Policy, RequestRow } from "../vocabulary.js";
import type { Traveller, World } from "../world.js";

/** The requests that were opened for a call, the oldest first. */
export function requestsOf({ consent }: World, call: CallName): readonly RequestRow[] {
  return consent.requests.filter((request) => isOfCall(request, call));
}

export function latestRequest(world: World, call: CallName): RequestRow | "none" {
  return world.consent.requests.findLast((request) => isOfCall(request, call)) ?? "none";
}

/** A deny of any request of the call is a no to the call; after a grant it takes that back. */
export function saidNo(world: World, call: CallName): "none" | "denied" | "revoked" {
  const { decisions } = world.consent;
  if (decisions.length === 0) return "none";
  const numbers = new Set(requestsOf(world, call).map(({ number }) => number));
  const own = decisions.filter(({ request }) => numbers.has(request));
  const no = own.findIndex(({ verdict }) => verdict === "deny");
  if (no < 0) return "none";
  return own.slice(0, no).some(({ verdict }) => verdict === "grant") ? "revoked" : "denied";
}

export function isUsed({ consent }: World, call: CallName): boolean {
  return consent.uses.some((use) => isOfCall(use, call));
}

/** What a call was first asked about or used for; only that may ever come of it. */
export function boundTo(
  { consent }: World,
  call: CallName,
): { readonly tool: string; readonly digest: string } | "none" {
  const isIts = (row: CallName): boolean => isOfCall(row, call);
  return consent.requests.find(isIts) ?? consent.uses.find(isIts) ?? "none";
}

/** What the attempt brings in place of what its call is bound to. */
export function mismatch(world: World, attempt: Traveller): "none" | "tool_mismatch" | "digest_mismatch" {
  const bound = boundTo(world, attempt.context);
  if (bound === "none" || attempt.facts.kind === "invalid") return "none";
  if (bound.tool !== toolOf(world, attempt.context)) return "tool_mismatch";
  return bound.digest === attempt.facts.digest ? "none" : "digest_mismatch";
}

export function isGranted({ consent }: World, { number }: RequestRow): boolean {
  return consent.decisions.some(({ request, verdict }) => request === number && verdict === "grant");
}

/** Half-open: at the moment of its expiry a request has expired. */
export function hasExpired({ clock }: World, { expiresAt }: RequestRow): boolean {
  return clock >= expiresAt;
}

/** Whether the policy is the very one under which the request was disclosed. */
export function isDisclosedUnder(policy: Policy, { revision }: RequestRow): boolean {
  return policy.kind === "present" && policy.revision === revision;
}

/** Nobody is asked for a read; for a write not where context and policy both say so; for anything else always. */
export function needsApproval({ policy }: World, { facts, context }: Traveller): boolean {
  if (facts.kind === "invalid") return true;
  switch (facts.tool?.effect) {
    case "read":
      return false;
    case "write":
      return !(
        context.dispatch?.sideEffects === "permitted" &&
        policy.kind === "present" &&
        policy.approval === "not_required"
      );
    default:
      return true;
  }
}

/** Whether a call can go on by a grant as it stands: live, and neither used nor refused. */
export function hasLiveGrant(world: World, call: CallName): boolean {
  const latest = latestRequest(world, call);
  return (
    latest !== "none" &&
    isGranted(world, latest) &&
    !hasExpired(world, latest) &&
    isDisclosedUnder(world.policy, latest) &&
    saidNo(world, call) === "none" &&
    !isUsed(world, call)
  );
}

/** The latest requests of calls that were neither used nor refused. */
export function waitingRequests(world: World): readonly RequestRow[] {
  return world.consent.requests.filter(
    (request) =>
      latestRequest(world, request) === request &&
      !isUsed(world, request) &&
      saidNo(world, request) === "none",
  );
}
