import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { attempt, cancelOf, policy, surroundings } from "../../../bench/explore/threads.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import { executorProgram, type ProgramThread } from "../../../src/explore/schedules/executor-program.js";
import type { Ending, Execution, StepRecord } from "../../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import { stateSearch } from "../../../src/explore/schedules/state-search.js";
import { request } from "../../../src/sut/faulty/witness-steps.js";
import { conflict } from "../../../src/sut/footprint.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { type Opener, openerOf, withBench } from "../executor-bench.js";

const crash = surroundings("crash", { kind: "crash", where: { kind: "parked" } }, { kind: "restart" });

type Made = {
  readonly records: readonly StepRecord[];
  readonly enabled: readonly number[];
  readonly waiting: readonly number[];
  readonly snapshot: string;
  readonly ending: Ending;
};

/** Makes steps of these threads in turn, and brings the execution to its end. */
async function make(
  threads: readonly ProgramThread[],
  schedule: readonly number[],
  { open = openLedgerPort, how = "complete" }: { open?: Opener; how?: "complete" | "abandoned" } = {},
): Promise<Made> {
  return withBench(open, async (bench) => {
    const execution: Execution = await executorProgram(bench, threads).start();
    const records: StepRecord[] = [];
    for (const thread of schedule) records.push(await execution.step(thread));
    const enabled = execution.enabled();
    const waiting = execution.waiting?.() ?? [];
    const snapshot = (await execution.snapshot?.()) ?? "";
    return { records, enabled, waiting, snapshot, ending: await execution.finish(how) };
  });
}

describe("the threads of an executor's program", () => {
  it("go from submission to end by steps that say what they do", async () => {
    const { records, enabled } = await make(
      [attempt("a1"), policy("remove"), cancelOf("a1"), crash],
      [0, 0, 0, 0, 1, 2, 3, 3],
    );
    expect(records.map(({ label }) => label)).toEqual([
      "submit a1",
      "advance a1",
      "advance a1",
      "advance a1",
      "remove the policy",
      "cancel a1",
      "crash",
      "restart",
    ]);
    expect(enabled).toEqual([]);
  });

  it("end the wait of an attempt for a checker that does not answer", async () => {
    const hanging = attempt("a1", request.river, { kind: "checker_hangs", stage: "check" });
    const { records, enabled } = await make([hanging], [0, 0]);
    expect(records.map(({ label }) => label)).toEqual(["submit a1", "expire a1"]);
    // No verdict is a failure: the attempt ends.
    expect(enabled).toEqual([]);
  });

  it("are all enabled as long as they have a step, and none once they have ended", async () => {
    const threads = [attempt("a1"), policy(1), cancelOf("a1")];
    expect((await make(threads, [])).enabled).toEqual([0, 1, 2]);
    expect((await make(threads, [1])).enabled).toEqual([0, 2]);
    // Refused by its check under the new policy, which allows one copy of the two, the attempt ends at once.
    expect((await make(threads, [1, 0])).enabled).toEqual([2]);
  });

  it("skip what comes too early or too late, and say so", async () => {
    const threads = [attempt("a1"), cancelOf("a1")];
    const early = await make(threads, [1, 0, 0, 0, 0]);
    expect(early.records[0]?.seen).toContain("a1 was never submitted");
    const late = await make(threads, [0, 0, 0, 0, 1]);
    expect(late.records[4]?.seen).toContain("a1 is ended");
    for (const { ending } of [early, late]) expect(ending.violations).toEqual([]);
  });

  it("lose their attempts to a crash, and wait for the restart if they have not begun", async () => {
    const threads = [attempt("a1"), attempt("a2"), crash];
    const down = await make(threads, [0, 2]);
    // a1 is lost and has no step any more; a2 could be submitted if the executor were up.
    expect([down.enabled, down.waiting]).toEqual([[2], [1]]);
    const again = await make(threads, [0, 2, 2]);
    expect([again.enabled, again.waiting]).toEqual([[1], []]);
  });

  it("refuse to take a step that they do not have", async () => {
    await expect(make([policy(1)], [0, 0])).rejects.toThrow("thread 0 has ended");
  });
});

describe("the actions of a schedule", () => {
  it("are those of its labels, with everything that they carry", async () => {
    const threads = [attempt("a1", request.forest), policy(1)];
    await withBench(openLedgerPort, async (bench) => {
      const { actionsOf } = executorProgram(bench, threads);
      expect(actionsOf(["submit a1", "limit 1", "advance a1"])).toEqual([
        expect.objectContaining({ kind: "submit", attempt: "a1", request: request.forest }),
        { kind: "change_policy", to: { kind: "limit", maxCopies: 1 } },
        { kind: "advance", attempt: "a1" },
      ]);
      expect(() => actionsOf(["limit 2"])).toThrow("no thread of the program does limit 2");
    });
  });
});

/** The footprints of two steps of one schedule. */
async function conflicts(
  threads: readonly ProgramThread[],
  schedule: readonly number[],
  one: number,
  other: number,
): Promise<boolean> {
  const { records } = await make(threads, schedule, { how: "abandoned" });
  const [first, second] = [records[one], records[other]];
  if (first === undefined || second === undefined) throw new Error("the schedule has no such steps");
  return conflict(first.footprint, second.footprint);
}

