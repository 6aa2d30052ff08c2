import type { PolicySetting, Profile } from "../model/vocabulary.js";
import { createJudge } from "./judge.js";
import { overallVerdict } from "./overall.js";
import { addShares, type Failure, type Share, type ShareRequest } from "./share.js";
import {
  type CampaignReport,
  type Counterexample,
  type PromiseId,
  type PromiseReport,
  type PromiseVerdict,
  promiseIds,
} from "./verdict.js";

/** Those who execute shares: threads, or this thread itself. */
export type Crew = {
  /** How many shares are executed at a time. */
  readonly size: number;
  /** Executes a share and tells of runs and actions while it goes on. Never rejects for what the executor does. */
  readonly share: (request: ShareRequest, onRuns: (runs: number, actions: number) => void) => Promise<Share>;
  readonly minimise: (failure: Failure) => Promise<Counterexample["minimal"]>;
  /** Asks shares under way to end after their current run. */
  readonly interrupt: () => void;
};

export type CampaignOptions = {
  readonly version: string;
  readonly executor: string;
  readonly profile: Profile;
  readonly tool: string;
  readonly policy: PolicySetting;
  readonly seed: number;
  readonly budget: CampaignReport["budget"];
  readonly maxActions: number;
  /** `index` from 1. Shards share one budget of runs. */
  readonly shard: { readonly index: number; readonly count: number };
  readonly bail: boolean;
  readonly promises?: readonly PromiseId[];
  readonly allowVacuous: readonly PromiseId[];
  /** Every transition there is to reach. */
  readonly reachable: readonly string[];
  readonly signal: AbortSignal;
  readonly progress: (progress: CampaignProgress) => void;
};

export type CampaignProgress = {
  readonly runs: number;
  readonly planned: number | undefined;
  readonly actions: number;
  readonly actionsPerSecond: number;
  readonly reached: number;
  readonly reachable: number;
};

/** Runs handed out at a time: enough to make handing out cheap, few enough to keep everyone busy to the end. */
const runsPerShare = 250;

/**
 * Executes a campaign and reports all that it found. With a budget of runs the report, its times apart, is a
 * function of the options alone, whatever the size of the crew. Rejects only if the crew does.
 */
export async function runCampaign(options: CampaignOptions, crew: Crew): Promise<CampaignReport> {
  const startedAt = new Date();
  const began = performance.now();
  const span = spanOf(options);
  const shares = await executeSpan(options, crew, span);
  const found = addShares(shares);
  const counterexamples: Counterexample[] = [];
  for (const failure of found.failures) {
    const minimal = await crew.minimise(failure);
    counterexamples.push({ ...failure, minimal });
  }
  const wallMs = performance.now() - began;
  const promises = promiseReports(options, found);
  const notReached = options.reachable.filter((transition) => found.reached[transition] === undefined);
  return {
    format: "commitpoint-report",
    formatVersion: 1,
    version: options.version,
    executor: options.executor,
    profile: options.profile.name,
    seed: options.seed,
    maxActions: options.maxActions,
    shard: options.shard,
    budget: options.budget,
    interrupted: options.signal.aborted,
    runs: {
      first: span.first,
      planned: Number.isFinite(span.runs) ? span.runs : found.executed,
      executed: found.executed,
    },
    actions: { performed: found.performed, skipped: found.skipped, byKind: found.byKind },
    allowVacuous: options.allowVacuous,
    verdict: overallVerdict(promises, found.executed, found.broken, options.allowVacuous),
    promises,
    counterexamples,
    broken: found.broken,
    coverage: { reachable: options.reachable.length, reached: found.reached, notReached },
    times: {
      startedAt: startedAt.toISOString(),
      wallMs: Math.round(wallMs),
      actionsPerSecond: Math.round(((found.performed + found.skipped) / wallMs) * 1000),
      workers: crew.size,
    },
  };
}

type Span = { readonly first: number; readonly runs: number; readonly milliseconds: number };

/** The runs of this shard: a contiguous part of the undivided campaign's. */
function spanOf({ budget, shard }: CampaignOptions): Span {
  if (budget.kind === "time") {
    return { first: 0, runs: Number.POSITIVE_INFINITY, milliseconds: budget.milliseconds };
  }
  const starts = (index: number): number => Math.floor((budget.runs * index) / shard.count);
  const first = starts(shard.index - 1);
  return { first, runs: starts(shard.index) - first, milliseconds: Number.POSITIVE_INFINITY };
}

async function executeSpan(options: CampaignOptions, crew: Crew, span: Span): Promise<readonly Share[]> {
  const { signal, seed, maxActions, bail } = options;
  const shares: Share[] = [];
  const reached = new Set<string>();
  const began = performance.now();
  const stopAt = bail ? promiseIds : [];
  let next = 0;
  let runs = 0;
  let actions = 0;
  let isOver = false;
  const onRuns = (newRuns: number, newActions: number): void => {
    runs += newRuns;
    actions += newActions;
    const seconds = Math.max(0.001, (performance.now() - began) / 1000);
    options.progress({
      runs,
      planned: Number.isFinite(span.runs) ? span.runs : undefined,
      actions,
      actionsPerSecond: Math.round(actions / seconds),
      reached: reached.size,
      reachable: options.reachable.length,
    });
  };
  const stop = (): void => {
    isOver = true;
    crew.interrupt();
  };
  const work = async (): Promise<void> => {
    while (!isOver && next < span.runs) {
      const first = span.first + next;
      const count = Math.min(runsPerShare, span.runs - next);
      next += count;
      const share = await crew.share({ seed, first, runs: count, maxActions, stopAt }, onRuns);
      shares.push(share);
      for (const transition of Object.keys(share.reached)) reached.add(transition);
      if (share.end !== "complete") isOver = true;
    }
  };
  if (signal.aborted) return [];
  signal.addEventListener("abort", stop, { once: true });
  const timer = Number.isFinite(span.milliseconds) ? setTimeout(stop, span.milliseconds) : undefined;
  await Promise.all(Array.from({ length: crew.size }, work));
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  return upToTheEnd(shares);
}

/** Shares up to the first that ended early by itself: what others did beyond it depends on how many they were. */
function upToTheEnd(shares: readonly Share[]): readonly Share[] {
  const ended = shares.filter(({ end }) => end === "bailed" || end === "broken").map(({ first }) => first);
  const last = Math.min(...ended);
  return shares.filter(({ first }) => first <= last);
}

function promiseReports(options: CampaignOptions, found: Share): readonly PromiseReport[] {
  const { policy, tool, profile, promises } = options;
  const judge = createJudge(profile, { policy, tool, ...(promises === undefined ? {} : { promises }) });
  const lacks = new Map(judge.lacking().map(({ promise, lacks }) => [promise, lacks]));
  const verdictOf = (promise: PromiseId, occurredInRuns: number): PromiseVerdict => {
    if (found.failures.some((failure) => failure.promise === promise)) return { kind: "violated" };
    const undecided = found.undecided[promise];
    if (undecided !== undefined) return { kind: "undecided", reason: undecided };
    return occurredInRuns > 0 ? { kind: "holds" } : { kind: "vacuous" };
  };
  const checked = judge.checked().map((promise): PromiseReport => {
    const occurredInRuns = found.occurred[promise] ?? 0;
    return { promise, verdict: verdictOf(promise, occurredInRuns), occurredInRuns };
  });
  const unchecked = [...lacks].map(
    ([promise, missing]): PromiseReport => ({
      promise,
      verdict: { kind: "not_checked", lacks: missing },
      occurredInRuns: 0,
    }),
  );
  return [...checked, ...unchecked];
}
