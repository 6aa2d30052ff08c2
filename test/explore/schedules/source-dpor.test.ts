import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import { traceKey } from "../../../src/explore/schedules/happens-before.js";
import type { Program } from "../../../src/explore/schedules/program.js";
import { exploreSchedules, type ScheduleSearch } from "../../../src/explore/schedules/source-dpor.js";
import {
  acquire,
  independentWriters,
  indexer,
  lastZero,
  release,
  writerAndReaders,
  writersOfOne,
} from "./classic-programs.js";
import { fixed, read, type ToyStep, toyProgram, write } from "./toy-programs.js";

type Explored = ScheduleSearch & { readonly traces: readonly string[] };

async function explore(program: Program): Promise<Explored> {
  const traces: string[] = [];
  const search = await exploreSchedules(program, {
    ...unlimited,
    repeat: "none",
    onExecution: ({ kind, records }) => {
      if (kind === "complete") traces.push(traceKey(program.threads.length, records));
    },
  });
  return { ...search, traces };
}

/** Reads c, and writes a only if c is still 0. */
const writesIfFirst: ToyStep = {
  label: "a := 2 unless c",
  run: (memory) => {
    if (memory.read("c") === 0) memory.write("a", 2);
  },
};

const lengthByRead = toyProgram([
  // Ends after the read if it saw 0, and writes y twice otherwise.
  (seen) => {
    if (seen.length === 0) return read("x");
    return seen[0]?.[0] === 0 || seen.length > 2 ? undefined : write("y", seen.length);
  },
  fixed(write("x", 1)),
  fixed(write("y", 9)),
]);

const critical = (value: number) => fixed(acquire("l"), write("x", value), release("l"));

const classics: readonly (readonly [string, Program, number])[] = [
  // Every order of the writes is another trace: 4!.
  ["four writers of one variable", writersOfOne(4), 24],
  ["five independent writers", independentWriters(5), 1],
  // Each reader before or after the write: 2^4.
  ["a writer and four readers", writerAndReaders(4), 16],
  // (n + 3) 2^(n - 2), as in the table of the paper: 64 for 5, 3328 for 10.
  ["lastzero with five writers", lastZero(5), 64],
  // Only slot 1 is shared, by two puts.
  ["an indexer with one collision", indexer([[0, 1], [1, 2], [3]]), 2],
  ["an indexer without collisions", indexer([[0, 1], [2, 3], [4]]), 1],
  // Sections under one lock come in some order: 3!.
  ["three critical sections", toyProgram([critical(1), critical(2), critical(3)]), 6],
  // Taken only after a step of its own: the second thread never stands at the lock while it is free.
  ["a lock behind another step", toyProgram([critical(1), fixed(read("z"), acquire("l"), release("l"))]), 2],
  // One thread takes both locks before the other takes any, the other way round, or each holds one for ever.
  [
    "two locks taken crosswise",
    toyProgram([
      fixed(acquire("l"), acquire("k"), release("k"), release("l")),
      fixed(acquire("k"), acquire("l"), release("l"), release("k")),
    ]),
    3,
  ],
  // The read before the write of x: y is written once, by one thread. After it: before, between or after two writes.
  ["a thread whose length depends on what it read", lengthByRead, 4],
];

describe("source-DPOR", () => {
  it.each(classics)("executes each trace of %s once", async (_, program, traces) => {
    const found = await explore(program);
    expect(found.outcome).toEqual({ kind: "complete" });
    expect(found.executions.complete).toBe(traces);
    expect(new Set(found.traces).size).toBe(traces);
    const all = await allSchedules(program, { ...unlimited, executions: 20_000 });
    if (all.outcome.kind !== "complete") return;
    expect(new Set(found.traces)).toEqual(all.traces);
    expect(found.states).toEqual(all.states);
  });

  it("finds what a sleeping thread would have met had it not come after the first step", async () => {
    // Thread 0 meets thread 3 only if it comes before thread 1. Counting by where "a := 2 unless c" stands:
    // before c := 1 it meets a := 1 in two orders, after it in none; the read of c is before or after c := 1.
    // Reader first or last: 2 x (2 + 1) = 6.
    const program = toyProgram([
      fixed(writesIfFirst),
      fixed(write("c", 1)),
      fixed(read("c"), { label: "nothing", run: () => undefined }),
      fixed(write("a", 1)),
    ]);
    const found = await explore(program);
    expect(found.executions.complete).toBe(6);
    expect(new Set(found.traces).size).toBe(6);
  });

  it("gives up none where all steps are known to be dependent or independent", async () => {
    expect((await explore(writersOfOne(4))).executions.blocked).toBe(0);
    expect((await explore(writerAndReaders(4))).executions.blocked).toBe(0);
  });
});

const judged = toyProgram([fixed(write("x", 1)), fixed(write("x", 2)), fixed(read("y"))], (look) =>
  look("x") === 1 ? ["x is 1 at the end"] : [],
);

describe("a search over schedules", () => {
  it("tells the first schedule that breaks a promise, and how many executions it took", async () => {
    const { violations, outcome } = await explore(judged);
    // The first execution takes the threads in order and ends with x = 2; the second reverses the only race.
    expect(violations).toEqual([
      {
        text: "x is 1 at the end",
        schedule: { threads: [1, 0, 2], labels: ["x := 2", "x := 1", "read y"] },
        executions: 2,
        times: 1,
      },
    ]);
    expect(outcome).toEqual({ kind: "complete" });
  });

  it("is undecided when it ends early, and says why", async () => {
    const aborted = AbortSignal.abort();
    const runs = [
      { reason: "executions", limits: { ...unlimited, executions: 5 }, complete: 5 },
      { reason: "interrupted", limits: { ...unlimited, signal: aborted }, complete: 0 },
    ] as const;
    for (const { reason, limits, complete } of runs) {
      const search = await exploreSchedules(writersOfOne(4), { ...limits, repeat: "none" });
      expect(search.outcome).toEqual({ kind: "undecided", reason });
      expect(search.executions.complete).toBe(complete);
    }
  });

  it("is undecided when its time is over", async () => {
    let clock = 0;
    const limits = { ...unlimited, now: () => clock++, deadline: 3 };
    const search = await exploreSchedules(writersOfOne(4), { ...limits, repeat: "none" });
    // The clock shows 0, 1, 2 before the executions that it lets start.
    expect(search.executions.complete).toBe(3);
    expect(search.outcome).toEqual({ kind: "undecided", reason: "time" });
  });

  it("stops at the first violation if told to", async () => {
    const program = toyProgram([fixed(write("x", 1)), fixed(write("x", 2)), fixed(write("x", 3))], (look) =>
      look("x") === 3 ? ["x is 3"] : [],
    );
    const search = await exploreSchedules(program, { ...unlimited, violations: "first", repeat: "none" });
    // The first of six executions takes the threads in order.
    expect(search.outcome).toEqual({ kind: "undecided", reason: "stopped_at_violation" });
    expect(search.violations).toMatchObject([{ text: "x is 3", times: 1, executions: 1 }]);
    expect(search.executions.complete).toBe(1);
  });

  it("counts repetitions against the most executions it may start", async () => {
    const search = await exploreSchedules(writersOfOne(3), { ...unlimited, executions: 5, repeat: "each" });
    // Complete, repeated, complete, repeated, complete: the third has no repetition left.
    expect(search.executions).toEqual({ complete: 3, blocked: 0, repeated: 2 });
  });
});
