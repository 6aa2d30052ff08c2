import { unreachable } from "../model/unreachable.js";
import type { Action, AttemptName, Context, CrashWhere, DecisionName } from "../model/vocabulary.js";

/** Drops every action that names an attempt which nothing before it makes, and what then depends on it. */
export const repaired = (actions: readonly Action[]): readonly Action[] => {
  const made = new Set<AttemptName | DecisionName>();
  return actions.filter((action) => {
    const stays = [...attemptsNeeded(action), ...decisionsNeeded(action)].every((name) => made.has(name));
    if (stays) for (const name of [...attemptsMade(action), ...decisionsHeld(action)]) made.add(name);
    return stays;
  });
};

/**
 * The same list in which nothing is a retry of `attempt` any more: each of its direct retries becomes a submission
 * of its own, with the request and the context that it had through `attempt`.
 */
export const detached = (actions: readonly Action[], attempt: AttemptName): readonly Action[] => {
  const submissions = submissionsOf(actions);
  return actions.map((action) => {
    if (!("of" in action) || action.of !== attempt) return action;
    const submission = submissions.get(action.attempt);
    if (submission === undefined) return action;
    const faults = action.kind === "drive" ? [] : action.faults;
    return { kind: "submit", attempt: action.attempt, ...submission, faults };
  });
};

/** The attempt that an action starts, if it starts one. */
export const attemptsMade = (action: Action): readonly AttemptName[] => {
  switch (action.kind) {
    case "submit":
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
    case "drive":
      return [action.attempt];
    case "crash":
      return action.where.kind === "entering" ? [action.where.entry.attempt] : [];
    default:
      return [];
  }
};

const decisionsHeld = (action: Action): readonly DecisionName[] =>
  "pace" in action && action.pace === "held" ? [action.decision] : [];

/** Only a decision that is held can go on. */
const decisionsNeeded = (action: Action): readonly DecisionName[] => {
  if (action.kind === "settle") return [action.decision];
  return action.kind === "crash" && action.where.kind === "deciding" ? [action.where.decision] : [];
};

/** The attempts that must exist before an action can mean anything. */
const attemptsNeeded = (action: Action): readonly AttemptName[] => {
  switch (action.kind) {
    case "retry":
    case "retry_changed":
    case "resubmit_new_key":
    case "drive":
      return [action.of];
    case "advance":
    case "finish":
    case "cancel":
    case "expire":
      return [action.attempt];
    case "crash":
      return neededByCrash(action.where);
    case "submit":
    case "approve":
    case "deny":
    case "revoke":
    case "settle":
    case "advance_clock":
    case "set_capability":
    case "round_trip":
    case "say":
    case "change_rules":
    case "reconcile":
    case "damage_ledger":
    case "gate":
    case "change_policy":
    case "arm":
    case "disarm":
    case "restart":
    case "observe":
      return [];
    default:
      return unreachable(action);
  }
};

const neededByCrash = (where: CrashWhere): readonly AttemptName[] => {
  if (where.kind === "at") return [where.attempt];
  return where.kind === "entering" && where.entry.kind === "retry" ? [where.entry.of] : [];
};

type Submission = { readonly request: string; readonly context: Context };

const submissionsOf = (actions: readonly Action[]): ReadonlyMap<AttemptName, Submission> => {
  const submissions = new Map<AttemptName, Submission>();
  for (const one of actions) {
    const action = one.kind === "crash" && one.where.kind === "entering" ? one.where.entry : one;
    if (action.kind === "submit") {
      submissions.set(action.attempt, { request: action.request, context: action.context });
    } else if ("of" in action) {
      const earlier = submissions.get(action.of);
      if (earlier !== undefined) submissions.set(action.attempt, resubmission(earlier, action));
    }
  }
  return submissions;
};

const resubmission = (earlier: Submission, action: Extract<Action, { of: AttemptName }>): Submission => {
  switch (action.kind) {
    case "retry":
    case "drive":
      return earlier;
    case "retry_changed":
      return { ...earlier, request: action.request };
    case "resubmit_new_key":
      return {
        request: action.request,
        context: { ...earlier.context, callId: defaultCallId(action.attempt) },
      };
    default:
      return unreachable(action);
  }
};

/** The call id of an attempt that says nothing else. */
export const defaultCallId = (attempt: AttemptName): string => `c-${attempt}`;
