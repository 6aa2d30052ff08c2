import type { Action } from "../model/vocabulary.js";
import { minimiseFailure } from "../properties/inline-crew.js";
import { fewerSwitches } from "../properties/minimise-switches.js";
import { type Bench, executeRun } from "../properties/run.js";
import type { Counterexample, PromiseId, Violation } from "../properties/verdict.js";

/** A broken promise of an executor, as it was found. */
export type FoundFailure = {
  readonly promise: PromiseId;
  /** The number of the execution or the walk that showed it. */
  readonly run: number;
  readonly violation: Violation;
  readonly actions: readonly Action[];
};

/** Reorderings that may be tried; a minimal list is short. */
const reorderings = 500;

/** Shrinks a failure in steps first; then, of the orders of these steps that still show it, seeks a plainer one. */
export async function counterexampleOf(bench: Bench, failure: FoundFailure): Promise<Counterexample> {
  const { promise, run, violation, actions } = failure;
  const minimal = await minimiseFailure(bench, failure);
  const found = { promise, run, violation, actions };
  if (minimal.kind !== "one_minimal") return { ...found, minimal };
  const reordered = await fewerSwitches({
    actions: minimal.actions,
    fails: async (candidate) => {
      const { verdict } = await executeRun(bench, candidate);
      if (verdict.violations.some((one) => one.promise === promise)) return "same";
      return verdict.violations.length > 0 ? "other" : "none";
    },
    budget: { candidates: reorderings },
  });
  const record = await executeRun(bench, reordered.actions);
  const shown = record.verdict.violations.find((one) => one.promise === promise);
  if (shown === undefined) return { ...found, minimal };
  const candidatesTried = minimal.candidatesTried + reordered.candidatesTried;
  const { actions: plainer } = reordered;
  return {
    ...found,
    minimal: { ...minimal, actions: plainer, violation: shown, history: record.history, candidatesTried },
  };
}
