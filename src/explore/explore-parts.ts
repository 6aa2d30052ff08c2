import type { FaultKind } from "../model/vocabulary.js";
import type { Bench } from "../properties/run.js";
import { bitstate } from "./bitstate.js";
import { searchWithSeeds } from "./bitstate-pool.js";
import { campaignCoverage } from "./campaign-coverage.js";
import { type EdgeWalk, walkEdges } from "./edges.js";
import type { Path } from "./exploration.js";
import type { ExploreOptions } from "./explore.js";
import { type MachineSearch, searchMachine } from "./machine-search.js";
import { type MergedSeeds, mergeSeeds } from "./merge-seeds.js";
import { isDescribable } from "./pipeline/described-machine.js";
import type { PipelineMachine } from "./pipeline/pipeline-machine.js";
import type { ReferenceMachine } from "./reference-machine.js";
import type { EdgesReport } from "./report.js";
import { type ExecutorProgram, executorProgram } from "./schedules/executor-program.js";
import { auditIndependence, type IndependenceAudit } from "./schedules/independence-audit.js";
import type { Limits } from "./schedules/limits.js";
import type { StepRecord } from "./schedules/program.js";
import { type Sampling, sampleSchedules } from "./schedules/sampling.js";
import { exploreSchedules, type ScheduleSearch } from "./schedules/source-dpor.js";
import { type SpaceSize, spaceSize } from "./schedules/space-size.js";
import type { ScheduleWorkload } from "./schedules/workloads.js";
import type { SearchOptions } from "./search.js";
import type { SearchPlan } from "./search-plans.js";

/** What is left of the time of the whole exploration. */
export type Clock = {
  readonly isOver: () => "time" | "interrupted" | "no";
  /** On the clock of `now`. */
  readonly deadline: number;
};

export function clockOf({ timeMs, now, signal }: ExploreOptions, began: number): Clock {
  const deadline = began + (timeMs ?? Number.POSITIVE_INFINITY);
  return {
    deadline,
    isOver: () => (signal.aborted ? "interrupted" : now() >= deadline ? "time" : "no"),
  };
}

/** What a search of the machine found, with the machine to tell its paths by. */
export type ExploredMachine = MachineSearch & {
  readonly machine: ReferenceMachine;
  readonly bitstate:
    | { readonly kind: "not_needed" }
    | { readonly kind: "made"; readonly merged: MergedSeeds };
};

export async function exploreMachine(
  options: ExploreOptions,
  plan: SearchPlan,
  place: { readonly search: number; readonly of: number },
  clock: Clock,
): Promise<ExploredMachine> {
  const machine = plan.machine(options.reduction.partialOrder ? "left_out" : "explored");
  // What is asked of the whole graph is not asked of one that leaves out orders.
  const stored = machine.liveness.length > 0 ? "graph" : "states";
  const searched = await searchMachine(machine, searchOptions(options, clock, stored), (states, depth) =>
    options.progress({ part: "machine", ...place, states, depth }),
  );
  const { outcome } = searched.exploration;
  const isPastMemory = outcome.kind === "undecided" && outcome.reason === "memory";
  const { report } = searched;
  const { workload } = plan;
  return {
    ...searched,
    report: workload === undefined ? report : { ...report, workload },
    machine,
    bitstate: isPastMemory
      ? { kind: "made", merged: await pastMemory(options, plan, clock) }
      : { kind: "not_needed" },
  };
}

/** Runs of a campaign can be followed on the machine of a pipeline with one tool. */
function isPipeline(machine: ReferenceMachine): machine is PipelineMachine {
  return "codec" in machine;
}

