import { scratchFolder } from "../../src/cli/scratch.js";
import { defaultBudgetMs, startingPolicy } from "../../src/config/open-bench.js";
import { draftContract } from "../../src/contract/draft.js";
import { remembered } from "../../src/contract/remembered.js";
import { executorProgram, type ProgramThread } from "../../src/explore/schedules/executor-program.js";
import { exploreSchedules } from "../../src/explore/schedules/source-dpor.js";
import { createBudget } from "../../src/properties/budget.js";
import { openLedgerPort } from "../../src/sut/ledger/system.js";
import type { Port } from "../../src/sut/port.js";
import { median } from "../stopwatch.js";
import { attempt } from "./interleavings.js";
import { unlimited } from "./unlimited.js";

/** The harness's own time is at most this many times that of the executor and the reads. */
const mostTimesExecutor = 1.0;

const threads: readonly ProgramThread[] = [attempt("a1"), attempt("a2"), attempt("a3")];

/** Explorations in a lap, and those before the first round, until the compiler has come to rest. */
const explorationsInLap = 4;
const warmUp = 12;

/** Milliseconds. `port`: until the promise of each call of a method of the port has settled. */
type Lap = { readonly executions: number; readonly wall: number; readonly port: number };

/**
 * How the time of executions of three attempts for one key, fully judged, is shared between the harness and what it
 * explores. Watching for footprints happens inside the port: a lap on a port that watches nothing, which makes the
 * very same executions and more, tells what it costs.
 */
export async function harnessShare(rounds: number): Promise<string> {
  const watched = openMeasured("watched");
  const unwatched = openMeasured("unwatched");
  for (let lap = 0; lap < warmUp; lap++) await watched.lap();
  for (let lap = 0; lap < warmUp; lap++) await unwatched.lap();
  const measured: { readonly watched: Lap; readonly unwatched: Lap }[] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push({ watched: await watched.lap(), unwatched: await unwatched.lap() });
  }
  await watched.close();
  await unwatched.close();
  return shareTable(measured);
}

type Measured = { readonly lap: () => Promise<Lap>; readonly close: () => Promise<void> };

function openMeasured(footprints: "watched" | "unwatched"): Measured {
  const clock = { spent: 0 };
  const opened = openLedgerPort({ directory: scratchFolder(), budgetMs: defaultBudgetMs });
  const port = timedPort(
    footprints === "watched" ? opened : { ...opened, footprints: { kind: "none" } },
    clock,
  );
  const budget = createBudget(defaultBudgetMs);
  const bench = { port, contract: remembered(draftContract), policy: startingPolicy, budget };
  const most = footprints === "watched" ? Number.POSITIVE_INFINITY : 23;
  return {
    lap: async () => {
      clock.spent = 0;
      let executions = 0;
      const from = performance.now();
      for (let n = 0; n < explorationsInLap; n++) {
        const search = await exploreSchedules(executorProgram(bench, threads), {
          ...unlimited,
          executions: most,
          repeat: "none",
        });
        executions += search.executions.complete + search.executions.blocked;
        if (search.violations.length > 0) throw new Error("the ledger breaks a promise");
      }
      return { executions, wall: performance.now() - from, port: clock.spent };
    },
    close: async () => {
      budget.close();
      await port.stop();
    },
  };
}

/** The same port, which adds the time of every call to the clock. */
function timedPort(port: Port, clock: { spent: number }): Port {
  const timed = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const from = performance.now();
    try {
      return await work();
    } finally {
      clock.spent += performance.now() - from;
    }
  };
  return {
    ...port,
    start: (world) => timed(() => port.start(world)),
    submit: (submission) => timed(() => port.submit(submission)),
    advance: (attemptName) => timed(() => port.advance(attemptName)),
    cancel: (attemptName) => timed(() => port.cancel(attemptName)),
    expire: (attemptName) => timed(() => port.expire(attemptName)),
    setPolicy: (setting) => timed(() => port.setPolicy(setting)),
    arm: (fault) => timed(() => port.arm(fault)),
    disarm: (fault) => timed(() => port.disarm(fault)),
    clearFaults: () => timed(() => port.clearFaults()),
    crash: (where) => timed(() => port.crash(where)),
    restart: () => timed(() => port.restart()),
    observe: (how) => {
      const from = performance.now();
      const observed = port.observe(how);
      if (observed instanceof Promise) return timed(() => observed);
      clock.spent += performance.now() - from;
      return observed;
    },
  };
}

function shareTable(rounds: readonly { readonly watched: Lap; readonly unwatched: Lap }[]): string {
  const ratios = rounds.map(({ watched: { wall, port } }) => (wall - port) / port).sort((a, b) => a - b);
  return [
    median(ratios),
    ratios[0],
    ratios.at(-1),
    median(rounds.map(({ watched: w }) => (w.executions / w.wall) * 1000)),
    median(rounds.map(({ watched: w }) => (w.wall / w.executions) * 1000)),
    median(rounds.map(({ watched: w }) => (w.port / w.executions) * 1000)),
    median(rounds.map(({ unwatched: w }) => (w.wall / w.executions) * 1000)),
    median(rounds.map(({ unwatched: w }) => (w.port / w.executions) * 1000)),
    mostTimesExecutor,
  ].join(" ");
}
