import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addShares, executeShare, planOfRun, type ShareControl } from "../../src/properties/share.js";
import { stages } from "../../src/sut/ledger/stages.js";
import { openDraftBench } from "../sut/ledger/draft-bench.js";

const free: ShareControl = { stopped: () => false, began: () => {}, ended: () => {} };
const request = { seed: 7, first: 0, runs: 60, maxActions: 20, stopAt: [] };

let bench: Awaited<ReturnType<typeof openDraftBench>>;
/** Skips the output check altogether, so that a spoilt copy is released. */
let careless: Awaited<ReturnType<typeof openDraftBench>>;
beforeAll(async () => {
  bench = await openDraftBench();
  careless = await openDraftBench({ stages: () => ({ ...stages, output: async () => {} }) });
});
afterAll(async () => {
  await bench.close();
  await careless.close();
});

describe("a share", () => {
  it("of the sound ledger breaks no promise, skips nothing and executes every run", async () => {
    const share = await executeShare(bench, request, free);
    expect(share).toMatchObject({
      executed: 60,
      skipped: 0,
      failures: [],
      broken: [],
      undecided: {},
      end: "complete",
    });
    expect(share.performed).toBe(Object.values(share.byKind).reduce((sum, count) => sum + count, 0));
  });

  it("twice in a row is the same", async () => {
    expect(await executeShare(bench, request, free)).toEqual(await executeShare(bench, request, free));
  });

  it("adds up with its neighbours to the undivided campaign", async () => {
    const parts = [];
    for (const first of [30, 0, 45, 15]) {
      parts.push(await executeShare(careless, { ...request, first, runs: 15 }, free));
    }
    expect(addShares(parts)).toEqual(
      await executeShare(careless, request, free).then((whole) => addShares([whole])),
    );
    expect(addShares(parts).failures.map(({ promise }) => promise)).toContain("checked-every-time");
  });

  it("plans for a single run what it executes there", async () => {
    const runs: number[] = [];
    const whole = await executeShare(
      bench,
      { ...request, first: 5, runs: 3 },
      { ...free, began: (run) => runs.push(run) },
    );
    const settings = { profile: bench.port.profile, contract: bench.contract, policy: bench.policy };
    const planned = runs.map(
      (run) => planOfRun(settings, request.seed, run, request.maxActions).actions.length,
    );
    expect(runs).toEqual([5, 6, 7]);
    expect(planned.reduce((sum, length) => sum + length, 0)).toBe(whole.performed);
  });

  it("ends with the first run that breaks a promise it is to stop at", async () => {
    const whole = await executeShare(careless, request, free);
    const first = whole.failures.find(({ promise }) => promise === "checked-every-time");
    const stopped = await executeShare(careless, { ...request, stopAt: ["checked-every-time"] }, free);
    expect(stopped.end).toBe("bailed");
    expect(stopped.executed).toBe((first?.run ?? -1) + 1);
  });

  it("ends between two runs when it is asked to, and says so", async () => {
    let runs = 0;
    const share = await executeShare(bench, request, {
      ...free,
      stopped: () => runs === 4,
      ended: () => runs++,
    });
    expect(share).toMatchObject({ executed: 4, end: "stopped" });
  });

  it("ends once it has generated as many actions as it may", async () => {
    const share = await executeShare(bench, { ...request, runs: 1000, mostActions: 60 }, free);
    expect(share.performed).toBeGreaterThanOrEqual(60);
    expect(share.performed).toBeLessThan(60 + request.maxActions);
  });
});
