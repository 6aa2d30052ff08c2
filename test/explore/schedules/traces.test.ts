import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { attempt, cancelOf, policy } from "../../../bench/explore/threads.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import { executorProgram, type ProgramThread } from "../../../src/explore/schedules/executor-program.js";
import { traceKey } from "../../../src/explore/schedules/happens-before.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import { stateSearch } from "../../../src/explore/schedules/state-search.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { withBench } from "../executor-bench.js";

/** Two attempts for one key, a change of the policy and a cancel. */
const threads: readonly ProgramThread[] = [attempt("a1"), attempt("a2"), policy(3), cancelOf("a1")];

async function exploreAll() {
  return withBench(openLedgerPort, async (bench) => {
    const program = executorProgram(bench, threads);
    const keys: string[] = [];
    const search = await exploreSchedules(program, {
      ...unlimited,
      repeat: "none",
      onExecution: ({ kind, records }) => {
        if (kind === "complete") keys.push(traceKey(threads.length, records));
      },
    });
    const all = await allSchedules(program, unlimited);
    const byStates = await stateSearch(program, unlimited);
    return { search, keys, all, byStates };
  });
}

describe("two attempts for one key, a change of the policy and a cancel on the ledger", () => {
  const explored = exploreAll();

  it("are executed once for each trace of the full enumeration", async () => {
    const { search, keys, all } = await explored;
    expect([search.outcome, all.outcome]).toEqual([{ kind: "complete" }, { kind: "complete" }]);
    expect(new Set(keys)).toEqual(all.traces);
    expect(keys).toHaveLength(all.traces.size);
    expect(search.executions.complete).toBe(all.traces.size);
    // The reduction is worth something: far fewer executions than schedules.
    expect(search.executions.complete * 20).toBeLessThan(all.executions);
  });

  it("end in the states of the full enumeration and in those of a search that knows no footprints", async () => {
    const { search, all, byStates } = await explored;
    expect(byStates.outcome).toEqual({ kind: "complete" });
    expect(search.states).toEqual(all.states);
    expect(byStates.states).toEqual(all.states);
    expect([search.violations, all.violations, byStates.violations]).toEqual([[], [], []]);
  });

  it("are given up in fewer than 35 of 100 executions", async () => {
    const { blocked, complete } = (await explored).search.executions;
    expect(blocked / (blocked + complete)).toBeLessThan(0.35);
  });
});