describe("the footprints of steps", () => {
  const two = [attempt("a1"), attempt("a2", request.otherKey)];

  it.each([
    ["a change of the policy and the check of an attempt", [attempt("a1"), policy(3)], [1, 0], 0, 1],
    ["a change of the policy and a commit", [attempt("a1"), policy(3)], [0, 1, 0], 1, 2],
    ["a cancel and a step of the same attempt", [attempt("a1"), cancelOf("a1")], [0, 1, 0], 1, 2],
    // The executor sees nothing of such a cancel; the harness looks whether the attempt is there.
    ["a cancel that comes too early and the submission", [attempt("a1"), cancelOf("a1")], [1, 0], 0, 1],
    ["a crash and any other step", [policy(3), crash], [0, 1], 0, 1],
    [
      "a fault that is armed and a step of an attempt",
      [attempt("a1"), surroundings("arm", { kind: "arm", fault: { kind: "receipt_ignored" } })],
      [0, 1],
      0,
      1,
    ],
    // The second one is skipped by the harness, which knows that the first is armed.
    [
      "two faults of one stage",
      [
        surroundings("busy", { kind: "arm", fault: { kind: "busy", stage: "execute" } }),
        surroundings("full", { kind: "arm", fault: { kind: "disk_full", stage: "execute" } }),
      ],
      [0, 1],
      0,
      1,
    ],
    ["two commits for one key", [attempt("a1"), attempt("a2")], [0, 1, 0, 1], 2, 3],
    ["two receipts, which are numbered in their order", two, [0, 1, 0, 1, 0, 1, 0, 1], 6, 7],
  ] as const)("conflict of %s", async (_, threads, schedule, one, other) => {
    expect(await conflicts(threads, schedule, one, other)).toBe(true);
  });

  it.each([
    ["two commits for different keys", two, [0, 1, 0, 1], 2, 3],
    ["the submissions of two attempts", two, [0, 1], 0, 1],
    ["a cancel and a step of another attempt", [...two, cancelOf("a1")], [0, 1, 2, 1], 2, 3],
    ["a change of the policy and a step after the commit", [attempt("a1"), policy(3)], [0, 0, 1, 0], 2, 3],
  ] as const)("do not conflict of %s", async (_, threads, schedule, one, other) => {
    expect(await conflicts(threads, schedule, one, other)).toBe(false);
  });

  it("conflict of a commit and a change of the policy, though the executor does not look at it", async () => {
    const { records } = await make([attempt("a1"), policy(3)], [0, 1, 0], {
      open: openerOf("commits-on-the-snapshot-alone"),
    });
    const [, changed, committed] = records;
    if (changed?.reported === undefined || committed?.reported === undefined)
      throw new Error("no footprints");
    expect(conflict(changed.reported, committed.reported)).toBe(false);
    expect(conflict(changed.footprint, committed.footprint)).toBe(true);
  });
});

describe("an execution", () => {
  it("is judged in full when it is complete: what the retry of its epilogue shows counts", async () => {
    // One receipt for each key is enough until the key is asked for again.
    const open = openerOf("keeps-one-receipt-per-key");
    const complete = await make([attempt("a1")], [0, 0, 0, 0], { open });
    expect(complete.ending.violations).toContain("one-receipt-per-attempt");
    const abandoned = await make([attempt("a1")], [0, 0, 0, 0], { open, how: "abandoned" });
    expect(abandoned.ending.violations).toEqual([]);
    // The state is that before the epilogue.
    expect(complete.ending.state).toBe(abandoned.ending.state);
  });

  it("notes of the promises what occurred, and what was left open", async () => {
    await withBench(openLedgerPort, async (bench) => {
      const program = executorProgram(bench, [attempt("a1")]);
      expect(program.judged()).toEqual({ occurred: [], undecided: new Map() });
      const execution = await program.start();
      for (let step = 0; step < 4; step++) await execution.step(0);
      await execution.finish("complete");
      expect(program.judged().occurred).toContain("receipt-before-release");
      expect(program.judged().occurred).not.toContain("cancel-is-not-success");
      expect(program.judged().undecided.size).toBe(0);
    });
  });
});

describe("a snapshot", () => {
  const two = [attempt("a1"), attempt("a2", request.otherKey)];

  it("is the same after independent steps in either order, and another after any that changes something", async () => {
    const one = await make(two, [0, 1, 0, 1]);
    const other = await make(two, [1, 0, 1, 0]);
    expect(one.snapshot).toBe(other.snapshot);
    expect(one.snapshot).toBe((await make(two, [0, 1, 0, 1])).snapshot);
    expect((await make(two, [0, 1, 0])).snapshot).not.toBe(one.snapshot);
  });

  it("tells an attempt that a crash has taken from one that came after it", async () => {
    const threads = [attempt("a1"), crash];
    const taken = await make(threads, [0, 1, 1]);
    const after = await make(threads, [1, 1, 0]);
    expect([taken.enabled, after.enabled]).toEqual([[], [0]]);
    expect(taken.snapshot).not.toBe(after.snapshot);
  });

  it("serves a search by states, which finds every state of the full enumeration with a crash", async () => {
    await withBench(openLedgerPort, async (bench) => {
      const program = executorProgram(bench, [attempt("a1"), crash]);
      const all = await allSchedules(program, unlimited);
      // The attempt is lost after 1, 2 or 3 steps; or it ends, before the crash or after the restart, which is the same.
      expect(all.states.size).toBe(4);
      expect((await stateSearch(program, unlimited)).states).toEqual(all.states);
      const search = await exploreSchedules(program, { ...unlimited, repeat: "each" });
      expect(search.outcome).toEqual({ kind: "complete" });
      expect(search.states).toEqual(all.states);
    });
  });
});
