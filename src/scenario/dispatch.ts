import type { Action, AttemptName, Context, Dispatch } from "../model/vocabulary.js";

export const defaultTenant = "t1";
export const defaultRun = "r1";
export const defaultPrincipal = "p1";

/** The call id of an attempt whose submit names none. */
export function defaultCall(attempt: AttemptName): string {
  return `c-${attempt}`;
}

/** Where a call goes whose submit does not say it. */
export const defaultDispatch: Dispatch = {
  tool: "draft",
  step: 0,
  replaces: "none",
  sideEffects: "not_permitted",
};

/** Whether each call of this profile is dispatched to a tool, also one whose submit does not say so. */
export function dispatchesAlways(profile: string): boolean {
  return profile === "guarded";
}

/** The action with the dispatch that its profile has for every call. */
export function dispatched(action: Action, profile: string): Action {
  if (!dispatchesAlways(profile)) return action;
  if (action.kind === "submit") return { ...action, context: withDispatch(action.context) };
  if (action.kind !== "crash" || action.where.kind !== "entering") return action;
  const { entry } = action.where;
  if (entry.kind !== "submit") return action;
  return {
    ...action,
    where: { ...action.where, entry: { ...entry, context: withDispatch(entry.context) } },
  };
}

function withDispatch(context: Context): Context {
  return { ...context, dispatch: context.dispatch ?? defaultDispatch };
}
