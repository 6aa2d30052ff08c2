import { isOfCall } from "../../model/passage.js";
import type { Context, RequestRow } from "../../model/vocabulary.js";
import { type Attempt, isWaiting, type Waiting, type World } from "../../model/world.js";
import type { CallPlan } from "./workload.js";

/** How far an earlier step of the run has come, as far as a later one asks. */
export const gates = ["absent", "open", "accepted", "no"] as const;
export type Gate = (typeof gates)[number];

/** The attempts of a call that can move, in the order in which a state numbers them: alike ones are interchangeable. */
export function inOrder(world: World, { context }: CallPlan): readonly Waiting[] {
  const told = world.attempts
    .filter(isWaiting)
    .filter((attempt) => isOfCall(attempt.context, context))
    .map((attempt) => ({ attempt, text: JSON.stringify(tellAttempt(world, attempt)) }));
  return told
    .sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0))
    .map(({ attempt }) => attempt);
}

/** The requests that were opened for a call, the oldest first. */
export function requestsOf({ consent }: World, context: Context): readonly RequestRow[] {
  return consent.requests.filter((row) => isOfCall(row, context));
}

/** How many attempts of a call were submitted. */
export function submittedOf({ attempts }: World, { context }: CallPlan): number {
  return attempts.filter((attempt) => isOfCall(attempt.context, context)).length;
}

/** What a call has come to, as a later step of its run asks. */
export function gateOf(world: World, context: Context): Gate {
  const { steps, decisions } = world.consent;
  if (!steps.some((row) => isOfCall(row, context))) return "absent";
  const numbers = requestsOf(world, context).map(({ number }) => number);
  if (decisions.some(({ request, verdict }) => verdict === "deny" && numbers.includes(request))) return "no";
  const isAccepted = world.receipts.some((row) => row.status === "accepted" && isOfCall(row, context));
  return isAccepted ? "accepted" : "open";
}

/** What the earlier step of the run says to a call. */
export function gateBefore(world: World, { context }: CallPlan): Gate {
  const step = context.dispatch?.step ?? 0;
  const earlier = world.consent.steps.find(
    (row) => row.step < step && row.runId === context.runId && row.tenant === context.tenant,
  );
  return earlier === undefined ? "absent" : gateOf(world, { ...context, ...earlier });
}

/**
 * Everything of a world that concerns one call, and nothing that no later step and no promise asks about: revisions are
 * current or not, times are what is left until a request expires, and of attempts that are over only the number stays.
 * Worlds with the same text are one state.
 */
export function projection(world: World, call: CallPlan): string {
  const { executor, policy, capabilities, effects, consent } = world;
  const { context, capability } = call;
  const { maxCopies, approval } = policy.kind === "present" ? policy : { maxCopies: -1, approval: "missing" };
  const isHeld = capabilities.some(
    (one) =>
      one.principal === capability.principal &&
      one.tenant === capability.tenant &&
      one.tool === capability.tool &&
      one.resource === capability.resource,
  );
  const waiting = inOrder(world, call).map((attempt) => tellAttempt(world, attempt));
  const effect = effects.find((row) => isOfCall(row, context))?.digest ?? "";
  return JSON.stringify([
    executor,
    maxCopies,
    approval,
    isHeld,
    gateBefore(world, call),
    gateOf(world, context),
    submittedOf(world, call),
    waiting,
    effect,
    tellConsent({ ...world, consent }, context),
  ]);
}

function tellAttempt(world: World, attempt: Attempt): readonly unknown[] {
  const { facts, faults, snapshot, events, cancel, approved, place, context } = attempt;
  const { policy } = world;
  const isCurrent =
    snapshot.kind === "seen" && policy.kind === "present" && snapshot.revision === policy.revision;
  const by =
    typeof approved === "number"
      ? requestsOf(world, context).findIndex(({ number }) => number === approved)
      : (approved ?? "unasked");
  return [
    facts.kind === "valid" ? facts.digest : facts.code,
    faults,
    snapshot.kind,
    isCurrent,
    events,
    cancel,
    by,
    place,
  ];
}

/** Of a call that is used or was refused only what it is bound to is left; an old request counts while somebody goes by it. */
function tellConsent(world: World, context: Context): readonly unknown[] {
  const { uses, decisions } = world.consent;
  const requests = requestsOf(world, context);
  const own = decisions.filter(({ request }) => requests.some(({ number }) => number === request));
  const verdicts = own.map(({ request, verdict }) => [
    requests.findIndex(({ number }) => number === request),
    verdict,
  ]);
  const use = uses.find((row) => isOfCall(row, context));
  const bound = [requests.length, requests[0]?.digest ?? use?.digest ?? ""];
  if (use !== undefined) return [...bound, "used", own.length > 0];
  const no = own.findIndex(({ verdict }) => verdict === "deny");
  if (no >= 0)
    return [...bound, own.slice(0, no).some(({ verdict }) => verdict === "grant") ? "revoked" : "denied"];
  const approvedBy = new Set(world.attempts.filter(isWaiting).map(({ approved }) => approved));
  const told = requests.map((row, index) => {
    const counts = index === requests.length - 1 || approvedBy.has(row.number);
    const isCurrent = world.policy.kind === "present" && world.policy.revision === row.revision;
    return counts ? [Math.max(0, row.expiresAt - world.clock), isCurrent] : [];
  });
  return [...bound, "open", told, verdicts];
}
