import type {
  Action,
  Consent,
  Decision,
  DecisionAnswer,
  DecisionFlaw,
  DecisionRow,
  Dispatch,
  EscalationRow,
  Event,
  Grant,
  RequestRow,
  StepRow,
  UseRow,
} from "../model/vocabulary.js";
import { printable } from "./text.js";

/** `approve request 1 as d1, without the role, held`. */
export function decidingWords(action: Extract<Action, { kind: "approve" | "deny" | "revoke" }>): string {
  const { kind, request, decision, flaw, pace } = action;
  const parts = [`${kind} request ${request} as ${decision}`, flawWords[flaw], pace === "held" ? "held" : ""];
  return parts.filter((part) => part !== "").join(", ");
}

const flawWords: { readonly [flaw in DecisionFlaw]: string } = {
  none: "",
  request: "naming a request that was never opened",
  tenant: "from another tenant",
  role: "without the role",
  requester: "by the requester",
  tool: "shown another tool",
  call: "shown another call",
  digest: "shown another digest",
};

/** `approver-1 grants request 1 (create_ticket, call c-a1) — recorded`. */
export function decidedWords(event: Extract<Event, { kind: "decided" }>): string {
  return `${decisionWords(event)} — ${answerWords(event.answer)}`;
}

/** A decision that stands where its handler stops. */
export function heldWords(decision: Decision): string {
  return `${decision.decision} is held before its transaction: ${decisionWords(decision)}`;
}

function decisionWords({ by, verdict, request, shown }: Decision): string {
  const verb = verdict === "grant" ? "grants" : "denies";
  const call = `${printable(shown.tool)}, call ${printable(shown.callId)}`;
  return `${printable(by.approver)} ${verb} request ${request} (${call})`;
}

function answerWords(answer: DecisionAnswer): string {
  switch (answer.kind) {
    case "recorded":
      return "recorded";
    case "refused":
      return `refused: ${answer.code}`;
    case "unknown":
      return "nobody knows whether it is recorded";
  }
}

/** Where a call goes: ` to create_ticket, step 1`; nothing where a profile has one tool. */
export function dispatchWords(dispatch: Dispatch | undefined): string {
  if (dispatch === undefined) return "";
  const { tool, step, replaces, sideEffects } = dispatch;
  const parts = [
    ` to ${printable(tool)}`,
    step === 0 ? "" : `step ${step}`,
    replaces === "none" ? "" : `in place of ${printable(replaces)}`,
    sideEffects === "permitted" ? "side effects permitted" : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** `take from p1 in t1: create_ticket on tickets`. */
export function capabilityWords({ principal, tenant, tool, resource }: Grant, held: boolean): string {
  const whose = `${printable(principal)} in ${printable(tenant)}`;
  return `${held ? "give" : "take from"} ${whose}: ${printable(tool)} on ${printable(resource)}`;
}

/** Whether what came back from its text is what waited. */
export function roundTripWords({ tampered, answer }: Extract<Event, { kind: "round_tripped" }>): string {
  if (answer === "restored") {
    return tampered ? "restored: a tampered text is believed" : "restored: what waits is what waited";
  }
  return tampered ? "refused: the text was tampered with" : "refused, though nothing was changed";
}

/** One row: who it is of, whatever else it says; the same identity twice is a row written twice. */
export type RowWords = { readonly identity: string; readonly name: string; readonly text: string };

export function stepRowWords(row: StepRow): RowWords {
  const { tenant, runId, step, callId, replaces } = row;
  const instead = replaces === "none" ? "" : ` in place of ${printable(replaces)}`;
  const run = tenant === "t1" ? printable(runId) : `${printable(tenant)}/${printable(runId)}`;
  return {
    identity: identityOf(row),
    name: `step ${step} of ${run}`,
    text: `begun by ${printable(callId)}${instead}`,
  };
}

export function requestRowWords(row: RequestRow): RowWords {
  const { number, principal, tool, revision, role, requestedAt, expiresAt } = row;
  const asked = `${printable(tool)} of ${callName(row)} for ${printable(principal)}, role ${printable(role)}`;
  const when = `under policy revision ${revision}, from ${requestedAt} until ${expiresAt}`;
  return { identity: String(number), name: `request ${number}`, text: `${asked}, ${when}` };
}

export function decisionRowWords(row: DecisionRow): RowWords {
  const { number, request, verdict, approver, role, decidedAt } = row;
  const by = `by ${printable(approver)} as ${printable(role)}`;
  return {
    identity: String(number),
    name: `decision ${number}`,
    text: `${verdict} of request ${request} ${by}, at ${decidedAt}`,
  };
}

export function useRowWords(row: UseRow): RowWords {
  const by = row.request === "none" ? "no request" : `request ${row.request}`;
  return {
    identity: identityOf(row),
    name: `use of ${callName(row)}`,
    text: `${printable(row.tool)}, by ${by}`,
  };
}

export function escalationRowWords(row: EscalationRow): RowWords {
  const identity = JSON.stringify([row.delivery, row.layer]);
  return { identity, name: `escalation of ${callName(row)}`, text: `by ${row.layer}` };
}

type OwnedRow = Consent["uses"][number] | StepRow | RequestRow | EscalationRow;

function identityOf({ tenant, runId, callId }: OwnedRow): string {
  return JSON.stringify([tenant, runId, callId]);
}

/** `r1/c-a1`; with its tenant where it is not the usual one. */
export function callName({ tenant, runId, callId }: Pick<OwnedRow, "tenant" | "runId" | "callId">): string {
  return `${tenant === "t1" ? "" : `${printable(tenant)}/`}${printable(runId)}/${printable(callId)}`;
}
