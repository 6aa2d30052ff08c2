import type { Limits } from "../../../src/explore/schedules/limits.js";

/** A search that may take as long as it needs. */
export const unlimited: Limits = {
  executions: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
  now: () => 0,
  signal: new AbortController().signal,
  violations: "all",
};
