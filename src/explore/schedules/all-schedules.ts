import { createFindings, type Violation } from "./findings.js";
import { traceKey } from "./happens-before.js";
import { type Limits, reachedLimit, type Unfinished } from "./limits.js";
import type { Ending, Execution, Program } from "./program.js";
import { type Difference, enabledDifference, replay, type Shown } from "./repetition.js";

export type AllSchedules = {
  readonly outcome:
    | { readonly kind: "complete" }
    | { readonly kind: "undecided"; readonly reason: Unfinished }
    | { readonly kind: "nondeterministic"; readonly difference: Difference };
  readonly executions: number;
  /** Trace keys of the executions. */
  readonly traces: ReadonlySet<string>;
  readonly states: ReadonlySet<string>;
  readonly violations: readonly Violation[];
};

/** Executes every schedule of a program and leaves nothing out: what other searches are measured by at small sizes. */
export async function allSchedules(program: Program, limits: Limits): Promise<AllSchedules> {
  const traces = new Set<string>();
  const findings = createFindings();
  let executions = 0;
  const result = (outcome: AllSchedules["outcome"]): AllSchedules => ({
    outcome,
    executions,
    traces,
    states: findings.states,
    violations: findings.violations(),
  });
  let branch: Branch | undefined = { shown: [], next: undefined };
  while (branch !== undefined) {
    const reason = reachedLimit(limits, executions, findings.violations().length);
    if (reason !== undefined) return result({ kind: "undecided", reason });
    const made = await executeBranch(program, branch);
    executions++;
    if (made.kind === "different") {
      return result({ kind: "nondeterministic", difference: made.difference });
    }
    const records = made.shown.map(({ record }) => record);
    traces.add(traceKey(program.threads.length, records));
    findings.add(records, made.ending, executions);
    branch = branchAfter(made.shown);
  }
  return result({ kind: "complete" });
}

/** Steps to repeat, and the thread to take after them in place of one taken before. */
type Branch = {
  readonly shown: readonly Shown[];
  readonly next: { readonly thread: number; readonly enabled: readonly number[] } | undefined;
};

/** The last step after which a later thread in order could have been taken instead. */
function branchAfter(shown: readonly Shown[]): Branch | undefined {
  for (const [index, { enabled, record }] of [...shown.entries()].reverse()) {
    const thread = enabled.find((other) => other > record.thread);
    if (thread !== undefined) return { shown: shown.slice(0, index), next: { thread, enabled } };
  }
  return undefined;
}

type Made =
  | { readonly kind: "complete"; readonly shown: readonly Shown[]; readonly ending: Ending }
  | { readonly kind: "different"; readonly difference: Difference };

async function executeBranch(program: Program, { shown: repeated, next }: Branch): Promise<Made> {
  const execution = await program.start();
  const difference = (await replay(execution, repeated)) ?? differenceAt(execution, repeated, next);
  if (difference !== undefined) {
    await execution.finish("abandoned");
    return { kind: "different", difference };
  }
  const shown = [...repeated];
  for (let named = next?.thread; ; named = undefined) {
    const enabled = execution.enabled();
    const thread = named ?? enabled[0];
    if (thread === undefined) break;
    shown.push({ enabled, record: await execution.step(thread) });
  }
  return { kind: "complete", shown, ending: await execution.finish("complete") };
}

function differenceAt(
  execution: Execution,
  repeated: readonly Shown[],
  next: Branch["next"],
): Difference | undefined {
  if (next === undefined) return undefined;
  const schedule = [...repeated.map(({ record }) => record.thread), next.thread];
  return enabledDifference(schedule, next.enabled, execution.enabled());
}
