import { describe, expect, it } from "vitest";
import { type CampaignOptions, type Crew, runCampaign } from "../../src/properties/campaign.js";
import type { Failure, Share, ShareRequest } from "../../src/properties/share.js";
import { promiseIds } from "../../src/properties/verdict.js";
import { ledger } from "./history.js";

const options: CampaignOptions = {
  version: "0",
  executor: "ledger",
  profile: ledger,
  tool: "draft",
  policy: { kind: "limit", maxCopies: 3 },
  seed: 1,
  budget: { kind: "runs", runs: 1000 },
  maxActions: 30,
  shard: { index: 1, count: 1 },
  bail: false,
  allowVacuous: [],
  reachable: ["here", "there"],
  signal: new AbortController().signal,
  progress: () => {},
};

/** A share in which every situation occurred once and nothing is wrong. */
function share({ first, runs }: ShareRequest, different: Partial<Share> = {}): Share {
  return {
    first,
    executed: runs,
    performed: runs,
    skipped: 0,
    byKind: { observe: runs },
    occurred: Object.fromEntries(promiseIds.map((promise) => [promise, 1])),
    reached: { here: 1 },
    undecided: {},
    failures: [],
    broken: [],
    end: "complete",
    ...different,
  };
}

function failure(run: number): Failure {
  const violation = {
    promise: "commit-survives",
    position: 0,
    action: 0,
    sentence: "",
    expected: "",
    seen: "",
  } as const;
  return { promise: "commit-survives", run, violation, actions: [] };
}

/** A crew of this size that answers shares as told, later ones sooner, and remembers what it was asked. */
function crew(
  size: number,
  answer: (request: ShareRequest) => Share,
): Crew & { readonly asked: ShareRequest[] } {
  const asked: ShareRequest[] = [];
  return {
    size,
    asked,
    share: async (request) => {
      asked.push(request);
      await new Promise((resolve) => setTimeout(resolve, request.first === 0 ? 20 : 1));
      return answer(request);
    },
    minimise: async ({ actions, violation }) => ({
      actions,
      violation,
      history: [],
      kind: "one_minimal",
      candidatesTried: 0,
    }),
    interrupt: () => {},
  };
}

const withoutTimes = async (own: Partial<CampaignOptions>, by: Crew): Promise<unknown> => ({
  ...(await runCampaign({ ...options, ...own }, by)),
  times: "left out",
});

describe("a campaign", () => {
  it("adds shares up in the order of their runs, whoever finished first", async () => {
    const answer = (request: ShareRequest): Share =>
      share(request, { failures: [failure(request.first + 3)] });
    const one = await withoutTimes({}, crew(1, answer));
    expect(await withoutTimes({}, crew(3, answer))).toEqual(one);
    // The first failure of a promise is the one of the lowest run.
    expect(one).toMatchObject({
      verdict: "violated",
      runs: { first: 0, planned: 1000, executed: 1000 },
      counterexamples: [{ promise: "commit-survives", run: 3 }],
      coverage: { reachable: 2, reached: { here: 4 }, notReached: ["there"] },
    });
  });

  it.each([
    ["bailed", { failures: [failure(260)] }],
    ["broken", { broken: [{ run: 260, where: "submit", message: "", actions: [] }] }],
  ] as const)("that %s drops what others found beyond that share", async (end, found) => {
    const answer = (request: ShareRequest): Share =>
      share(request, request.first === 250 ? { ...found, executed: 11, end } : {});
    const one = await withoutTimes({ bail: true }, crew(1, answer));
    expect(one).toMatchObject({ runs: { executed: 261 } });
    expect(await withoutTimes({ bail: true }, crew(3, answer))).toEqual(one);
  });

  it("asks shares to stop at any promise when it is to bail, and at none otherwise", async () => {
    const bailing = crew(1, share);
    await withoutTimes({ bail: true }, bailing);
    const patient = crew(1, share);
    await withoutTimes({}, patient);
    expect(new Set(bailing.asked.map(({ stopAt }) => stopAt))).toEqual(new Set([promiseIds]));
    expect(new Set(patient.asked.map(({ stopAt }) => stopAt.length))).toEqual(new Set([0]));
  });

  it("gives each shard its own stretch of the undivided runs, none of them empty", async () => {
    const stretches: (readonly [number, number])[] = [];
    for (const index of [1, 2, 3, 4]) {
      const by = crew(1, share);
      await withoutTimes({ budget: { kind: "runs", runs: 10 }, shard: { index, count: 4 } }, by);
      stretches.push(...by.asked.map(({ first, runs }) => [first, runs] as const));
    }
    // 10 runs over 4 shards start at the whole part of 0, 2.5, 5 and 7.5.
    expect(stretches).toEqual([
      [0, 2],
      [2, 3],
      [5, 2],
      [7, 3],
    ]);
  });

  it("tells vacuous, undecided and unchecked promises apart, and is no success with either of the first two", async () => {
    const occurred = Object.fromEntries(
      promiseIds.filter((promise) => promise !== "fail-closed").map((promise) => [promise, 1]),
    );
    const vacuous = await runCampaign(
      options,
      crew(1, (request) => share(request, { occurred })),
    );
    expect(vacuous.verdict).toBe("vacuous");
    expect(vacuous.promises.find(({ promise }) => promise === "fail-closed")?.verdict).toEqual({
      kind: "vacuous",
    });
    const allowed = await runCampaign(
      { ...options, allowVacuous: ["fail-closed"] },
      crew(1, (request) => share(request, { occurred })),
    );
    expect(allowed.verdict).toBe("holds");
    const undecided = { "rollback-is-complete": "nobody looked" };
    const open = await runCampaign(
      options,
      crew(1, (request) => share(request, { undecided })),
    );
    expect(open.verdict).toBe("undecided");
    const deaf = { ...ledger, abilities: ledger.abilities.filter((ability) => ability !== "cancel") };
    const unchecked = await runCampaign({ ...options, profile: deaf }, crew(1, share));
    expect(unchecked.promises.find(({ promise }) => promise === "cancel-is-not-success")?.verdict).toEqual({
      kind: "not_checked",
      lacks: ["cancel"],
    });
  });

  it("that was interrupted before it began executed nothing, and says so", async () => {
    const by = crew(1, share);
    const report = await runCampaign({ ...options, signal: AbortSignal.abort() }, by);
    expect(by.asked).toEqual([]);
    expect(report).toMatchObject({ interrupted: true, verdict: "nothing_executed", runs: { executed: 0 } });
  });

  it("with a budget of time goes on until that is over and then asks its crew to end", async () => {
    let asked = 0;
    let interrupted = 0;
    const by: Crew = {
      ...crew(1, share),
      share: async (request) => {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 5));
        return share(request);
      },
      interrupt: () => interrupted++,
    };
    const report = await runCampaign({ ...options, budget: { kind: "time", milliseconds: 60 } }, by);
    expect(asked).toBeGreaterThan(1);
    expect(interrupted).toBe(1);
    expect(report.runs).toEqual({ first: 0, planned: asked * 250, executed: asked * 250 });
  });
});
