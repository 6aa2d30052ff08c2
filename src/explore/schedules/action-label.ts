import type { Action, CrashWhere } from "../../model/vocabulary.js";

/** Names an action within a program, in which no thread does two different things under one name. */
export function actionLabel(action: Action): string {
  switch (action.kind) {
    case "submit":
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
    case "advance":
    case "finish":
    case "cancel":
    case "expire":
      return `${action.kind} ${action.attempt}`;
    case "change_policy":
      return action.to.kind === "remove"
        ? "remove the policy"
        : ["limit", action.to.maxCopies, action.to.approval ?? ""].join(" ").trimEnd();
    case "arm":
    case "disarm":
      return `${action.kind} ${JSON.stringify(action.fault)}`;
    case "crash":
      return `crash${crashLabel(action.where)}`;
    case "say":
      return `say ${action.text}`;
    case "change_rules":
      return `change_rules ${JSON.stringify(action.to)} ${action.flaw}`;
    case "gate":
      return `gate ${action.flaw}`;
    case "reconcile":
    case "damage_ledger":
    case "restart":
    case "observe":
      return action.kind;
    case "approve":
    case "deny":
    case "revoke":
    case "settle":
      return `${action.kind} ${action.decision}`;
    case "advance_clock":
      return `${action.kind} ${action.by}`;
    case "set_capability":
      return `${action.held ? "give" : "take"} ${Object.values(action.capability).join(" ")}`;
    case "round_trip":
      return `${action.kind} ${action.tampered ? "tampered" : "genuine"}`;
    case "drive":
      return `${action.kind} ${action.attempt}`;
  }
}

/** Whom it strikes, and where. */
function crashLabel(where: CrashWhere): string {
  switch (where.kind) {
    case "parked":
      return "";
    case "at":
      return ` ${where.attempt} at ${where.at}`;
    case "entering":
      return ` ${actionLabel(where.entry)} at ${where.at}`;
    case "deciding":
      return ` ${where.decision} at ${where.at}`;
  }
}
