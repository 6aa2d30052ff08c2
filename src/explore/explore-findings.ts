import { planPromises } from "../properties/judge/plan.js";
import { overallVerdict, worstOf } from "../properties/overall.js";
import { type Bench, executeRun } from "../properties/run.js";
import {
  type Broken,
  type PromiseId,
  type PromiseReport,
  type PromiseVerdict,
  promiseIds,
} from "../properties/verdict.js";
import { counterexampleOf, type FoundFailure } from "./counterexample.js";
import type { ExploreOptions } from "./explore.js";
import {
  bitstateViolations,
  type ExploredEdges,
  type ExploredMachine,
  type ExploredSchedules,
} from "./explore-parts.js";
import { violationsIn } from "./machine-search.js";
import { actionsOfPath } from "./reference-machine.js";
import type { EdgesReport, ExploreReport, MachineReport, SchedulesReport } from "./report.js";
import { schedulesReport } from "./schedules-report.js";
import { beyondBounds } from "./search-plans.js";

/** What was found so far, part by part. */
export type ExploreFindings = {
  readonly addMachine: (explored: ExploredMachine) => void;
  readonly addEdges: (explored: ExploredEdges, bench: Bench) => Promise<void>;
  readonly addSchedules: (explored: ExploredSchedules, bench: Bench) => Promise<void>;
  readonly report: (end: {
    readonly wallMs: number;
    readonly parts: ExploreReport["times"]["parts"];
    readonly interrupted: boolean;
  }) => ExploreReport;
};

type FoundCounterexample = ExploreReport["counterexamples"][number];

export function createFindings(options: ExploreOptions): ExploreFindings {
  const said = new Map<PromiseId, PromiseVerdict[]>();
  const occurredIn = new Map<PromiseId, number>();
  const machines: MachineReport[] = [];
  const edges: ExploreReport["edges"][number][] = [];
  const schedules: SchedulesReport[] = [];
  const counterexamples: FoundCounterexample[] = [];
  const broken: Broken[] = [];
  const judged = promisesOf(options);

  const say = (promise: PromiseId, verdict: PromiseVerdict): void => {
    said.set(promise, [...(said.get(promise) ?? []), verdict]);
  };
  const occurs = (promise: PromiseId): void => {
    occurredIn.set(promise, (occurredIn.get(promise) ?? 0) + 1);
  };
  const isKept = (promise: PromiseId): boolean => counterexamples.some((one) => one.promise === promise);
  const keep = async (
    bench: Bench,
    failure: FoundFailure,
    foundBy: FoundCounterexample["foundBy"],
  ): Promise<void> => {
    say(failure.promise, { kind: "violated" });
    if (isKept(failure.promise)) return;
    counterexamples.push({ ...(await counterexampleOf(bench, failure)), foundBy });
  };
  /** What a part of the executor's exploration says of every promise that it judged and did not see broken. */
  const sayOfPart = (
    part: { readonly occurred: readonly PromiseId[]; readonly undecided: ReadonlyMap<PromiseId, string> },
    unfinished: string | undefined,
  ): void => {
    for (const promise of judged.checked) {
      const reason = part.undecided.get(promise) ?? unfinished;
      say(promise, reason === undefined ? { kind: "holds" } : { kind: "undecided", reason });
    }
    for (const promise of part.occurred) occurs(promise);
  };

  return {
    addMachine: (explored) => {
      const { report, exploration, machine, bitstate } = explored;
      for (const { promise, verdict, occurs: does } of report.promises) {
        if (does === "yes") occurs(promise);
        if (verdict.kind === "not_checked") say(promise, { kind: "not_checked", lacks: [verdict.reason] });
        else if (verdict.kind === "undecided") say(promise, { kind: "undecided", reason: reasonOf(report) });
        else say(promise, { kind: verdict.kind });
      }
      for (const promise of leftOut(report, judged)) {
        say(promise, { kind: "not_checked", lacks: ["partial order is not sound for it"] });
      }
      const violations = [
        ...violationsIn(exploration),
        ...bitstateViolations(explored).flatMap(({ id, path }) => {
          const promise = promiseIds.find((known) => known === id);
          return promise === undefined ? [] : [{ promise, path }];
        }),
      ];
      for (const { promise, path } of violations) {
        say(promise, { kind: "violated" });
        if (isKept(promise)) continue;
        const names = path.map(({ name }) => name);
        counterexamples.push(machineCounterexample(promise, actionsOfPath(machine, path), names));
      }
      if (bitstate.kind === "not_needed") {
        machines.push(report);
        return;
      }
      const { seeds, mostStates, missedByAll, expectedMissedByAll } = bitstate.merged;
      const estimate = {
        seeds: seeds.length,
        states: mostStates,
        missedByAll,
        expectedMissed: expectedMissedByAll,
      };
      machines.push({ ...report, bitstate: estimate });
    },
    addEdges: async ({ faults, walk, report }, bench) => {
      edges.push({ ...report, faults });
      if (walk === "graph_not_finished") {
        sayOfPart({ occurred: [], undecided: new Map() }, "the graph to walk was not finished");
        return;
      }
      if (walk.outcome.kind === "broken") broken.push(walk.outcome.broken);
      for (const { walk: run, promise, violation, actions } of walk.failures) {
        await keep(bench, { promise, run, violation, actions }, "edges");
      }
      sayOfPart(walk, unwalked(report));
    },
    addSchedules: async ({ workload, program, found }, bench) => {
      const report = schedulesReport(workload, found, bench);
      schedules.push(report);
      if (found.kind === "broken") {
        broken.push({
          run: 0,
          where: `the schedules of ${workload.name}`,
          message: found.message,
          actions: [],
        });
        sayOfPart({ occurred: [], undecided: new Map() }, "the executor or its adapter broke");
        return;
      }
      const sampled = found.sampled === "not_needed" ? [] : found.sampled.sampling.samples;
      const violations = [...found.search.violations, ...sampled.flatMap((sample) => sample.violations)];
      for (const { schedule, executions } of violations) {
        const actions = program.actionsOf(schedule.labels);
        const { verdict } = await executeRun(bench, actions);
        for (const violation of verdict.violations) {
          await keep(bench, { promise: violation.promise, run: executions, violation, actions }, "schedules");
        }
      }
      sayOfPart(program.judged(), notExecuted(report));
    },
    report: ({ wallMs, parts, interrupted }) => {
      const promises = [...judged.checked, ...judged.lacking.map(({ promise }) => promise)];
      const reports = promiseIds
        .filter((promise) => promises.includes(promise))
        .map((promise) =>
          promiseReport(promise, said.get(promise) ?? [], occurredIn.get(promise) ?? 0, judged),
        );
      const { executor } = options;
      const overall = overallVerdict(reports, machines.length, broken, options.allowVacuous);
      return {
        format: "commitpoint-exploration",
        formatVersion: 1,
        version: options.version,
        profile: options.profile.name,
        executor: executor.kind === "none" ? "none" : executor.name,
        seed: options.seed,
        bounds: { ...options.bounds, faults: [...new Set(options.faultSets.flat())] },
        ...(options.guarded === undefined ? {} : { guarded: options.guarded }),
        ...(options.ruled === undefined ? {} : { ruled: options.ruled }),
        interrupted,
        allowVacuous: options.allowVacuous,
        machine: machines,
        edges,
        schedules,
        promises: reports,
        counterexamples,
        broken,
        verdict: overall === "nothing_executed" ? "nothing_checked" : overall,
        times: { startedAt: options.startedAt.toISOString(), wallMs, parts },
      };
    },
  };
}

