import { randomInt } from "node:crypto";
import { type PromiseId, promiseIds } from "../properties/verdict.js";
import { defaults, defaultWorkers, largestSeed, largestWorkers } from "./defaults.js";
import type { CommitpointConfig } from "./define-config.js";
import { type Environment, variable } from "./environment.js";
import { UsageError } from "./usage-error.js";
import { duration, type Given, oneOf, shardOf, wholeNumber } from "./values.js";

/** What was written on the command line for a campaign, unread. */
export type RunFlags = {
  readonly seed?: string;
  readonly runs?: string;
  readonly time?: string;
  readonly maxActions?: string;
  readonly shard?: string;
  readonly workers?: string;
  readonly promise?: readonly string[];
  readonly allowVacuous?: readonly string[];
  readonly outputDir?: string;
};

export type Budget =
  | { readonly kind: "runs"; readonly runs: number }
  | { readonly kind: "time"; readonly milliseconds: number };

export type RunSettings = {
  readonly seed: number;
  readonly budget: Budget;
  readonly maxActions: number;
  readonly shard: { readonly index: number; readonly count: number };
  readonly workers: number;
  /** All of them if `undefined`. */
  readonly promises: readonly PromiseId[] | undefined;
  readonly allowVacuous: readonly PromiseId[];
  readonly outputDir: string;
};

/** The three places that settings come from, the strongest first. */
export type Sources = {
  readonly flags: RunFlags;
  readonly environment: Environment;
  readonly config: CommitpointConfig | undefined;
};

/**
 * The settings of a campaign: command line beats environment beats configuration beats defaults.
 *
 * @throws UsageError for a value that cannot be read, or two that contradict each other
 */
export function runSettings(sources: Sources): RunSettings {
  const budget = budgetOf(sources);
  const shard = shardFor(given(sources, "shard"), budget);
  const maxActions = given(sources, "maxActions");
  const workers = given(sources, "workers");
  return {
    seed: seedOf(sources),
    budget,
    maxActions:
      maxActions === undefined
        ? (sources.config?.maxActions ?? defaults.maxActions)
        : wholeNumber(maxActions, 1, 10_000),
    shard,
    workers:
      workers === undefined
        ? (sources.config?.workers ?? defaultWorkers())
        : wholeNumber(workers, 1, largestWorkers),
    promises: promisesOf(sources, "promise") ?? sources.config?.promises,
    allowVacuous: vacuousOnes(sources),
    outputDir: outputDirOf(sources),
  };
}

/** Where counterexamples go, from the folder in which commitpoint runs. */
export function outputDirOf(sources: Sources): string {
  return given(sources, "outputDir")?.text ?? sources.config?.outputDir ?? defaults.outputDir;
}

const names = {
  seed: ["--seed", "SEED"],
  runs: ["--runs", "RUNS"],
  time: ["--time", "TIME"],
  maxActions: ["--max-actions", "MAX_ACTIONS"],
  shard: ["--shard", "SHARD"],
  workers: ["--workers", "WORKERS"],
  promise: ["--promise", "PROMISE"],
  allowVacuous: ["--allow-vacuous", "ALLOW_VACUOUS"],
  outputDir: ["--output-dir", "OUTPUT_DIR"],
} as const satisfies { readonly [Flag in keyof RunFlags]-?: readonly [string, string] };

type SingleFlag = Exclude<keyof RunFlags, "promise" | "allowVacuous">;

/** What the command line or else the environment says. */
function given(sources: Sources, key: SingleFlag): Given | undefined {
  const [flag, suffix] = names[key];
  const text = sources.flags[key];
  return text === undefined ? variable(sources.environment, suffix) : { text, place: `${flag} ${text}` };
}

/** Runs and time exclude each other only within one source: `--time` simply outranks a configured number of runs. */
function budgetOf(sources: Sources): Budget {
  const { flags, environment, config } = sources;
  const flagged = oneBudget(
    flags.runs === undefined ? undefined : { text: flags.runs, place: `--runs ${flags.runs}` },
    flags.time === undefined ? undefined : { text: flags.time, place: `--time ${flags.time}` },
  );
  const budget = flagged ?? oneBudget(variable(environment, "RUNS"), variable(environment, "TIME"));
  return budget ?? { kind: "runs", runs: config?.runs ?? defaults.runs };
}

function oneBudget(runs: Given | undefined, time: Given | undefined): Budget | undefined {
  if (runs !== undefined && time !== undefined) {
    throw new UsageError({
      message: "a campaign has one budget, runs or time",
      place: `${runs.place}, ${time.place}`,
      nextStep: "Leave one of them out.",
    });
  }
  if (runs !== undefined) return { kind: "runs", runs: wholeNumber(runs, 1, 1_000_000_000) };
  if (time !== undefined) return { kind: "time", milliseconds: duration(time) };
  return undefined;
}

function shardFor(shard: Given | undefined, budget: Budget): { index: number; count: number } {
  if (shard === undefined) return { index: 1, count: 1 };
  const { index, count } = shardOf(shard);
  if (budget.kind === "time" && count > 1) {
    throw new UsageError({
      message: "shards divide a fixed number of runs, and this campaign has a time budget",
      place: shard.place,
      nextStep: "Give the whole campaign's number of runs with --runs.",
    });
  }
  if (budget.kind === "runs" && count > budget.runs) {
    throw new UsageError({
      message: `${budget.runs} runs cannot be divided into ${count} shards`,
      place: shard.place,
      nextStep: "Use fewer shards or more runs.",
    });
  }
  return { index, count };
}

/** The number that everything drawn at random is drawn from: fixed under CI unless someone asks for another. */
export function seedOf(sources: Sources): number {
  const seed = given(sources, "seed");
  const configured = sources.config?.seed;
  if (seed !== undefined && seed.text !== "random") return wholeNumber(seed, 0, largestSeed);
  if (seed === undefined && typeof configured === "number") return configured;
  const asked = seed !== undefined || configured === "random";
  return sources.environment.ci && !asked ? defaults.seedUnderCi : randomInt(0, largestSeed);
}

/** Promises whose situation need not occur, from the same places in the same order. */
export function vacuousOnes(sources: Sources): readonly PromiseId[] {
  return promisesOf(sources, "allowVacuous") ?? sources.config?.allowVacuous ?? [];
}

function promisesOf(sources: Sources, key: "promise" | "allowVacuous"): readonly PromiseId[] | undefined {
  const [flag, suffix] = names[key];
  const flagged = sources.flags[key]?.map((text) => ({ text, place: `${flag} ${text}` }));
  const list = variable(sources.environment, suffix);
  const listed = list?.text.split(",").map((text) => ({ text: text.trim(), place: list.place }));
  return (flagged ?? listed)?.map((promise) => oneOf(promise, "promise", promiseIds));
}
