import type {
  Action,
  CrashWhere,
  Event,
  Fault,
  Outcome,
  Policy,
  PolicySetting,
  Released,
} from "../model/vocabulary.js";
import {
  capabilityWords,
  decidedWords,
  decidingWords,
  dispatchWords,
  heldWords,
  roundTripWords,
} from "./consent-words.js";
import { gatedWords, rulesActionWords } from "./rules-words.js";
import { clipped, printable } from "./text.js";

/** An action as an engineer says it: `submit a1 {"job":"JOB-001"}`, `crash: a1 killed at after_commit`. */
export function actionWords(action: Action): string {
  switch (action.kind) {
    case "submit":
      return `submit ${action.attempt}${dispatchWords(action.context.dispatch)}  ${printable(action.request)}`;
    case "retry":
      return `retry ${action.of} as ${action.attempt}  (same call, same request)`;
    case "retry_changed":
      return `retry ${action.of} as ${action.attempt}, changed  ${printable(action.request)}`;
    case "resubmit_new_key":
      return `resubmit ${action.of} as ${action.attempt} under a new key  ${printable(action.request)}`;
    case "advance":
    case "finish":
    case "cancel":
      return `${action.kind} ${action.attempt}`;
    case "expire":
      return `expire ${action.attempt}  (stop waiting for its checker)`;
    case "change_policy":
      return `change policy: ${settingWords(action.to)}`;
    case "arm":
    case "disarm":
      return `${action.kind} ${faultWords(action.fault)}`;
    case "approve":
    case "deny":
    case "revoke":
      return decidingWords(action);
    case "settle":
      return `settle ${action.decision}`;
    case "advance_clock":
      return `advance the clock by ${action.by}`;
    case "set_capability":
      return capabilityWords(action.capability, action.held);
    case "round_trip":
      return `round trip of what waits${action.tampered ? ", tampered with" : ""}`;
    case "drive":
      return `drive ${action.of}, as ${action.attempt} if its call is repeated`;
    case "crash":
      return crashWords(action.where);
    case "say":
    case "change_rules":
    case "reconcile":
    case "damage_ledger":
    case "gate":
      return rulesActionWords(action);
    case "restart":
    case "observe":
      return action.kind;
  }
}

function crashWords(where: CrashWhere): string {
  switch (where.kind) {
    case "parked":
      return "crash while parked";
    case "at":
      return `crash: advance ${where.attempt}, killed at ${where.at}`;
    case "entering":
      return `crash: ${actionWords(where.entry)}, killed at ${where.at}`;
    case "deciding":
      return `crash: settle ${where.decision}, killed at ${where.at}`;
  }
}

/** The faults that an action plans for its attempt. */
export function plannedFaults(action: Action): readonly Fault[] {
  switch (action.kind) {
    case "submit":
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
      return action.faults;
    case "crash":
      return action.where.kind === "entering" ? action.where.entry.faults : [];
    default:
      return [];
  }
}

export function faultWords(fault: Fault): string {
  if (fault.kind === "spoilt_output") {
    return `spoilt_output ${fault.as}${fault.tries === 1 ? "" : `, ${fault.tries} tries`}`;
  }
  if ("at" in fault) return `${fault.kind} ${fault.at}`;
  return "stage" in fault ? `${fault.kind} at ${fault.stage}` : fault.kind;
}

function settingWords(setting: PolicySetting): string {
  return setting.kind === "remove" ? "remove it" : `at most ${setting.maxCopies}${ruleWords(setting)}`;
}

/** The rule for writes, where there is one. */
function ruleWords({ approval }: { readonly approval?: string }): string {
  return approval === undefined ? "" : `, approval ${approval}`;
}

export function policyWords(policy: Policy): string {
  if (policy.kind === "missing") return "missing";
  return `revision ${policy.revision}, at most ${policy.maxCopies}${ruleWords(policy)}`;
}

/** How a call ended, for its caller. */
function outcomeWords(outcome: Outcome): string {
  switch (outcome.kind) {
    case "completed":
      return (
        `ended ${outcome.status}/${printable(outcome.code)}, receipt ${outcome.receiptNumber}, ` +
        `released ${releasedWords(outcome.released)}`
      );
    case "cancelled":
      return `ended cancelled${outcome.reason === "callers" ? "" : ", but not with the caller's reason"}`;
    case "audit_unavailable":
      return `ended audit_unavailable (${outcome.causes.join(", ")})`;
    case "refused":
    case "failed":
      return `ended ${outcome.kind}: ${clipped(outcome.proof, 80)}`;
    case "unknown":
      return `ended unknown (${outcome.cause})`;
  }
}

/** How sure its caller can be that all is well. */
export function outcomeTone(outcome: Outcome): "good" | "refused" | "bad" {
  if (outcome.kind === "completed") return outcome.status === "accepted" ? "good" : "refused";
  return outcome.kind === "audit_unavailable" || outcome.kind === "unknown" ? "bad" : "refused";
}

/** What an event that is no action of its own says in a timeline; `undefined` for one that has a line of another kind. */
export function eventWords(event: Event): string | undefined {
  switch (event.kind) {
    case "parked": {
      const seen = event.snapshotRevision;
      const snapshot = seen.kind === "seen" ? `, checked under policy revision ${seen.revision}` : "";
      return `parked at ${event.at}${event.at === "before_business" ? snapshot : ""}`;
    }
    case "blocked":
      return `blocked: waits for ${printable(event.on)}`;
    case "fault_fired":
      return `fault ${faultWords(event.fault)} fires${firedAt(event.fault, event.at)}`;
    case "cancel_delivered":
      return `cancel delivered at ${event.at}`;
    case "cancel_too_late":
      return "the cancel came too late";
    case "ended":
      return outcomeWords(event.outcome);
    case "decision_held":
      return heldWords(event);
    case "decided":
      return decidedWords(event);
    case "clock_set":
      return `the clock is at ${event.now}`;
    case "round_tripped":
      return roundTripWords(event);
    case "driven":
      return event.answer === "repeats"
        ? `the driver repeats the call of ${event.of}`
        : `the driver does not repeat the call of ${event.of}`;
    case "rules_set":
      return `the rules are ${event.answer}`;
    case "gated":
      return gatedWords(event.verdicts);
    case "restarted":
      return event.result === "up" ? "the executor is up again" : "the executor does not come up";
    case "skipped":
      return `skipped: ${printable(event.reason)}`;
    case "logged":
      return `logged: ${clipped(event.text, 200)}`;
    case "late":
      return `after its end: ${clipped(event.what, 200)}`;
    case "submitted":
    case "advanced":
    case "cancel_requested":
    case "expired":
    case "policy_set":
    case "capability_set":
    case "said":
    case "reconciled":
    case "ledger_damaged":
    case "armed":
    case "disarmed":
    case "crashed":
    case "epilogue":
    case "observed":
      return undefined;
  }
}

function firedAt(fault: Fault, at: string): string {
  const known = ("at" in fault && fault.at === at) || ("stage" in fault && fault.stage === at);
  return known ? "" : ` (${printable(at)})`;
}

function releasedWords(released: Released): string {
  return released.kind === "nothing" ? "nothing" : clipped(JSON.stringify(released.value), 160);
}
