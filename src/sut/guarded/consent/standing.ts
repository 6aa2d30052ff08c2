import type { Code, RequestRow } from "../../../model/vocabulary.js";
import { type CallRow, callOf, type GuardedPolicy, type Passage, validated } from "../passage.js";
import type { Environment } from "../stages.js";
import type { StepStore } from "../store.js";
import { parseDecision, parseRequest, parseUse, type StoredUse } from "./rows.js";

/** What a call's durable rows say of an attempt at this moment, before anything is done about it. */
export type Standing =
  | { readonly kind: "refused"; readonly code: Code }
  /** Its effect is there already, or nobody has to be asked. */
  | { readonly kind: "passes" }
  | { readonly kind: "opens"; readonly because: "approval_required" | "expired" | "policy_changed" }
  | { readonly kind: "waits" }
  | { readonly kind: "matches"; readonly request: RequestRow };

/** Decides in this order: a no, another tool or digest, a use, no need, no request, expired, stale, not granted. */
export function standing(passage: Passage, environment: Environment): Standing {
  const { stages: step, store, clock } = environment;
  const call = callOf(passage);
  const no = step.denial(call, environment);
  if (no !== undefined) return { kind: "refused", code: no };
  const other = step.mismatch(passage, environment);
  if (other !== undefined) return { kind: "refused", code: other };
  if (step.useOf(call, environment) !== undefined) return { kind: "passes" };
  const policy = step.policy(store);
  if (!step.needsApproval(passage, policy)) return { kind: "passes" };
  const request = step.requestFor(passage, environment);
  if (request === undefined) return { kind: "opens", because: "approval_required" };
  if (step.isExpired(request, clock())) return { kind: "opens", because: "expired" };
  if (!step.isCurrent(request, policy)) return { kind: "opens", because: "policy_changed" };
  return step.isGranted(request, environment) ? { kind: "matches", request } : { kind: "waits" };
}

/** The code of a no to the call, whichever of its requests it was said to; undefined if nobody said no. */
export function denial(call: CallRow, { store }: Environment): "denied" | "revoked" | undefined {
  const decisions = store.rows("readDecisions", call).map(parseDecision);
  const no = decisions.findIndex(({ verdict }) => verdict === "deny");
  if (no < 0) return undefined;
  return decisions.slice(0, no).some(({ verdict }) => verdict === "grant") ? "revoked" : "denied";
}

/** Whether the call is bound to something else than this attempt brings, by its first request or its use. */
export function mismatch(
  passage: Passage,
  { store }: Environment,
): "tool_mismatch" | "digest_mismatch" | undefined {
  const call = callOf(passage);
  const first = store.row("readRequests", call) ?? store.row("readUse", call);
  if (first === undefined) return undefined;
  const bound = parseUse(first);
  if (bound.tool !== validated(passage).tool.name) return "tool_mismatch";
  return bound.digest === passage.digest ? undefined : "digest_mismatch";
}

export function useOf(call: CallRow, { store }: Environment): StoredUse | undefined {
  const row = store.row("readUse", call);
  return row === undefined ? undefined : parseUse(row);
}

/** Reads never; a write unless the context permits it and the policy asks for nothing; everything else always. */
export function needsApproval(passage: Passage, policy: GuardedPolicy | undefined): boolean {
  const { effect } = validated(passage).tool;
  if (effect === "read") return false;
  if (effect !== "write") return true;
  return passage.dispatch.sideEffects !== "permitted" || policy?.approval !== "not_required";
}

/** The latest request of the call. */
export function requestFor(passage: Passage, { store }: Environment): RequestRow | undefined {
  return requestsOf(callOf(passage), store).at(-1);
}

export function requestsOf(call: CallRow, store: StepStore): readonly RequestRow[] {
  return store.rows("readRequests", call).map(parseRequest);
}

/** At its very expiry a request is expired. */
export function isExpired(request: RequestRow, now: number): boolean {
  return now >= request.expiresAt;
}

export function isCurrent(request: RequestRow, policy: GuardedPolicy | undefined): boolean {
  return policy !== undefined && policy.revision === request.revision;
}

export function isGranted(request: RequestRow, { store }: Environment): boolean {
  const { tenant, runId, callId } = request;
  return store
    .rows("readDecisions", { tenant, runId, callId })
    .map(parseDecision)
    .some((decision) => decision.request === request.number && decision.verdict === "grant");
}
