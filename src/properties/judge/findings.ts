import type { Finding } from "../invariants/invariant.js";
import { type PromiseId, promiseIds, type RunVerdict, type Violation } from "../verdict.js";

type Place = { readonly position: number; readonly action: number };

/** What was found in one run. */
export type Findings = {
  readonly occur: (promise: PromiseId) => void;
  readonly hasOccurred: (promise: PromiseId) => boolean;
  /** Notes what a look found; a promise that is broken already is not noted again. */
  readonly note: (promise: PromiseId, finding: Finding, place: Place) => void;
  /** A divergence from the machine closes nothing: a named promise may still break after it. */
  readonly noteDivergence: (violation: Violation) => void;
  /** Whether an earlier action broke a named promise, so that nothing of this one counts. */
  readonly areClosedFor: (action: number) => boolean;
  /** Violations noted since the last call. */
  readonly takeNew: () => readonly Violation[];
  /** `open`: promises that could not be judged to their end, unless the run broke one and rightly stopped there. */
  readonly verdict: (open: RunVerdict["undecided"]) => RunVerdict;
};

export function createFindings(): Findings {
  const occurred = new Set<PromiseId>();
  const undecided = new Map<PromiseId, string>();
  const named: Violation[] = [];
  const divergences: Violation[] = [];
  let fresh: Violation[] = [];
  return {
    occur: (promise) => occurred.add(promise),
    hasOccurred: (promise) => occurred.has(promise),
    note: (promise, finding, { position, action }) => {
      if (finding.kind === "undecided") {
        if (!undecided.has(promise)) undecided.set(promise, finding.reason);
        return;
      }
      if (named.some((violation) => violation.promise === promise)) return;
      const { sentence, expected, seen } = finding;
      const violation: Violation = { promise, position, action, sentence, expected, seen };
      occurred.add(promise);
      named.push(violation);
      fresh.push(violation);
    },
    noteDivergence: (violation) => {
      divergences.push(violation);
      fresh.push(violation);
    },
    areClosedFor: (action) => named.some((violation) => violation.action !== action),
    takeNew: () => {
      const taken = fresh;
      fresh = [];
      return taken;
    },
    verdict: (open) => {
      const left = [...undecided].map(([promise, reason]) => ({ promise, reason }));
      const isBroken = (promise: PromiseId) => named.some((violation) => violation.promise === promise);
      return {
        violations: [...named, ...divergences],
        occurred: promiseIds.filter((promise) => occurred.has(promise)),
        undecided: [...left.filter(({ promise }) => !isBroken(promise)), ...(named.length > 0 ? [] : open)],
      };
    },
  };
}
