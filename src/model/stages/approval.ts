import {
  hasExpired,
  isDisclosedUnder,
  isGranted,
  isUsed,
  latestRequest,
  mismatch,
  needsApproval,
  saidNo,
} from "../consent/rules.js";
import { asking, fail, goOn, type Passage, passing, say, settle, type Turn, toolOf } from "../passage.js";
import { unreachable } from "../unreachable.js";
import type { Code, RequestRow } from "../vocabulary.js";

type Consent =
  | { readonly kind: "refused"; readonly code: Code }
  | { readonly kind: "passes" | "waits" }
  | { readonly kind: "asks"; readonly why: "approval_required" | "expired" | "policy_changed" }
  | { readonly kind: "granted"; readonly request: RequestRow };

/** What the call's rows, the policy and the clock say of an attempt, in the order in which they are asked. */
function consentOf({ world, attempt }: Passage): Consent {
  const call = attempt.context;
  const no = saidNo(world, call);
  if (no !== "none") return { kind: "refused", code: no };
  const other = mismatch(world, attempt);
  if (other !== "none") return { kind: "refused", code: other };
  if (isUsed(world, call) || !needsApproval(world, attempt)) return { kind: "passes" };
  const request = latestRequest(world, call);
  if (request === "none") return { kind: "asks", why: "approval_required" };
  if (hasExpired(world, request)) return { kind: "asks", why: "expired" };
  if (!isDisclosedUnder(world.policy, request)) return { kind: "asks", why: "policy_changed" };
  return isGranted(world, request) ? { kind: "granted", request } : { kind: "waits" };
}

/** Goes on where there is consent or none is needed; where somebody has to be asked, a request is opened next. */
export function seekApproval(passage: Passage): Turn {
  return asking(passage, "approval", () => {
    const consent = consentOf(passage);
    return consent.kind === "asks" ? goOn(passage) : follow(passage, consent);
  });
}

/** Decides once more, in the transaction that opens the request, and opens it if that is still due. */
export function openRequest(passage: Passage): Turn {
  const consent = consentOf(passage);
  if (consent.kind !== "asks") return follow(passage, consent);
  const { world, attempt } = passage;
  const { policy, profile, clock } = world;
  const { facts, context, snapshot } = attempt;
  const isStale =
    policy.kind === "missing" || snapshot.kind === "none" || policy.revision !== snapshot.revision;
  if (isStale) return settle(passage, "policy_changed", "policy_changed");
  if (facts.kind === "invalid") return fail(passage, "unforeseen");
  const { tenant, runId, callId, principal } = context;
  const request: RequestRow = {
    number: world.consent.requests.length + 1,
    ...{ tenant, runId, callId, principal },
    tool: toolOf(world, context),
    digest: facts.digest,
    revision: policy.revision,
    role: facts.tool?.role ?? "none",
    requestedAt: clock,
    expiresAt: clock + (profile.approvalLifetime ?? 0),
  };
  const requests = [...world.consent.requests, request];
  const opened = { ...passage, world: { ...world, consent: { ...world.consent, requests } } };
  return passing(
    opened,
    "after_request",
    () => fail(opened, "after_request"),
    () =>
      consent.why === "approval_required"
        ? settle(opened, "waiting_for_approval", consent.why)
        : settle(opened, "approval_refused", consent.why),
  );
}

function follow(passage: Passage, consent: Exclude<Consent, { kind: "asks" }>): Turn {
  switch (consent.kind) {
    case "refused":
      return settle(passage, "approval_refused", consent.code);
    case "waits":
      return settle(passage, "waiting_for_approval", "approval_required");
    case "passes":
      return goOn(approved(passage, "not_needed"));
    case "granted":
      return goOn(approved(say(passage, "approval_matched"), consent.request.number));
    default:
      return unreachable(consent);
  }
}

function approved(passage: Passage, by: "not_needed" | number): Passage {
  return { ...passage, approval: "settled", attempt: { ...passage.attempt, approved: by } };
}