function searchOptions(
  options: ExploreOptions,
  clock: Clock,
  stored: SearchOptions["stored"],
): SearchOptions {
  const { reduction, maxStates, maxBytes, now, signal } = options;
  return {
    reduction,
    stored,
    now,
    timeMs: clock.deadline - now(),
    isInterrupted: () => signal.aborted,
    ...(maxStates === undefined ? {} : { maxStates }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  };
}

/** Searches that may follow one another when memory has run out, each with hash functions of its own. */
const seeds = 3;
const hashes = 3;
const usualBytes = 2 ** 28;

/** A bit field of the memory that was allowed, searched with several seeds, over processes where the machine can be described. */
async function pastMemory(
  options: ExploreOptions,
  { faults, machine: machineOf }: SearchPlan,
  clock: Clock,
): Promise<MergedSeeds> {
  const { profile, contract, policy, bounds, maxBytes = usualBytes, now, signal, reduction } = options;
  const bits = Math.max(10, Math.min(32, Math.floor(Math.log2(8 * maxBytes))));
  const left = clock.deadline - now();
  const common = {
    reduction: { ...reduction, partialOrder: false },
    bits,
    hashes,
    ...(Number.isFinite(left) ? { timeMs: left } : {}),
  };
  const numbers = Array.from({ length: seeds }, (_, index) => options.seed + index);
  if (!isDescribable(contract.name)) {
    const machine = machineOf("left_out");
    return mergeSeeds(
      numbers.map((seed) => bitstate(machine, { ...common, seed, isInterrupted: () => signal.aborted })),
    );
  }
  const here = import.meta.url;
  const module = new URL(`./pipeline/described-machine${here.endsWith(".ts") ? ".ts" : ".js"}`, here).href;
  const description = { profile, tool: contract.name, policy, bounds: { ...bounds, faults } };
  const source = { module, exportName: "describedMachine", description };
  return searchWithSeeds({ source, options: common, seeds: numbers, processes: 2 }, signal);
}

export type ExploredEdges = {
  readonly faults: readonly FaultKind[];
  readonly walk: EdgeWalk | "graph_not_finished";
  readonly report: EdgesReport;
};

/** Walks the graph of the machine without its recovery: that is what every walk is driven through at its end. */
export async function exploreEdges(
  options: ExploreOptions,
  bench: Bench,
  { faults, machine: machineOf }: SearchPlan,
  clock: Clock,
): Promise<ExploredEdges> {
  const machine = machineOf("left_out");
  const reduction = { ...options.reduction, partialOrder: false };
  const { exploration, report } = await searchMachine(
    machine,
    { ...searchOptions(options, clock, "graph"), reduction },
    () => {},
  );
  const { stored } = exploration;
  if (stored.graph.kind === "not_stored" || report.outcome.kind !== "complete") {
    const campaign = { walked: 0, actions: 0, runs: 0 };
    const none = { walked: 0, reachable: report.transitions, cutOff: 0, walks: 0, actions: 0, campaign };
    return { faults, walk: "graph_not_finished", report: { outcome: report.outcome, ...none } };
  }
  const { graph } = stored.graph;
  const walk = await walkEdges(bench, machine, graph, {
    numbers: reduction.symmetry ? "canonical" : "as_they_are",
    epilogue: "driven",
    isOver: clock.isOver,
    progress: ({ walked, reachable }) => options.progress({ part: "edges", walked, reachable }),
  });
  const { outcome } = walk;
  return {
    faults,
    walk,
    report: {
      outcome: outcome.kind === "broken" ? { kind: "undecided", reason: "broken" } : outcome,
      ...walk.edges,
      cutOff: walk.cutOff,
      walks: walk.walks,
      actions: walk.actions,
      campaign: isPipeline(machine)
        ? campaignCoverage(
            machine,
            { stored, graph, reduction },
            { actions: walk.actions, seed: options.seed },
          )
        : "not_made",
    },
  };
}

export type ExploredSchedules = {
  readonly workload: ScheduleWorkload;
  readonly program: ExecutorProgram;
  readonly found:
    | { readonly kind: "broken"; readonly message: string }
    | {
        readonly kind: "searched";
        readonly search: ScheduleSearch;
        readonly audit: IndependenceAudit;
        readonly sampled: { readonly size: SpaceSize; readonly sampling: Sampling } | "not_needed";
      };
};

/** Executions whose neighbours are looked at: the first ones have most kinds of pairs among them. */
const auditedExecutions = 200;
const sampledEach = 200;

export async function exploreExecutor(
  options: ExploreOptions,
  bench: Bench,
  workload: ScheduleWorkload,
  clock: Clock,
): Promise<ExploredSchedules> {
  const program = executorProgram(bench, workload.threads);
  const limits: Limits = {
    executions: options.maxExecutions,
    deadline: clock.deadline,
    now: options.now,
    signal: options.signal,
    violations: "all",
  };
  const sequences: (readonly StepRecord[])[] = [];
  try {
    const search = await exploreSchedules(program, {
      ...limits,
      repeat: "each",
      onExecution: ({ kind, records }, { complete, blocked }) => {
        if (kind === "complete" && sequences.length < auditedExecutions) sequences.push(records);
        options.progress({ part: "schedules", executions: complete + blocked });
      },
    });
    const audit = await auditIndependence(program, sequences, limits);
    const isPartial = search.outcome.kind === "undecided" && search.outcome.reason === "executions";
    const sampled = isPartial ? await sample(program, options, limits) : "not_needed";
    return { workload, program, found: { kind: "searched", search, audit, sampled } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { workload, program, found: { kind: "broken", message } };
  }
}

async function sample(
  program: ExecutorProgram,
  { seed }: ExploreOptions,
  limits: Limits,
): Promise<{ readonly size: SpaceSize; readonly sampling: Sampling }> {
  const size = await spaceSize(program, { ...limits, executions: sampledEach, seed, walks: sampledEach });
  const sampling = await sampleSchedules(program, {
    ...limits,
    executions: 3 * sampledEach,
    seed,
    each: sampledEach,
    depth: 3,
  });
  return { size, sampling };
}

/** The way to what a bitstate search found broken, with the machine that tells its steps. */
export function bitstateViolations({
  bitstate: made,
}: ExploredMachine): readonly { readonly id: string; readonly path: Path }[] {
  return made.kind === "made" ? made.merged.violations : [];
}
