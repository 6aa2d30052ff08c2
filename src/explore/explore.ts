import type { ToolContract } from "../contract/tool.js";
import type { FaultKind, PolicySetting, Profile } from "../model/vocabulary.js";
import type { Bench } from "../properties/run.js";
import type { PromiseId } from "../properties/verdict.js";
import { createFindings } from "./explore-findings.js";
import { clockOf, exploreEdges, exploreExecutor, exploreMachine } from "./explore-parts.js";
import type { GuardedBounds } from "./guarded/workload.js";
import type { Bounds } from "./pipeline/bounded.js";
import { boundedWorkload } from "./pipeline/bounded.js";
import type { ExploreReport } from "./report.js";
import type { RuledBounds } from "./ruled/workload.js";
import { scheduleWorkloads } from "./schedules/workloads.js";
import { isPipelineAlone, searchPlans } from "./search-plans.js";

export type ExploreOptions = {
  readonly version: string;
  readonly seed: number;
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
  /** The executor whose edges and schedules are explored, or `none` for the reference machine alone. */
  readonly executor:
    | { readonly kind: "none" }
    | { readonly kind: "executor"; readonly name: string; readonly bench: Bench };
  /** Without `faults`, which `faultSets` gives. */
  readonly bounds: Omit<Bounds, "faults">;
  /** How much of everything where the profile has approvals, in place of the bounds beside it. */
  readonly guarded?: GuardedBounds;
  /** The same where the profile has rules. */
  readonly ruled?: RuledBounds;
  /** One search of the machine for each choice of kinds of fault; the empty one is a search without faults. */
  readonly faultSets: readonly (readonly FaultKind[])[];
  /** What is done besides the search of the machine; only with an executor. */
  readonly walks: "every_edge" | "none";
  readonly schedules: "all" | "none";
  readonly reduction: { readonly partialOrder: boolean; readonly symmetry: boolean };
  /** Of one search of the machine. */
  readonly maxStates?: number;
  readonly maxBytes?: number;
  /** Milliseconds for the whole exploration. */
  readonly timeMs?: number;
  /** Most executions of the schedules of one workload. */
  readonly maxExecutions: number;
  /** Promises whose situation need not occur. */
  readonly allowVacuous: readonly PromiseId[];
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly startedAt: Date;
  readonly progress: (line: ExploreProgress) => void;
};

export type ExploreProgress =
  | {
      readonly part: "machine";
      readonly search: number;
      readonly of: number;
      readonly states: number;
      readonly depth: number;
    }
  | { readonly part: "edges"; readonly walked: number; readonly reachable: number }
  | { readonly part: "schedules"; readonly executions: number };

/**
 * Explores the reference machine within bounds and, with an executor, walks every edge of the machine's graph on it
 * and executes every schedule that can matter of a few small workloads. Says of nothing that it holds unless it was
 * looked at to the end. Never rejects for what the executor does: that is `broken`.
 */
export async function explore(options: ExploreOptions): Promise<ExploreReport> {
  const began = options.now();
  const parts: { part: string; wallMs: number }[] = [];
  const timed = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    const from = options.now();
    try {
      return await work();
    } finally {
      parts.push({ part, wallMs: options.now() - from });
    }
  };
  const clock = clockOf(options, began);
  const findings = createFindings(options);
  const plans = searchPlans(options);
  for (const [index, plan] of plans.entries()) {
    const { faults, workload } = plan;
    const struck = faults.length === 0 ? "no fault" : faults.join(", ");
    const name = workload === undefined ? struck : `${workload}, ${struck}`;
    const place = { search: index + 1, of: plans.length };
    const machine = await timed(`machine: ${name}`, () => exploreMachine(options, plan, place, clock));
    findings.addMachine(machine);
    const { executor } = options;
    if (executor.kind === "none" || options.walks === "none" || plan.walks === "none") continue;
    const walked = await timed(`edges: ${name}`, () => exploreEdges(options, executor.bench, plan, clock));
    await findings.addEdges(walked, executor.bench);
  }
  const { executor } = options;
  if (executor.kind === "executor" && options.schedules === "all" && isPipelineAlone(options)) {
    const bounded = boundedWorkload(options, { ...options.bounds, faults: [] });
    for (const workload of scheduleWorkloads(bounded)) {
      const made = await timed(`schedules: ${workload.name}`, () =>
        exploreExecutor(options, executor.bench, workload, clock),
      );
      await findings.addSchedules(made, executor.bench);
    }
  }
  return findings.report({
    wallMs: options.now() - began,
    parts,
    interrupted: options.signal.aborted,
  });
}
