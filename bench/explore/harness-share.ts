import { executorProgram, type ProgramThread } from "../../src/explore/schedules/executor-program.js";
import type { Program } from "../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../src/explore/schedules/source-dpor.js";
import { median } from "../stopwatch.js";
import { openScheduleBench, unlimited } from "./schedule-bench.js";
import { attempt } from "./threads.js";
import { type PortClock, timedPort } from "./timed-port.js";

/** The harness's own time is at most this many times that of the executor and the reads. */
const mostTimesExecutor = 1.0;

const threads: readonly ProgramThread[] = [attempt("a1"), attempt("a2"), attempt("a3")];

/** Explorations in a lap, and laps before the first round, until the compiler has come to rest. */
const explorationsInLap = 4;
const warmUpLaps = 5;

type Lap = { readonly executions: number; readonly wallMs: number; readonly portMs: number };
type Round = { readonly explored: Lap; readonly unwatched: Lap };

/**
 * How the time of executions of three attempts for one key, fully judged, is shared between the harness and what it
 * explores. Watching for footprints goes on inside the port; so each round makes the very same schedules again on a
 * port that watches nothing, which tells what the executor and the reads take by themselves.
 */
export async function harnessShare(rounds: number): Promise<string> {
  const explored = openMeasured("watched");
  const unwatched = openMeasured("unwatched");
  const schedules: Made[] = [];
  await explored.lap((program) => explore(program, schedules));
  const lapOfBoth = async (): Promise<Round> => ({
    explored: await explored.lap((program) => explore(program, [])),
    unwatched: await unwatched.lap((program) => makeAgain(program, schedules)),
  });
  for (let lap = 0; lap < warmUpLaps; lap++) await lapOfBoth();
  const measured: Round[] = [];
  while (measured.length < rounds) measured.push(await lapOfBoth());
  await explored.close();
  await unwatched.close();
  return shareTable(measured);
}

type Made = { readonly kind: "complete" | "blocked"; readonly schedule: readonly number[] };

/** Explores the program to the end; the number of its executions. */
async function explore(program: Program, made: Made[]): Promise<number> {
  const search = await exploreSchedules(program, {
    ...unlimited,
    repeat: "none",
    onExecution: ({ kind, records }) => {
      made.push({ kind, schedule: records.map(({ thread }) => thread) });
    },
  });
  const { outcome, violations, executions } = search;
  if (outcome.kind !== "complete" || violations.length > 0) throw new Error("the ledger breaks a promise");
  return executions.complete + executions.blocked;
}

/** As many explorations' schedules as were made in the first lap, divided over the explorations of this one. */
async function makeAgain(program: Program, made: readonly Made[]): Promise<number> {
  const once = made.slice(0, made.length / explorationsInLap);
  for (const { kind, schedule } of once) {
    const execution = await program.start();
    for (const thread of schedule) await execution.step(thread);
    await execution.finish(kind === "complete" ? "complete" : "abandoned");
  }
  return once.length;
}

type Measured = {
  readonly lap: (work: (program: Program) => Promise<number>) => Promise<Lap>;
  readonly close: () => Promise<void>;
};

function openMeasured(footprints: "watched" | "unwatched"): Measured {
  const clock: PortClock = { spentMs: 0 };
  const { bench, close } = openScheduleBench("ledger", (port) =>
    timedPort(footprints === "watched" ? port : { ...port, footprints: { kind: "none" } }, clock),
  );
  return {
    close,
    lap: async (work) => {
      clock.spentMs = 0;
      let executions = 0;
      const from = performance.now();
      for (let n = 0; n < explorationsInLap; n++) executions += await work(executorProgram(bench, threads));
      return { executions, wallMs: performance.now() - from, portMs: clock.spentMs };
    },
  };
}

function shareTable(rounds: readonly Round[]): string {
  const ofHarness = ({ explored: { wallMs, portMs } }: Round): number => wallMs - portMs;
  const each = (of: (round: Round) => number): number =>
    median(rounds.map((round) => (of(round) * 1000) / round.explored.executions));
  const whole = each(({ explored }) => explored.wallMs);
  const line = (name: string, microseconds: number): string =>
    `  ${name.padEnd(44)}${microseconds.toFixed(0).padStart(6)} µs ${((100 * microseconds) / whole).toFixed(0).padStart(4)} %`;
  return [
    `executions of 3 attempts for one key on the ledger, fully judged: medians of ${rounds.length} rounds, each of ${rounds[0]?.explored.executions} executions, one process`,
    `  ${"executions a second".padEnd(44)}${(1e6 / whole).toFixed(0).padStart(6)}`,
    line("an execution", whole),
    line(
      "executor, gate and reads",
      each(({ explored }) => explored.portMs),
    ),
    line(
      "  of which watching for footprints",
      each(({ explored, unwatched }) => explored.portMs - unwatched.portMs),
    ),
    line("harness: drive, judge, search", each(ofHarness)),
    ratioLine(
      "harness / executor, gate and reads",
      rounds,
      (round) => ofHarness(round) / round.explored.portMs,
    ),
    ratioLine(
      "the same, watching counted as the harness's",
      rounds,
      ({ explored, unwatched }) => (explored.wallMs - unwatched.portMs) / unwatched.portMs,
    ),
  ].join("\n");
}

function ratioLine(name: string, rounds: readonly Round[], of: (round: Round) => number): string {
  const ratios = rounds.map(of).sort((left, right) => left - right);
  const quarter = Math.floor(ratios.length / 4);
  const spread = [ratios.at(quarter), ratios.at(-1 - quarter)].map((end) => (end ?? 0).toFixed(2)).join("–");
  const middle = median(ratios);
  const told = middle <= mostTimesExecutor ? "met" : "NOT MET";
  return `  ${name.padEnd(44)}${middle.toFixed(2).padStart(6)} (half of the rounds ${spread})  at most ${mostTimesExecutor.toFixed(1)}: ${told}`;
}
