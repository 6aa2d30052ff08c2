import { availableParallelism } from "node:os";
import { usualMaxActions } from "../properties/share.js";

/** What `run` does unless told otherwise. */
export const defaults = {
  runs: 1000,
  /** Generated actions of one run. */
  maxActions: usualMaxActions,
  /** Under CI, where a run must be the same tomorrow. */
  seedUnderCi: 1,
  outputDir: "commitpoint-out",
  scenarios: "scenarios",
  executor: "ledger",
  selftestSeeds: 20,
} as const;

/** Largest number that a seed can be: fast-check takes signed 32-bit integers. */
export const largestSeed = 0x7fff_ffff;

export const largestWorkers = 64;

/** Worker processes to use when nobody says: one per processor, up to eight. */
export function defaultWorkers(): number {
  return Math.max(1, Math.min(8, availableParallelism()));
}
