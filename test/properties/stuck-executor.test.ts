import { describe, expect, it } from "vitest";
import { executeRun } from "../../src/properties/run.js";
import { executeShare } from "../../src/properties/share.js";
import { stages } from "../../src/sut/ledger/stages.js";
import { draft, finish, openDraftBench, submit } from "../sut/ledger/draft-bench.js";

const never = new Promise<never>(() => {});
const budgetMs = 200;

describe("an executor that is stuck", () => {
  it("in a move ends the run as broken, with the attempt and the budget named", async () => {
    const bench = await openDraftBench({ stages: () => ({ ...stages, execute: () => never }) }, budgetMs);
    const record = await executeRun(bench, [submit("a1", draft("JOB-001")), finish("a1")]);
    expect(record.end).toEqual({
      kind: "broken",
      where: "the executor or its adapter",
      message: `attempt a1 neither stopped nor ended within ${budgetMs} ms`,
    });
    expect(record.verdict.violations).toEqual([]);
    await bench.close();
  });

  it("while faults are gone, the store answers and everything is driven on breaks every-attempt-ends", async () => {
    const bench = await openDraftBench({ stages: () => ({ ...stages, execute: () => never }) }, budgetMs);
    const record = await executeRun(bench, [submit("a1", draft("JOB-001"))]);
    expect(record.end).toEqual({ kind: "judged" });
    expect(record.verdict.violations.map(({ promise }) => promise)).toContain("every-attempt-ends");
    await bench.close();
  });

  it("ends a share as broken and leaves the bench fit for the next run", async () => {
    let isStuck = true;
    const bench = await openDraftBench(
      {
        stages: () => ({
          ...stages,
          check: (passage, environment) => (isStuck ? never : stages.check(passage, environment)),
        }),
      },
      budgetMs,
    );
    const request = { seed: 1, first: 0, runs: 50, maxActions: 10, stopAt: [] };
    const control = { stopped: () => false, began: () => {}, ended: () => {} };
    const share = await executeShare(bench, request, control);
    expect(share.end).toBe("broken");
    expect(share.broken).toMatchObject([{ where: "the executor or its adapter" }]);
    isStuck = false;
    expect(await executeShare(bench, request, control)).toMatchObject({
      executed: 50,
      end: "complete",
      failures: [],
    });
    await bench.close();
  });
});
