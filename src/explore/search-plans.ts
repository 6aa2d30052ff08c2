import type { FaultKind } from "../model/vocabulary.js";
import type { PromiseId } from "../properties/verdict.js";
import type { ExploreOptions } from "./explore.js";
import { guardedMachine } from "./guarded/guarded-machine.js";
import { guardedWorkloads } from "./guarded/workload.js";
import { boundedWorkload } from "./pipeline/bounded.js";
import { pipelineMachine } from "./pipeline/pipeline-machine.js";
import type { ReferenceMachine } from "./reference-machine.js";
import { ruledMachine } from "./ruled/ruled-machine.js";
import { ruledWorkload } from "./ruled/workload.js";

/** One search of a reference machine. */
export type SearchPlan = {
  readonly faults: readonly FaultKind[];
  /** Where a profile has machines for several. */
  readonly workload?: string;
  /** The machine anew; `left_out`: without what is driven at the end of every walk. */
  readonly machine: (recovery: "explored" | "left_out") => ReferenceMachine;
  /** Whether its edges are walked on an executor. */
  readonly walks: "possible" | "none";
};

/** The searches of an exploration, in order. */
export function searchPlans(options: ExploreOptions): readonly SearchPlan[] {
  const { guarded, ruled, faultSets } = options;
  if (guarded !== undefined) return guardedPlans(options, guarded);
  if (ruled !== undefined) return ruledPlans(options, ruled);
  return faultSets.map((faults) => ({
    faults,
    machine: (recovery) =>
      pipelineMachine(boundedWorkload(options, { ...options.bounds, faults }), { recovery }),
    walks: "possible",
  }));
}

/** Faults strike one call; two calls are searched without. */
function guardedPlans(
  { profile, contract, policy, faultSets }: ExploreOptions,
  bounds: NonNullable<ExploreOptions["guarded"]>,
): readonly SearchPlan[] {
  const workloadsWith = (faults: readonly FaultKind[]) =>
    guardedWorkloads({ profile, contract, policy, faults }, bounds);
  const alone = faultSets.flatMap((faults) => workloadsWith(faults).slice(0, 1));
  return [...alone, ...workloadsWith([]).slice(1)].map((workload) => ({
    faults: workload.faults,
    workload: workload.name,
    machine: () => guardedMachine(workload),
    walks: workload.calls.length === 1 && workload.faults.length === 0 ? "possible" : "none",
  }));
}

function ruledPlans(
  { profile, contract, policy, faultSets }: ExploreOptions,
  bounds: NonNullable<ExploreOptions["ruled"]>,
): readonly SearchPlan[] {
  return faultSets.map((faults) => ({
    faults,
    machine: () => ruledMachine(ruledWorkload({ profile, contract, policy, faults }, bounds)),
    walks: faults.length === 0 ? "possible" : "none",
  }));
}

/** Whether the profile has the one machine whose schedules are explored, too. */
export function isPipelineAlone({ guarded, ruled }: ExploreOptions): boolean {
  return guarded === undefined && ruled === undefined;
}

/** Promises whose situation lies outside the bounds of the machine that is searched, and why. */
export function beyondBounds({ guarded, ruled }: ExploreOptions): ReadonlyMap<PromiseId, string> {
  if (guarded !== undefined) return beyondGuarded;
  return ruled === undefined ? new Map() : beyondRuled;
}

const beyondRuled: ReadonlyMap<PromiseId, string> = new Map([
  ["no-stale-commit", "a change of the policy, which no search has"],
  ["revision-only-grows", "a change of the policy, which no search has"],
]);

const beyondGuarded: ReadonlyMap<PromiseId, string> = new Map([
  ["key-binds-arguments", "two calls of one key, which no search has"],
  ["recovery-by-kind", "the executor's own driver, which no search has"],
]);
