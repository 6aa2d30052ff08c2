import {
  type Broken,
  type CampaignReport,
  type Counterexample,
  type PromiseId,
  type PromiseReport,
  promiseIds,
} from "../../src/properties/verdict.js";
import { staleCommit } from "./histories.js";

/** Hand-made campaign reports for tests of reporters, merging and the command line. */

export const counterexample: Counterexample = {
  promise: "no-stale-commit",
  run: 37,
  violation: {
    promise: "no-stale-commit",
    position: 12,
    action: 4,
    sentence: "The effect JOB-001 was committed under a policy revision that was no longer current.",
    expected: "policy revision 2, the current one",
    seen: "policy revision 1",
  },
  actions: [...staleCommit.actions, ...staleCommit.actions],
  minimal: {
    actions: staleCommit.actions,
    violation: {
      promise: "no-stale-commit",
      position: 12,
      action: 4,
      sentence: "The effect JOB-001 was committed under a policy revision that was no longer current.",
      expected: "policy revision 2, the current one",
      seen: "policy revision 1",
    },
    history: staleCommit.history,
    kind: "one_minimal",
    candidatesTried: 52,
  },
};

export const brokenRun: Broken = {
  run: 3,
  where: "advance",
  message: "advance took longer than 2000 ms",
  actions: staleCommit.actions,
};

/** Promises about what a ledger does not have: approvals, runs, capabilities, a driver, rules. */
const othersAlone: readonly PromiseId[] = [
  "approval-binds",
  "denied-stays-denied",
  "approve-once-executes-once",
  "pause-consumes-nothing",
  "consent-survives",
  "decision-tells-truth",
  "asks-once",
  "authority-at-commit",
  "recovery-by-kind",
  "repair-is-bounded",
  "identity-from-context",
  "layers-do-not-average",
  "gate-equals-guard",
  "reservation-is-exclusive",
];

/** The 22 promises that a ledger is asked about. */
export const ledgerPromises: readonly PromiseId[] = promiseIds.filter(
  (promise) => !othersAlone.includes(promise),
);

/** Every promise of a ledger holds in `occurred` runs, but for those given. */
export function promises(
  occurred: number,
  others: { readonly [Id in PromiseId]?: PromiseReport["verdict"] } = {},
): readonly PromiseReport[] {
  return ledgerPromises.map((promise) => {
    const verdict = others[promise] ?? { kind: "holds" };
    const never = verdict.kind === "vacuous" || verdict.kind === "not_checked";
    return { promise, verdict, occurredInRuns: never ? 0 : occurred };
  });
}

export const holding: CampaignReport = {
  format: "commitpoint-report",
  formatVersion: 1,
  version: "0.1.0",
  executor: "ledger",
  profile: "ledger",
  seed: 7,
  maxActions: 30,
  shard: { index: 1, count: 1 },
  budget: { kind: "runs", runs: 40 },
  interrupted: false,
  runs: { first: 0, planned: 40, executed: 40 },
  actions: { performed: 980, skipped: 20, byKind: { submit: 400, advance: 600 } },
  allowVacuous: [],
  verdict: "holds",
  promises: promises(12),
  counterexamples: [],
  broken: [],
  coverage: {
    reachable: 3,
    reached: { "new submit parked before_business": 400, "idle restart idle": 3 },
    notReached: ["down restart idle"],
  },
  times: { startedAt: "2026-01-01T00:00:00.000Z", wallMs: 500, actionsPerSecond: 2000, workers: 2 },
};

export const violated: CampaignReport = {
  ...holding,
  executor: "faulty/no-recheck",
  verdict: "violated",
  promises: promises(12, {
    "no-stale-commit": { kind: "violated" },
    "fail-closed": { kind: "vacuous" },
    "always-recoverable": { kind: "not_checked", lacks: ["reconcile"] },
    "every-attempt-ends": { kind: "undecided", reason: "the budget ran out" },
  }),
  counterexamples: [counterexample],
};
