import type { ExecutorEntry } from "../config/executors.js";
import { defaultBudgetMs, openBench, startingPolicy } from "../config/open-bench.js";
import { version } from "../config/version.js";
import { remembered } from "../contract/remembered.js";
import type { ExploreReport } from "../explore/report.js";
import { runCampaign } from "../properties/campaign.js";
import { reachableTransitions } from "../properties/coverage.js";
import { minimiseFailure } from "../properties/inline-crew.js";
import { type Bench, executeRun } from "../properties/run.js";
import type { CampaignReport } from "../properties/verdict.js";
import { replayScenario } from "../scenario/replay.js";
import type { Scenario } from "../scenario/scenario.js";
import { runSelftest, type SelftestReport } from "../selftest/selftest.js";
import { bugBudget } from "../selftest/test-bug.js";
import { faultyExecutors } from "../sut/faulty/faulty-executors.js";
import { faultyGuardedExecutors } from "../sut/faulty/guarded/faulty-guarded-executors.js";
import { faultyRuledExecutors } from "../sut/faulty/ruled/faulty-ruled-executors.js";
import { startCrew } from "./crew.js";
import type { CampaignRequest, Engine, ExploreRequest, Replayer, SelftestRequest, Shrunk } from "./engine.js";
import { removeScratchFolder, scratchFolder } from "./scratch.js";
import { openSelftestPool } from "./selftest-pool.js";

/** Known bugs of the ledger, then those of the guarded and of the ruled executor. */
const allBugs = [...faultyExecutors, ...faultyGuardedExecutors, ...faultyRuledExecutors];

/** The engine of the program: real executors, each in a folder of its own that is removed afterwards. */
export const realEngine: Engine = {
  campaign,
  explore,
  replayer,
  shrink,
  selftest,
  bugs: async () => allBugs.map(({ name }) => name),
};

async function campaign(request: CampaignRequest): Promise<CampaignReport> {
  const { executor, configFile, workers, promises, ...rest } = request;
  const { contract, profile } = executor;
  const crew = await startCrew({
    ...{ executor: executor.name, configFile, contract, profile, promises },
    size: workers,
    budgetMs: defaultBudgetMs,
  });
  try {
    const reachable = reachableTransitions(profile, contract, startingPolicy);
    const chosen = promises === undefined ? {} : { promises };
    const of = { version, executor: executor.name, profile, tool: contract.name, policy: startingPolicy };
    return await runCampaign({ ...rest, ...chosen, ...of, reachable }, crew);
  } finally {
    await crew.close();
  }
}

type ClosableBench = Bench & { readonly close: () => Promise<void> };

async function openOwnBench(executor: ExecutorEntry): Promise<ClosableBench> {
  const directory = scratchFolder();
  const remove = () => removeScratchFolder(directory);
  try {
    const bench = await openBench(executor, { directory });
    const close = () => bench.close().finally(remove);
    return { ...bench, close };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Only who explores waits for its code to be loaded. */
async function explore(request: ExploreRequest): Promise<ExploreReport> {
  const { executor, explores, maxStates, timeMs, ...rest } = request;
  const { contract, profile } = executor;
  const startedAt = new Date();
  const { explore: exploreAll } = await import("../explore/explore.js");
  const options = {
    ...rest,
    version,
    profile,
    contract: remembered(contract),
    policy: startingPolicy,
    ...(maxStates === undefined ? {} : { maxStates }),
    ...(timeMs === undefined ? {} : { timeMs }),
    now: () => performance.now(),
    startedAt,
  };
  if (explores === "machine") return exploreAll({ ...options, executor: { kind: "none" } });
  const bench = await openOwnBench(executor);
  try {
    return await exploreAll({ ...options, executor: { kind: "executor", name: executor.name, bench } });
  } finally {
    await bench.close();
  }
}

async function replayer(executor: ExecutorEntry): Promise<Replayer> {
  const bench = await openOwnBench(executor);
  return {
    replay: (scenario, { until, wanted }) =>
      replayScenario(scenario, bench, { wanted, ...(until === undefined ? {} : { until }) }),
    close: bench.close,
  };
}

async function shrink(scenario: Scenario, executor: ExecutorEntry): Promise<Shrunk> {
  const opened = await openOwnBench(executor);
  const bench: Bench = { ...opened, policy: scenario.policy };
  try {
    const { verdict, end } = await executeRun(bench, scenario.actions);
    const [violation] = verdict.violations;
    if (violation === undefined) {
      return end.kind === "judged"
        ? { kind: "holds" }
        : { kind: "broken", reason: `${end.where}: ${end.message}` };
    }
    const { promise } = violation;
    const minimal = await minimiseFailure(bench, { promise, run: 0, violation, actions: scenario.actions });
    return { kind: "shrunk", promise, minimal };
  } finally {
    await opened.close();
  }
}

async function selftest({
  seeds,
  only,
  workers,
  signal,
  progress,
}: SelftestRequest): Promise<SelftestReport> {
  const pool = openSelftestPool(workers, signal);
  try {
    return await runSelftest({
      version,
      bugs: allBugs.filter(({ name }) => only === undefined || only.includes(name)),
      seeds,
      budgetActions: bugBudget.actions,
      test: pool.test,
      signal,
      progress,
    });
  } finally {
    await pool.close();
  }
}
