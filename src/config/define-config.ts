import type { PromiseId } from "../properties/verdict.js";
import type { ExecutorEntry } from "./executors.js";

/** What `commitpoint.config.{ts,mts,js,mjs}` exports by default. Flags and `COMMITPOINT_*` variables outrank it. */
export type CommitpointConfig = {
  /** Executors by the name that `--executor` and scenario files call them. */
  readonly executors?: { readonly [name: string]: Omit<ExecutorEntry, "name"> } | undefined;
  /** Generated runs of a campaign. */
  readonly runs?: number | undefined;
  /** `random` draws a new one for each campaign; it is printed either way. */
  readonly seed?: number | "random" | undefined;
  /** Generated actions of one run. */
  readonly maxActions?: number | undefined;
  readonly workers?: number | undefined;
  /** Promises whose guarded situation need not occur. */
  readonly allowVacuous?: readonly PromiseId[] | undefined;
  /** Where counterexamples are written, from the folder in which `commitpoint` runs. */
  readonly outputDir?: string | undefined;
  /** The promises to judge; all of them if left out. */
  readonly promises?: readonly PromiseId[] | undefined;
};

/** Gives a configuration its type; returns it as it is. */
export function defineConfig(config: CommitpointConfig): CommitpointConfig {
  return config;
}
