import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import type { Execution, Program } from "../../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import { writersOfOne } from "./classic-programs.js";

/** The same program, changed in executions after the first `sound` ones. */
function unsteady(
  program: Program,
  sound: number,
  change: (execution: Execution) => Partial<Execution>,
): Program {
  let started = 0;
  return {
    ...program,
    start: async () => {
      const execution = await program.start();
      return started++ < sound ? execution : { ...execution, ...change(execution) };
    },
  };
}

const seesMore = (execution: Execution): Partial<Execution> => ({
  step: async (thread) => ({ ...(await execution.step(thread)), seen: "something else" }),
});
const lacksThreadOne = (execution: Execution): Partial<Execution> => ({
  enabled: () => execution.enabled().filter((thread) => thread !== 1),
});
const endsOtherwise = (execution: Execution): Partial<Execution> => ({
  finish: async (how) => ({ ...(await execution.finish(how)), state: "something else" }),
});
const touchesAll = (execution: Execution): Partial<Execution> => ({
  step: async (thread) => ({ ...(await execution.step(thread)), footprint: { kind: "unknown" } }),
});
const isCalledOtherwise = (execution: Execution): Partial<Execution> => ({
  step: async (thread) => ({ ...(await execution.step(thread)), label: "something else" }),
});

const each = { ...unlimited, repeat: "each" } as const;
const none = { ...unlimited, repeat: "none" } as const;

describe("a repetition", () => {
  it.each([
    ["seen", seesMore, 0],
    ["enabled", lacksThreadOne, 0],
    ["footprint", touchesAll, 0],
    ["label", isCalledOtherwise, 0],
    ["ending", endsOtherwise, 3],
  ] as const)("that differs in what is %s ends the search", async (what, change, at) => {
    const { outcome, executions } = await exploreSchedules(unsteady(writersOfOne(3), 1, change), each);
    expect(outcome).toMatchObject({ kind: "nondeterministic", difference: { what, at } });
    expect(executions).toEqual({ complete: 1, blocked: 0, repeated: 1 });
  });

  it("of a program that depends on nothing but the schedule finds no difference, once for each execution", async () => {
    const { outcome, executions } = await exploreSchedules(writersOfOne(3), each);
    expect(outcome).toEqual({ kind: "complete" });
    expect(executions).toEqual({ complete: 6, blocked: 0, repeated: 6 });
  });

  it("names the schedule, what it showed first and what it showed again", async () => {
    const { outcome } = await exploreSchedules(unsteady(writersOfOne(2), 1, seesMore), each);
    expect(outcome).toEqual({
      kind: "nondeterministic",
      difference: { schedule: [0], at: 0, what: "seen", first: "[]", again: "something else" },
    });
  });
});

describe("a prefix made again on the way to another schedule", () => {
  it("ends the search when a step shows something else", async () => {
    const { outcome } = await exploreSchedules(unsteady(writersOfOne(3), 1, seesMore), none);
    // The second execution repeats the step of thread 0 before it reverses the last race.
    expect(outcome).toMatchObject({ kind: "nondeterministic", difference: { schedule: [0], at: 0 } });
  });

  it("ends the search when the thread to take next is no longer there", async () => {
    const { outcome } = await exploreSchedules(unsteady(writersOfOne(2), 1, lacksThreadOne), none);
    expect(outcome).toMatchObject({
      kind: "nondeterministic",
      difference: { schedule: [1], at: 0, what: "enabled", first: "0 1", again: "0" },
    });
  });

  it("ends the enumeration of all schedules likewise", async () => {
    for (const change of [seesMore, lacksThreadOne]) {
      const { outcome } = await allSchedules(unsteady(writersOfOne(3), 1, change), unlimited);
      expect(outcome.kind).toBe("nondeterministic");
    }
  });
});
