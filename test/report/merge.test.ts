import { describe, expect, it } from "vitest";
import type { CampaignReport } from "../../src/properties/verdict.js";
import { mergeReports } from "../../src/report/merge.js";
import { brokenRun, counterexample, holding, promises } from "./reports.js";

/** Two shards of a campaign of 40 runs: each saw a situation that the other did not. */
const first: CampaignReport = {
  ...holding,
  shard: { index: 1, count: 2 },
  runs: { first: 0, planned: 20, executed: 20 },
  actions: { performed: 400, skipped: 10, byKind: { advance: 300, submit: 110 } },
  verdict: "vacuous",
  promises: promises(5, { "fail-closed": { kind: "vacuous" } }),
  coverage: { reachable: 4, reached: { b: 2, a: 1 }, notReached: ["c", "d"] },
  times: { startedAt: "2026-01-02T00:00:00.000Z", wallMs: 1000, actionsPerSecond: 410, workers: 2 },
};

const second: CampaignReport = {
  ...first,
  shard: { index: 2, count: 2 },
  runs: { first: 20, planned: 20, executed: 20 },
  actions: { performed: 600, skipped: 0, byKind: { advance: 500, crash: 100 } },
  promises: promises(7, { "no-stale-commit": { kind: "vacuous" } }),
  coverage: { reachable: 4, reached: { a: 3, c: 1 }, notReached: ["b", "d"] },
  times: { startedAt: "2026-01-01T00:00:00.000Z", wallMs: 1500, actionsPerSecond: 400, workers: 1 },
};

function merged(...reports: readonly CampaignReport[]): CampaignReport {
  const result = mergeReports(reports);
  if (result.kind === "merged") return result.report;
  throw new Error(result.reason);
}

function reason(...reports: readonly CampaignReport[]): string {
  const result = mergeReports(reports);
  return result.kind === "mismatch" ? result.reason : "merged";
}

describe("mergeReports", () => {
  it("sums runs, actions and coverage into the report of the whole", () => {
    const whole = merged(second, first);
    expect(whole.shard).toEqual({ index: 1, count: 1 });
    expect(whole.runs).toEqual({ first: 0, planned: 40, executed: 40 });
    expect(whole.actions).toEqual({
      performed: 1000,
      skipped: 10,
      byKind: { advance: 800, crash: 100, submit: 110 },
    });
    expect(whole.coverage).toEqual({ reachable: 4, reached: { a: 4, b: 2, c: 1 }, notReached: ["d"] });
    expect(Object.keys(whole.coverage.reached)).toEqual(["a", "b", "c"]);
  });

  it("judges vacuity on the whole: what occurred in one shard did occur", () => {
    const whole = merged(first, second);
    expect(whole.verdict).toBe("holds");
    const closed = whole.promises.find(({ promise }) => promise === "fail-closed");
    expect(closed).toEqual({ promise: "fail-closed", verdict: { kind: "holds" }, occurredInRuns: 7 });
  });

  it("stays vacuous where a situation occurred in no shard", () => {
    const never = { ...second, promises: promises(7, { "fail-closed": { kind: "vacuous" } }) };
    expect(merged(first, never).verdict).toBe("vacuous");
  });

  it("gives the same report whatever the order of the shards", () => {
    expect(merged(second, first)).toEqual(merged(first, second));
  });

  it("keeps the first run that broke a promise", () => {
    const broke = {
      promises: promises(5, { "no-stale-commit": { kind: "violated" } as const }),
      verdict: "violated" as const,
    };
    const late = { ...counterexample, run: 25 };
    const other = { ...counterexample, promise: "fail-closed" as const, run: 3 };
    const whole = merged(
      { ...second, ...broke, counterexamples: [late] },
      { ...first, ...broke, counterexamples: [counterexample, other].map((one) => ({ ...one })) },
    );
    expect(whole.verdict).toBe("violated");
    // 3 before 25; run 37 of the same promise as run 25 came later.
    expect(whole.counterexamples.map(({ promise, run }) => [promise, run])).toEqual([
      ["fail-closed", 3],
      ["no-stale-commit", 25],
    ]);
  });

  it("keeps broken runs in the order of their numbers", () => {
    const whole = merged(
      { ...second, broken: [{ ...brokenRun, run: 30 }] },
      { ...first, broken: [brokenRun] },
    );
    expect(whole.verdict).toBe("broken");
    expect(whole.broken.map(({ run }) => run)).toEqual([3, 30]);
  });

  it("is interrupted if one shard was", () => {
    expect(merged(first, { ...second, interrupted: true }).interrupted).toBe(true);
    expect(merged(first, second).interrupted).toBe(false);
  });

  it("adds up the machine time", () => {
    expect(merged(first, second).times).toEqual({
      startedAt: "2026-01-01T00:00:00.000Z",
      wallMs: 2500,
      actionsPerSecond: 404,
      workers: 3,
    });
  });

  it("takes the one report of an undivided campaign", () => {
    expect(merged(holding).verdict).toBe("holds");
  });

  it.each([
    ["seed", { seed: 8 }, "the seed is 7 in shard 1/2 and 8 in shard 2/2"],
    ["executor", { executor: "other" }, "the executor is ledger in shard 1/2 and other in shard 2/2"],
    ["profile", { profile: "ruled" }, "the profile is ledger in shard 1/2 and ruled in shard 2/2"],
    ["version", { version: "0.2.0" }, "the version is 0.1.0 in shard 1/2 and 0.2.0 in shard 2/2"],
    [
      "list length",
      { maxActions: 31 },
      "the number of actions in a run is 30 in shard 1/2 and 31 in shard 2/2",
    ],
    [
      "budget",
      { budget: { kind: "runs", runs: 41 } },
      "the budget is 40 runs in shard 1/2 and 41 runs in shard 2/2",
    ],
    [
      "allowed",
      { allowVacuous: ["fail-closed"] },
      "the list of promises that may be vacuous is empty in shard 1/2 and fail-closed in",
    ],
    ["count", { shard: { index: 2, count: 3 } }, "the number of shards is 2 in shard 1/2 and 3 in shard 2/3"],
    ["judged", { promises: promises(1).slice(1) }, "the list of promises is"],
  ] as const)("refuses another %s", (_, difference, text) => {
    expect(reason(first, { ...second, ...difference })).toContain(text);
  });

  it("refuses a shard given twice", () => {
    expect(reason(first, second, first)).toBe("shard 1/2 is given twice");
  });

  it("names the shards that are missing", () => {
    const four = { index: 2, count: 4 };
    expect(reason(first)).toBe("shard 2/2 is missing");
    expect(reason({ ...first, shard: four })).toBe("shards 1/4, 3/4, 4/4 are missing");
    expect(reason()).toBe("there is no report to merge");
  });
});
