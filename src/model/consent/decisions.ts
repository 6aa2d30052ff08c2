import { crash } from "../crash-and-restart.js";
import { decisionOn } from "../decision.js";
import { moved, refused, type Step } from "../stepped.js";
import type {
  Action,
  Decision,
  DecisionAnswer,
  DecisionName,
  DecisionPoint,
  DecisionRefusal,
  DecisionRow,
  RequestRow,
} from "../vocabulary.js";
import type { World } from "../world.js";
import {
  hasExpired,
  isDisclosedUnder,
  isGranted,
  isUsed,
  latestRequest,
  saidNo,
  waitingRequests,
} from "./rules.js";

type Deciding = Extract<Action, { kind: "approve" | "deny" | "revoke" }>;

export type Decided = { readonly world: World; readonly answer: DecisionAnswer };

/** Records a decision that nothing speaks against; a refused one leaves no row. */
export function decide(world: World, decision: Decision): Decided {
  const request = world.consent.requests.find(({ number }) => number === decision.request) ?? "none";
  const code = objection(world, decision, request);
  if (code !== "none" || request === "none") {
    return { world, answer: { kind: "refused", code: code === "none" ? "no_such_request" : code } };
  }
  const { consent } = world;
  const row: DecisionRow = {
    number: consent.decisions.length + 1,
    request: request.number,
    verdict: decision.verdict,
    approver: decision.by.approver,
    role: request.role,
    decidedAt: world.clock,
  };
  const recorded = { ...world, consent: { ...consent, decisions: [...consent.decisions, row] } };
  return { world: recorded, answer: { kind: "recorded" } };
}

/** The first thing that speaks against a decision. */
function objection(
  world: World,
  { verdict, by, shown }: Decision,
  request: RequestRow | "none",
): DecisionRefusal | "none" {
  if (request === "none") return "no_such_request";
  if (by.tenant !== request.tenant) return "tenant_mismatch";
  const isRequester =
    by.approver === request.principal && world.profile.abilities.includes("separate_approver");
  if (isRequester || !by.roles.includes(request.role)) return "not_entitled";
  if (shown.tool !== request.tool) return "tool_mismatch";
  if (shown.callId !== request.callId || shown.runId !== request.runId) return "call_mismatch";
  if (shown.digest !== request.digest) return "digest_mismatch";
  if (isUsed(world, request)) return "already_used";
  if (saidNo(world, request) !== "none") return "already_denied";
  if (verdict === "deny") return "none";
  if (latestRequest(world, request) !== request) return "superseded";
  if (isGranted(world, request)) return "already_granted";
  if (hasExpired(world, request)) return "expired";
  return isDisclosedUnder(world.policy, request) ? "none" : "policy_changed";
}

/** What an approver does with a request. A held decision is judged when it goes on, by what then holds. */
export function takeDecision(world: World, action: Deciding): Step {
  if (world.held.some(({ decision }) => decision === action.decision))
    return refused(`${action.decision} is held already`);
  const row = world.consent.requests.find(({ number }) => number === action.request) ?? "none";
  const decision = decisionOn(action, row);
  const counted = { ...world, decisionsMade: world.decisionsMade + 1 };
  if (action.pace === "held") {
    return moved({ ...counted, held: [...world.held, decision] }, [`idle ${action.kind} held`]);
  }
  const decided = decide(counted, decision);
  return moved(decided.world, [`idle ${action.kind} ${answerName(decided.answer)}`]);
}

/** Lets a held decision go on to its answer. */
export function settleDecision(world: World, name: DecisionName): Step {
  const decision = heldDecision(world, name);
  if (decision === "none") return refused(`${name} is not held`);
  const decided = decide(withoutHeld(world, name), decision);
  return moved(decided.world, [`idle settle ${decision.verdict} ${answerName(decided.answer)}`]);
}

/** Kills the executor while a held decision goes on: before its transaction, or after it with nobody told. */
export function crashDeciding(world: World, name: DecisionName, at: DecisionPoint): Step {
  const decision = heldDecision(world, name);
  if (decision === "none") return refused(`${name} is not held`);
  const reached = at === "before_decision" ? world : decide(world, decision).world;
  return moved(crash(reached), [`idle crash:${at} lost`]);
}

/** Whether what waits is told the same again; a text that was changed names something that does not wait. */
export function roundTrip(world: World, tampered: boolean): "restored" | "refused" {
  return tampered && waitingRequests(world).length > 0 ? "refused" : "restored";
}

export function heldDecision(world: World, name: DecisionName): Decision | "none" {
  return world.held.find(({ decision }) => decision === name) ?? "none";
}

export function withoutHeld(world: World, name: DecisionName): World {
  return { ...world, held: world.held.filter(({ decision }) => decision !== name) };
}

function answerName(answer: DecisionAnswer): string {
  return answer.kind === "refused" ? `refused/${answer.code}` : answer.kind;
}
