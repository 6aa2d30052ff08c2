import type { Action } from "../model/vocabulary.js";
import { invariants } from "./invariants.js";
import { type Bench, executeRun } from "./run.js";
import type { PromiseId, Violation } from "./verdict.js";

/** Where a failure shows itself: in the list's own steps, or in what is driven after them. */
export type Shown = "in_the_list" | "afterwards";

export function shownWhere(violation: Violation, actions: readonly Action[]): Shown {
  return violation.action < actions.length && !isAskedInTheEnd(violation.promise)
    ? "in_the_list"
    : "afterwards";
}

function isAskedInTheEnd(promise: PromiseId): boolean {
  return promise !== "matches-the-machine" && invariants[promise].kind === "eventually";
}

/**
 * Whether a failure that shows itself only after the list counts as found: where approvals are needed, what is driven
 * in the end grants and repeats, and would stand for steps that a reader of the list has to see.
 */
export function countsAsFound({ port }: Bench, violation: Violation, actions: readonly Action[]): boolean {
  return (
    !port.profile.abilities.includes("approvals") ||
    isAskedInTheEnd(violation.promise) ||
    shownWhere(violation, actions) === "in_the_list"
  );
}

/** Says of a list whether it fails as one did before; one that showed itself in the list must do so again. */
export function failsLike(
  bench: Bench,
  promise: PromiseId,
  shown: Shown,
): (actions: readonly Action[]) => Promise<"same" | "other" | "none"> {
  const isStrict = shown === "in_the_list" && bench.port.profile.abilities.includes("approvals");
  return async (actions) => {
    const { verdict } = await executeRun(bench, actions);
    const found = verdict.violations.find((violation) => violation.promise === promise);
    if (found !== undefined && (!isStrict || shownWhere(found, actions) === "in_the_list")) return "same";
    return verdict.violations.length > 0 ? "other" : "none";
  };
}
