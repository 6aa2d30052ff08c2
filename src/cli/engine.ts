import type { ExecutorEntry } from "../config/executors.js";
import type { ExploreSettings } from "../config/explore-settings.js";
import type { Budget } from "../config/settings.js";
import type { ExploreProgress } from "../explore/explore.js";
import type { ExploreReport } from "../explore/report.js";
import type { CampaignProgress } from "../properties/campaign.js";
import type { CampaignReport, Counterexample, PromiseId } from "../properties/verdict.js";
import type { Replayed } from "../scenario/replay.js";
import type { Scenario } from "../scenario/scenario.js";
import type { SelftestReport } from "../selftest/selftest.js";

/** A campaign as the command line asks for it. */
export type CampaignRequest = {
  readonly executor: ExecutorEntry;
  /** Absolute path of the configuration that names the executor; `undefined` for a built-in one. */
  readonly configFile: string | undefined;
  readonly seed: number;
  readonly budget: Budget;
  readonly maxActions: number;
  readonly shard: { readonly index: number; readonly count: number };
  readonly workers: number;
  readonly bail: boolean;
  /** All of them if `undefined`. */
  readonly promises: readonly PromiseId[] | undefined;
  readonly allowVacuous: readonly PromiseId[];
  readonly signal: AbortSignal;
  readonly progress: (progress: CampaignProgress) => void;
};

export type ReplayWish = {
  /** Stop after this many steps. */
  readonly until: number | undefined;
  /** `holds`: whatever the file expects of its own executor, on this one every promise must hold. */
  readonly wanted: "as_written" | "holds";
};

/** Replays scenarios on one executor, one after the other. */
export type Replayer = {
  readonly replay: (scenario: Scenario, wish: ReplayWish) => Promise<Replayed>;
  readonly close: () => Promise<void>;
};

export type Shrunk =
  | { readonly kind: "shrunk"; readonly promise: PromiseId; readonly minimal: Counterexample["minimal"] }
  | { readonly kind: "holds" }
  | { readonly kind: "broken"; readonly reason: string };

export type SelftestRequest = {
  readonly seeds: number;
  /** Names of bugs; all of them if `undefined`. */
  readonly only: readonly string[] | undefined;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly progress: (done: { readonly bugs: number; readonly of: number }) => void;
};

/** An exploration as the command line asks for it; everything else is as `explore` itself takes it. */
export type ExploreRequest = ExploreSettings & {
  /** `machine`: its profile and its contract only; it is not opened. */
  readonly explores: "machine" | "machine_and_executor";
  readonly executor: ExecutorEntry;
  readonly signal: AbortSignal;
  readonly progress: (line: ExploreProgress) => void;
};

/** What the verbs set in motion. The command line itself only asks, writes and tells. */
export type Engine = {
  readonly campaign: (request: CampaignRequest) => Promise<CampaignReport>;
  /** Rejects if the executor cannot be opened. */
  readonly explore: (request: ExploreRequest) => Promise<ExploreReport>;
  readonly replayer: (executor: ExecutorEntry) => Promise<Replayer>;
  /** Shrinks a scenario's steps to a 1-minimal list that breaks the same promise on this executor. */
  readonly shrink: (scenario: Scenario, executor: ExecutorEntry) => Promise<Shrunk>;
  readonly selftest: (request: SelftestRequest) => Promise<SelftestReport>;
  /** Names of the faulty executors, as `selftest --only` takes them. */
  readonly bugs: () => Promise<readonly string[]>;
};
