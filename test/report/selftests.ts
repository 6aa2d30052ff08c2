import type { SelftestReport, SelftestRow } from "../../src/selftest/selftest.js";

/** Hand-made selftest reports. */

export const caught: SelftestRow = {
  bug: "reuses-a-revision",
  says: "takes the old revision number when the old value is restored",
  expectedPromises: ["revision-only-grows"],
  caughtBy: [
    { promise: "revision-only-grows", seeds: 18 },
    { promise: "matches-the-machine", seeds: 2 },
  ],
  caughtSeeds: 20,
  medianRuns: 1200,
  medianActions: 61,
  minimalLength: { min: 2, max: 3 },
  shortestKnown: 2,
  oneMinimal: true,
  replays: true,
};

export const missed: SelftestRow = {
  ...caught,
  bug: "shares-one-events-list",
  says: "two attempts push into one list of events",
  expectedPromises: ["receipt-tells-truth"],
  caughtBy: [],
  caughtSeeds: 0,
  problem: "seed 4: not caught",
};

export function selftest(rows: readonly SelftestRow[]): SelftestReport {
  return {
    format: "commitpoint-selftest",
    formatVersion: 1,
    version: "0.1.0",
    seeds: 20,
    budgetActions: 10_000,
    verdict: rows.some(({ problem }) => problem !== undefined) ? "missed" : "all_caught",
    rows,
    times: { startedAt: "2026-01-01T00:00:00.000Z", wallMs: 1000 },
  };
}
