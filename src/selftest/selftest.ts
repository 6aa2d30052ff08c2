import type { PromiseId } from "../properties/verdict.js";
import type { BugResult, BugTask } from "./test-bug.js";

/** A faulty executor as the table of them describes it. */
export type Bug = {
  readonly name: string;
  readonly says: string;
  /** The sound executor that it differs from. */
  readonly base: string;
  readonly caughtBy: readonly PromiseId[];
  readonly shortestKnown: number;
};

export type SelftestRow = {
  readonly bug: string;
  readonly says: string;
  readonly expectedPromises: readonly PromiseId[];
  readonly caughtBy: readonly { readonly promise: string; readonly seeds: number }[];
  readonly caughtSeeds: number;
  readonly medianRuns: number;
  readonly medianActions: number;
  readonly minimalLength: { readonly min: number; readonly max: number };
  readonly shortestKnown: number;
  readonly oneMinimal: boolean;
  readonly replays: boolean;
  /** The first thing that is wrong with this row. */
  readonly problem?: string;
};

export type SelftestReport = {
  readonly format: "commitpoint-selftest";
  readonly formatVersion: 1;
  readonly version: string;
  readonly seeds: number;
  /** Actions that the harness may generate for one bug and seed. */
  readonly budgetActions: number;
  /** `interrupted`: rows that are there are complete, the rest was not tried. */
  readonly verdict: "all_caught" | "missed" | "interrupted";
  readonly rows: readonly SelftestRow[];
  /** The only part that differs between two runs. */
  readonly times: { readonly startedAt: string; readonly wallMs: number };
};

export type SelftestOptions = {
  readonly version: string;
  readonly bugs: readonly Bug[];
  /** Seeds 1 to this. */
  readonly seeds: number;
  readonly budgetActions: number;
  /** Tests one bug with one seed; several may be under way at once. */
  readonly test: (task: BugTask) => Promise<BugResult>;
  readonly signal: AbortSignal;
  readonly progress: (done: {
    readonly bugs: number;
    readonly of: number;
    readonly last: SelftestRow;
  }) => void;
};

/** Holds the harness against executors that are known to be wrong: each must be caught, for every seed. */
export async function runSelftest(options: SelftestOptions): Promise<SelftestReport> {
  const { bugs, seeds, signal, version, budgetActions } = options;
  const startedAt = new Date();
  const began = performance.now();
  let done = 0;
  const rows = await Promise.all(
    bugs.map(async (bug) => {
      const tasks = Array.from({ length: seeds }, (_, index) => index + 1);
      const results = await Promise.all(tasks.map((seed) => testOne(bug, seed, options)));
      const tested = results.filter((result) => result !== undefined);
      if (tested.length < seeds) return undefined;
      const row = rowOf(bug, tested);
      options.progress({ bugs: ++done, of: bugs.length, last: row });
      return row;
    }),
  );
  const complete = rows.filter((row) => row !== undefined);
  const isMissing = complete.some((row) => row.problem !== undefined);
  const verdict =
    signal.aborted && complete.length < bugs.length ? "interrupted" : isMissing ? "missed" : "all_caught";
  return {
    format: "commitpoint-selftest",
    formatVersion: 1,
    version,
    seeds,
    budgetActions,
    verdict,
    rows: complete,
    times: { startedAt: startedAt.toISOString(), wallMs: Math.round(performance.now() - began) },
  };
}

async function testOne(
  bug: Bug,
  seed: number,
  { signal, test }: SelftestOptions,
): Promise<BugResult | undefined> {
  if (signal.aborted) return undefined;
  const { name, base, caughtBy, shortestKnown } = bug;
  try {
    return await test({ bug: name, base, caughtBy, shortestKnown, seed });
  } catch (error) {
    if (signal.aborted) return undefined;
    const problem = `seed ${seed}: the harness failed: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: "missed", runs: 0, actions: 0, problem };
  }
}

function rowOf(bug: Bug, results: readonly BugResult[]): SelftestRow {
  const caught = results.filter((result) => result.kind === "caught");
  const lengths = caught.map(({ length }) => length);
  const promises = new Map<string, number>();
  for (const { promise } of caught) promises.set(promise, (promises.get(promise) ?? 0) + 1);
  const problem = results.map((result) => result.problem).find((text) => text !== undefined);
  return {
    bug: bug.name,
    says: bug.says,
    expectedPromises: bug.caughtBy,
    caughtBy: [...promises]
      .map(([promise, seeds]) => ({ promise, seeds }))
      .sort((left, right) => right.seeds - left.seeds),
    caughtSeeds: caught.length,
    medianRuns: median(caught.map(({ runs }) => runs)),
    medianActions: median(caught.map(({ actions }) => actions)),
    minimalLength: { min: lengths.length === 0 ? 0 : Math.min(...lengths), max: Math.max(0, ...lengths) },
    shortestKnown: bug.shortestKnown,
    oneMinimal: caught.length > 0 && caught.every(({ oneMinimal }) => oneMinimal),
    replays: caught.length > 0 && caught.every(({ replays }) => replays),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The middle value, the lower one of two; 0 of none. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
