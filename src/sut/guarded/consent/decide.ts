import type { Decision, DecisionAnswer, DecisionRefusal, RequestRow } from "../../../model/vocabulary.js";
import type { DecisionHooks } from "../../decision-gate.js";
import type { Environment } from "../stages.js";
import { parseRequest } from "./rows.js";
import { requestsOf } from "./standing.js";

/** Records a decision in one transaction, in which everything about it is judged. */
export async function decide(
  decision: Decision,
  hooks: DecisionHooks,
  environment: Environment,
): Promise<DecisionAnswer> {
  const { store, stages: step } = environment;
  await hooks.stop();
  hooks.point("before_decision");
  store.run("begin");
  try {
    const answer = step.record(decision, environment);
    store.run("commit");
    hooks.point("after_decision");
    return answer;
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

/** Writes one row for a decision that nothing speaks against; none otherwise. */
export function record(decision: Decision, environment: Environment): DecisionAnswer {
  const { store, stages: step, clock } = environment;
  const row = store.row("readRequest", { number: decision.request });
  const request = row === undefined ? undefined : parseRequest(row);
  const code = step.objection(decision, request, environment);
  if (code !== undefined || request === undefined) {
    return { kind: "refused", code: code ?? "no_such_request" };
  }
  store.run("insertDecision", {
    request: request.number,
    verdict: decision.verdict,
    approver: decision.by.approver,
    role: request.role,
    decidedAt: clock(),
  });
  return { kind: "recorded" };
}

/** What speaks against a decision: first what is wrong with it as such, then what the call's rows say. */
export function objection(
  decision: Decision,
  request: RequestRow | undefined,
  environment: Environment,
): DecisionRefusal | undefined {
  if (request === undefined) return "no_such_request";
  const { stages: step } = environment;
  const { by, shown } = decision;
  if (by.tenant !== request.tenant) return "tenant_mismatch";
  if (!step.isEntitled(decision, request)) return "not_entitled";
  if (shown.tool !== request.tool) return "tool_mismatch";
  if (shown.runId !== request.runId || shown.callId !== request.callId) return "call_mismatch";
  if (shown.digest !== request.digest) return "digest_mismatch";
  return step.lateObjection(decision, request, environment);
}

/** What the rows of the call and the moment say against a decision that is sound in itself. */
export function lateObjection(
  { verdict }: Decision,
  request: RequestRow,
  environment: Environment,
): DecisionRefusal | undefined {
  const { store, stages: step, clock } = environment;
  const { tenant, runId, callId } = request;
  const call = { tenant, runId, callId };
  if (store.row("readUse", call) !== undefined) return "already_used";
  if (step.isDenied(call, environment)) return "already_denied";
  if (verdict === "deny") return undefined;
  if (requestsOf(call, store).at(-1)?.number !== request.number) return "superseded";
  if (step.isGranted(request, environment)) return "already_granted";
  if (step.isExpired(request, clock())) return "expired";
  return step.isCurrent(request, step.policy(store)) ? undefined : "policy_changed";
}

/** The role has to be held in that tenant at that moment, and nobody decides what they asked for themselves. */
export function isEntitled({ by }: Decision, request: RequestRow): boolean {
  return by.roles.includes(request.role) && by.approver !== request.principal;
}
