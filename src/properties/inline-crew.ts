import { simplerFor } from "../contract/tool.js";
import type { Crew } from "./campaign.js";
import { failsLike, shownWhere } from "./fails-like.js";
import { minimise } from "./minimise.js";
import { type Bench, executeRun } from "./run.js";
import { executeShare, type Failure } from "./share.js";
import type { Counterexample } from "./verdict.js";

/** Candidates that one minimisation may try; a list of 30 actions takes some dozens to a few hundred. */
const minimiseCandidates = 3000;

/** A crew of one: this thread, on one bench. */
export function inlineCrew(bench: Bench): Crew {
  let stopped = false;
  return {
    size: 1,
    share: (request, onRuns) =>
      executeShare(bench, request, {
        stopped: () => stopped,
        began: () => {},
        ended: (actions) => onRuns(1, actions),
      }),
    minimise: (failure) => minimiseFailure(bench, failure),
    interrupt: () => {
      stopped = true;
    },
  };
}

/** Shrinks a failing list on the bench it failed on, and runs the result once more for its history. */
export async function minimiseFailure(bench: Bench, failure: Failure): Promise<Counterexample["minimal"]> {
  const { promise } = failure;
  const minimised = await minimise({
    actions: failure.actions,
    fails: failsLike(bench, promise, shownWhere(failure.violation, failure.actions)),
    simpler: simplerFor(bench.contract),
    budget: { candidates: minimiseCandidates },
  });
  const record = await executeRun(bench, minimised.actions);
  const violation = record.verdict.violations.find((one) => one.promise === promise);
  return { ...minimised, violation: violation ?? failure.violation, history: record.history };
}