type Judged = {
  readonly checked: readonly PromiseId[];
  readonly lacking: readonly { readonly promise: PromiseId; readonly lacks: readonly string[] }[];
};

/** What can be asked with the faults of all searches together. */
function promisesOf(options: ExploreOptions): Judged {
  const judged = askable(options);
  const beyond = beyondBounds(options);
  const unmet = judged.checked.flatMap((promise) => {
    const lack = beyond.get(promise);
    return lack === undefined ? [] : [{ promise, lacks: [lack] }];
  });
  return {
    checked: judged.checked.filter((promise) => !beyond.has(promise)),
    lacking: [...judged.lacking, ...unmet],
  };
}

function askable({ profile, faultSets, executor }: ExploreOptions): Judged {
  const kinds = new Set(faultSets.flat());
  const plan = planPromises(
    { ...profile, faults: profile.faults.filter((kind) => kinds.has(kind)) },
    promiseIds,
  );
  if (executor.kind === "executor") return plan;
  return {
    checked: plan.checked.filter((promise) => promise !== "matches-the-machine"),
    lacking: [...plan.lacking, { promise: "matches-the-machine", lacks: ["an executor"] }],
  };
}

function promiseReport(
  promise: PromiseId,
  said: readonly PromiseVerdict[],
  occurredInRuns: number,
  { lacking }: Judged,
): PromiseReport {
  const lack = lacking.find((one) => one.promise === promise);
  const isBroken = said.some(({ kind }) => kind === "violated");
  if (lack !== undefined && !isBroken)
    return { promise, verdict: { kind: "not_checked", lacks: lack.lacks }, occurredInRuns };
  const worst = worstOf(said);
  const verdict: PromiseVerdict =
    worst.kind === "holds" && occurredInRuns === 0 ? { kind: "vacuous" } : worst;
  return { promise, verdict, occurredInRuns };
}

function machineCounterexample(
  promise: PromiseId,
  actions: FoundCounterexample["actions"],
  names: readonly string[],
): FoundCounterexample {
  const violation = {
    promise,
    position: 0,
    action: Math.max(0, actions.length - 1),
    sentence: `The reference machine itself breaks ${promise}.`,
    expected: "that it holds in every state",
    seen: names.length === 0 ? "the initial state" : names.join("; "),
  };
  const minimal = { actions, violation, history: [], kind: "one_minimal", candidatesTried: 0 } as const;
  return { promise, run: 0, violation, actions, minimal, foundBy: "machine" };
}

/** Promises that a reduced search does not ask about at all. */
function leftOut({ reduction, promises }: MachineReport, { checked }: Judged): readonly PromiseId[] {
  if (!reduction.partialOrder) return [];
  const asked = new Set(promises.map(({ promise }) => promise));
  return checked.filter((promise) => promise !== "matches-the-machine" && !asked.has(promise));
}

function reasonOf({ outcome }: MachineReport): string {
  return outcome.kind === "complete"
    ? "the search did not decide it"
    : `the search ended early: ${outcome.reason}`;
}

function unwalked({ outcome, walked, reachable }: EdgesReport): string | undefined {
  if (outcome.kind === "undecided") return `the walks ended early: ${outcome.reason}`;
  return walked < reachable ? `${reachable - walked} edges could not be walked` : undefined;
}

function notExecuted({ outcome, audit }: SchedulesReport): string | undefined {
  if (outcome.kind === "undecided") return `the schedules were not finished: ${outcome.reason}`;
  if (audit.differences.length > 0) return "the footprints leave something out, so schedules may be missing";
  if (audit.unaudited > 0) return `${audit.unaudited} kinds of independent neighbours were not audited`;
  return undefined;
}
