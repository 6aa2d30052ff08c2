import type { Code, Outcome, StageEvent, Status } from "../../model/vocabulary.js";

/** The stage events that an outcome tells; none where it tells none. */
export function eventsOf(outcome: Outcome): readonly StageEvent[] {
  return outcome.kind === "completed" || outcome.kind === "audit_unavailable" ? outcome.events : [];
}

/** Whether an attempt ended because somebody has to be asked first. */
export function asksSomebody({ status, code }: { readonly status: Status; readonly code: Code }): boolean {
  if (status === "waiting_for_approval") return true;
  return status === "approval_refused" && (code === "expired" || code === "policy_changed");
}

export function isAccepted(outcome: Outcome): boolean {
  return outcome.kind === "completed" && outcome.status === "accepted";
}

/** Whether a caller got something out of it: a value, or the word that it was accepted. */
export function isReleased(outcome: Outcome): boolean {
  return outcome.kind === "completed" && (outcome.status === "accepted" || outcome.released.kind === "value");
}
