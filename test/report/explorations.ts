import type { EdgesReport, ExploreReport, MachineReport, SchedulesReport } from "../../src/explore/report.js";
import { counterexample, promises } from "./reports.js";

/** Hand-made reports of explorations. */

export const search: MachineReport = {
  faults: [],
  outcome: { kind: "complete" },
  reduction: { partialOrder: false, symmetry: true },
  states: 12_345,
  transitions: 67_890,
  depth: 31,
  deadEnds: 3,
  bytesPerState: 24.06,
  steps: [
    { kind: "advance", count: 60_000 },
    { kind: "submit", count: 7890 },
  ],
  promises: [{ promise: "no-stale-commit", verdict: { kind: "holds" }, occurs: "yes", path: [] }],
  transitionsMet: ["new submit parked before_business"],
};

export const alone: ExploreReport = {
  format: "commitpoint-exploration",
  formatVersion: 1,
  version: "0.1.0",
  profile: "ledger",
  executor: "none",
  seed: 7,
  bounds: {
    attempts: 2,
    keys: 2,
    policyChanges: 2,
    crashes: 1,
    faults: ["busy"],
    arms: 1,
    faultyAttempts: 1,
  },
  interrupted: false,
  allowVacuous: [],
  machine: [search, { ...search, faults: ["busy"], states: 45_678 }],
  edges: [],
  schedules: [],
  promises: promises(2, { "matches-the-machine": { kind: "not_checked", lacks: ["an executor"] } }),
  counterexamples: [],
  broken: [],
  verdict: "holds",
  times: {
    startedAt: "2026-01-01T00:00:00.000Z",
    wallMs: 4200,
    parts: [
      { part: "machine: no fault", wallMs: 1200 },
      { part: "machine: busy", wallMs: 3000 },
    ],
  },
};

export const walked: EdgesReport & { readonly faults: [] } = {
  faults: [],
  outcome: { kind: "complete" },
  walked: 1000,
  reachable: 1000,
  cutOff: 0,
  walks: 80,
  actions: 1600,
  campaign: { walked: 250, actions: 1600, runs: 54 },
};

export const executed: SchedulesReport = {
  workload: "the same request",
  threads: ["a1", "a2", "policy"],
  outcome: { kind: "complete" },
  footprints: "reported",
  executions: { complete: 36, blocked: 4, repeated: 36 },
  states: 5,
  audit: { audited: 12, unaudited: 0, differences: [] },
  nondeterminism: [],
  sampled: "not_needed",
};

export const onLedger: ExploreReport = {
  ...alone,
  executor: "ledger",
  edges: [walked],
  schedules: [executed],
  promises: promises(4),
};

export const violatedBySchedules: ExploreReport = {
  ...onLedger,
  verdict: "violated",
  promises: promises(4, { "no-stale-commit": { kind: "violated" } }),
  counterexamples: [{ ...counterexample, foundBy: "schedules" }],
};

/** As an exploration tells what its machine breaks: steps without a history. */
export const violatedByMachine: ExploreReport = {
  ...alone,
  verdict: "violated",
  promises: promises(2, {
    "no-stale-commit": { kind: "violated" },
    "matches-the-machine": { kind: "not_checked", lacks: ["an executor"] },
  }),
  counterexamples: [
    {
      ...counterexample,
      run: 0,
      minimal: { ...counterexample.minimal, history: [], candidatesTried: 0 },
      foundBy: "machine",
    },
  ],
};

export const notTheSameTwice: SchedulesReport = {
  ...executed,
  outcome: { kind: "undecided", reason: "nondeterministic" },
  executions: { complete: 3, blocked: 0, repeated: 3 },
  nondeterminism: [
    {
      schedule: [0, 0, 2, 1],
      at: 3,
      what: "seen",
      first: `{"kind":"parked","at":"before_business","number":1}`,
      again: `{"kind":"parked","at":"before_business","number":2}`,
    },
  ],
};

export const leftOut: SchedulesReport = {
  ...executed,
  audit: {
    audited: 11,
    unaudited: 1,
    differences: [
      {
        pair: ["advance a1", "limit 1"],
        first: {
          schedule: { threads: [0, 0, 2], labels: ["submit a1", "advance a1", "limit 1"] },
          shown: "one",
        },
        second: {
          schedule: { threads: [0, 2, 0], labels: ["submit a1", "limit 1", "advance a1"] },
          shown: "two",
        },
        what: "snapshot",
      },
    ],
  },
};
