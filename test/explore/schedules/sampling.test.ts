import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { createRandom } from "../../../src/explore/schedules/random.js";
import { type Sample, type Strategy, sampleSchedules } from "../../../src/explore/schedules/sampling.js";
import { writersOfOne } from "./classic-programs.js";
import { fixed, read, toyProgram, write } from "./toy-programs.js";

const options = { ...unlimited, seed: 1, each: 200, depth: 2 };

function sampleOf(samples: readonly Sample[], strategy: Strategy): Sample {
  const sample = samples.find((other) => other.strategy === strategy);
  if (sample === undefined) throw new Error(`no sample by ${strategy}`);
  return sample;
}

/** Broken only if the write comes after ten steps of the other thread that it has nothing to do with. */
const late = toyProgram(
  [
    fixed(...Array.from({ length: 9 }, () => read("z")), {
      label: "y := x + 1",
      run: (memory) => memory.write("y", memory.read("x") + 1),
    }),
    fixed(write("x", 1)),
  ],
  (look) => (look("y") === 1 ? ["y missed x"] : []),
);

/** Two threads of two steps that all meet: six traces, two of them without a change of thread in between. */
const meeting = toyProgram([fixed(write("x", 1), write("x", 2)), fixed(write("x", 3), write("x", 4))]);

describe("sampling", () => {
  it("makes the same executions from the same seed", async () => {
    const again = await sampleSchedules(late, options);
    expect(await sampleSchedules(late, options)).toEqual(again);
  });

  it("makes others from another seed", async () => {
    const few = { ...options, each: 5 };
    const found = new Set<string>();
    for (const seed of [1, 2, 3, 4, 5]) {
      found.add(JSON.stringify(await sampleSchedules(writersOfOne(5), { ...few, seed })));
    }
    expect(found.size).toBeGreaterThan(1);
  });

  it("gives each strategy as many executions and counts what each found", async () => {
    const { samples, outcome } = await sampleSchedules(writersOfOne(3), options);
    expect(outcome).toEqual({ kind: "complete" });
    expect(
      samples.map(({ strategy, executions, traces, states }) => [strategy, executions, traces, states]),
    ).toEqual([
      // 3! orders, and the last writer decides. All turn up in 200 executions but for a chance below 6 (5/6)^200.
      ["random_walk", 200, 6, 3],
      ["pos", 200, 6, 3],
      ["pct", 200, 6, 3],
    ]);
  });

  it("finds by POS what a random walk hardly ever does", async () => {
    const { samples } = await sampleSchedules(late, options);
    const timesOf = (strategy: Strategy): number => sampleOf(samples, strategy).violations[0]?.times ?? 0;
    // The write keeps its priority while ten others are drawn: once in 11, 18 in 200. The walk: once in 2^10.
    expect(timesOf("pos")).toBeGreaterThanOrEqual(6);
    expect(timesOf("random_walk")).toBeLessThanOrEqual(3);
  });

  it("draws a priority again in POS once a step raced with it", async () => {
    const steps = Array.from({ length: 8 }, (_, index) => write("x", index));
    const program = toyProgram([fixed(...steps), fixed(write("x", 9))], (look) =>
      look("x") === 9 ? ["9 is last"] : [],
    );
    const { samples } = await sampleSchedules(program, options);
    // It has to lose to each of the eight anew: once in 2^8, less than once in 200; with one draw it were 22 times.
    expect(sampleOf(samples, "pos").violations[0]?.times ?? 0).toBeLessThanOrEqual(5);
  });

  it("lets PCT change threads only as often as its depth allows", async () => {
    const shallow = await sampleSchedules(meeting, { ...options, depth: 1 });
    expect(sampleOf(shallow.samples, "pct").traces).toBe(2);
    // One change: before the second step of the first thread the other one overtakes it, and so goes to its end.
    const deeper = await sampleSchedules(meeting, { ...options, depth: 2 });
    expect(sampleOf(deeper.samples, "pct").traces).toBe(4);
  });

  it("stops all strategies in turns at a limit", async () => {
    const { samples, outcome } = await sampleSchedules(writersOfOne(3), { ...options, executions: 7 });
    expect(outcome).toEqual({ kind: "undecided", reason: "executions" });
    expect(samples.map(({ executions }) => executions)).toEqual([3, 2, 2]);
  });
});

describe("random numbers", () => {
  it("fall into each of ten parts about equally often", () => {
    const random = createRandom(7);
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 10_000; draw++) {
      const part = random.below(10);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    // 1000 each with a standard deviation of 30.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
