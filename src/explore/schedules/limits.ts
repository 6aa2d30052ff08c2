/** When a search over executions ends before its work is done. */
export type Limits = {
  /** The most executions to start, repetitions included. */
  readonly executions: number;
  /** On the clock of `now`, in milliseconds. */
  readonly deadline: number;
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** `first`: ends as soon as a violation is found. */
  readonly violations: "first" | "all";
};

export type Unfinished = "executions" | "time" | "interrupted" | "stopped_at_violation";

/** Why no further execution may start; `undefined` if one may. */
export function reachedLimit(limits: Limits, started: number, violations: number): Unfinished | undefined {
  if (limits.violations === "first" && violations > 0) return "stopped_at_violation";
  if (limits.signal.aborted) return "interrupted";
  if (started >= limits.executions) return "executions";
  return limits.now() >= limits.deadline ? "time" : undefined;
}
