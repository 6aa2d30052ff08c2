import assert from "node:assert/strict";
import { createFindings, type Violation } from "./findings.js";
import { type Limits, reachedLimit, type Unfinished } from "./limits.js";
import type { Execution, Program, StepRecord } from "./program.js";

export type StateSearch = {
  readonly outcome:
    | { readonly kind: "complete" }
    | { readonly kind: "undecided"; readonly reason: Unfinished };
  readonly executions: number;
  /** Different snapshots met on the way. */
  readonly snapshots: number;
  /** The states that complete executions ended in. */
  readonly states: ReadonlySet<string>;
  readonly violations: readonly Violation[];
};

/**
 * Executes every schedule up to a state that was met before, with each thread as far as then: an oracle that knows
 * nothing of footprints. Needs a program whose executions have a `snapshot` that holds all that the rest depends on,
 * the judgement included; asserts that they have one.
 */
export async function stateSearch(program: Program, limits: Limits): Promise<StateSearch> {
  const findings = createFindings();
  const met = new Set<string>();
  const open: (readonly number[])[] = [[]];
  let executions = 0;
  const result = (outcome: StateSearch["outcome"]): StateSearch => ({
    outcome,
    executions,
    snapshots: met.size,
    states: findings.states,
    violations: findings.violations(),
  });
  for (let schedule = open.pop(); schedule !== undefined; schedule = open.pop()) {
    const reason = reachedLimit(limits, executions, findings.violations().length);
    if (reason !== undefined) return result({ kind: "undecided", reason });
    executions++;
    const execution = await program.start();
    const records: StepRecord[] = [];
    for (const thread of schedule) records.push(await execution.step(thread));
    const how = await goOn(execution, records, met, open);
    const ending = await execution.finish(how);
    if (how === "complete") findings.add(records, ending, executions);
  }
  return result({ kind: "complete" });
}

/** Takes the first enabled thread as long as the state is new, and leaves the others open. */
async function goOn(
  execution: Execution,
  records: StepRecord[],
  met: Set<string>,
  open: (readonly number[])[],
): Promise<"complete" | "abandoned"> {
  for (;;) {
    const key = await placeOf(execution, records);
    const enabled = execution.enabled();
    if (met.has(key)) return "abandoned";
    met.add(key);
    const [first, ...others] = enabled;
    if (first === undefined) return "complete";
    const before = records.map(({ thread }) => thread);
    for (const thread of others) open.push([...before, thread]);
    records.push(await execution.step(first));
  }
}

async function placeOf(execution: Execution, records: readonly StepRecord[]): Promise<string> {
  assert(execution.snapshot !== undefined, "a search by states needs executions with a snapshot");
  const steps: number[] = [];
  for (const { thread } of records) steps[thread] = (steps[thread] ?? 0) + 1;
  return JSON.stringify([steps, await execution.snapshot()]);
}
