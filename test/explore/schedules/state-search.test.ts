import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { stateSearch } from "../../../src/explore/schedules/state-search.js";
import { independentWriters, writersOfOne } from "./classic-programs.js";
import { fixed, toyProgram, write } from "./toy-programs.js";

describe("the search by states", () => {
  it("meets every state of independent writers once", async () => {
    const search = await stateSearch(independentWriters(4), unlimited);
    // Each of the four has written or not.
    expect(search.snapshots).toBe(16);
    // One execution, and one more for each of the 32 steps between those states that is not the first way on from
    // one of the 15 that have any; all schedules would be 24.
    expect(search.executions).toBe(18);
    expect(search.states.size).toBe(1);
    expect(search.outcome).toEqual({ kind: "complete" });
  });

  it("finds every final state of writers of one variable, and who broke a promise", async () => {
    const program = toyProgram([fixed(write("x", 1)), fixed(write("x", 2)), fixed(write("x", 3))], (look) =>
      look("x") === 1 ? ["x is 1"] : [],
    );
    const search = await stateSearch(program, unlimited);
    // The last writer decides.
    expect(search.states.size).toBe(3);
    expect(search.violations.map(({ text, schedule }) => [text, schedule.threads.at(-1)])).toEqual([
      ["x is 1", 0],
    ]);
  });

  it("does not merge equal states that different steps led to", async () => {
    // Both orders leave x = 1, but with other threads still to go.
    const program = toyProgram([fixed(write("x", 1)), fixed(write("x", 1), write("x", 2))]);
    const withoutReads = {
      ...program,
      start: async () => {
        const execution = await program.start();
        return { ...execution, snapshot: () => Promise.resolve("always the same") };
      },
    };
    const search = await stateSearch(withoutReads, unlimited);
    // Positions 0 or 1 and 0, 1 or 2.
    expect(search.snapshots).toBe(6);
  });

  it("is undecided over its limit", async () => {
    const search = await stateSearch(writersOfOne(4), { ...unlimited, executions: 3 });
    expect(search.outcome).toEqual({ kind: "undecided", reason: "executions" });
    expect(search.executions).toBe(3);
  });

  it("refuses a program without snapshots", async () => {
    const program = writersOfOne(2);
    const blind = {
      ...program,
      start: async () => {
        const { enabled, step, finish } = await program.start();
        return { enabled, step, finish };
      },
    };
    await expect(stateSearch(blind, unlimited)).rejects.toThrow("snapshot");
  });
});
