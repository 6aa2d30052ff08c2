import { describe, expect, it } from "vitest";
import { type Interleaving, interleavings } from "../../../bench/explore/interleavings.js";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import { executorProgram, type ProgramThread } from "../../../src/explore/schedules/executor-program.js";
import type { Violation } from "../../../src/explore/schedules/findings.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import type { Action } from "../../../src/model/vocabulary.js";
import { executeRun } from "../../../src/properties/run.js";
import type { PromiseId } from "../../../src/properties/verdict.js";
import { faultyExecutors } from "../../../src/sut/faulty/faulty-executors.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { openerOf, withBench } from "../executor-bench.js";

/** The bar: complete and blocked executions together, not counting repetitions. */
const mostExecutions = 50;

/** What a list breaks, of these promises. */
async function broken(name: string, actions: readonly Action[], of: readonly PromiseId[]) {
  return withBench(openerOf(name), async (bench) => {
    const { verdict } = await executeRun(bench, actions);
    return verdict.violations.map(({ promise }) => promise).filter((promise) => of.includes(promise));
  });
}

/** The same actions, but that each attempt ends before anything else happens. */
function oneAfterAnother(actions: readonly Action[]): readonly Action[] {
  return actions.flatMap((action): readonly Action[] => {
    switch (action.kind) {
      case "submit":
        return [action, { kind: "finish", attempt: action.attempt }];
      case "advance":
      case "finish":
      case "cancel":
        return [];
      case "crash":
        return [{ kind: "crash", where: { kind: "parked" } }];
      default:
        return [action];
    }
  });
}

function wholeThread(thread: ProgramThread): readonly Action[] {
  return thread.kind === "surroundings" ? thread.actions : oneAfterAnother([thread.submit]);
}

function textsOf(violations: readonly Violation[]): readonly string[] {
  return violations.map(({ text }) => text).toSorted();
}

describe("the list of interleavings", () => {
  it("is made of the executors whose witness shows nothing once its attempts follow one another", async () => {
    const needing: string[] = [];
    for (const { name, witness, caughtBy } of faultyExecutors) {
      if ((await broken(name, oneAfterAnother(witness), caughtBy)).length === 0) needing.push(name);
    }
    expect(needing.toSorted()).toEqual(interleavings.map(({ name }) => name).toSorted());
  });

  it.each(interleavings)("has threads for $name that show nothing in whole, in either order", async (row) => {
    const lists = row.threads.map(wholeThread);
    expect(await broken(row.name, lists.flat(), row.finds)).toEqual([]);
    expect(await broken(row.name, lists.toReversed().flat(), row.finds)).toEqual([]);
  });

  it.each(interleavings)("names promises that $name is known to break", ({ name, finds }) => {
    const known = faultyExecutors.find((executor) => executor.name === name)?.caughtBy ?? [];
    expect(finds.filter((promise) => !known.includes(promise))).toEqual([]);
  });
});

async function explore(open: ReturnType<typeof openerOf>, { threads }: Interleaving) {
  return withBench(open, async (bench) => {
    const program = executorProgram(bench, threads);
    const search = await exploreSchedules(program, { ...unlimited, repeat: "none" });
    const all = await allSchedules(program, unlimited);
    return { search, all };
  });
}

/** Its attempts meet in memory, of which no footprint tells: see in-memory.test.ts. */
const meetsInMemory = "shares-one-events-list";

describe("source-DPOR", () => {
  it.each(interleavings)(`finds $name within ${mostExecutions} executions`, async (row) => {
    const { search, all } = await explore(openerOf(row.name), row);
    expect(search.outcome).toEqual({ kind: "complete" });
    const found = search.violations.filter(({ text }) => row.finds.some((promise) => promise === text));
    expect(Math.min(...found.map(({ executions }) => executions))).toBeLessThanOrEqual(mostExecutions);
    if (row.name === meetsInMemory) return;
    // Not that bug alone, but all that any schedule breaks, and every state that one ends in.
    expect(textsOf(search.violations)).toEqual(textsOf(all.violations));
    expect(search.states).toEqual(all.states);
  });

  it.each(interleavings)("finds nothing in the ledger where $name is found", async (row) => {
    const { search, all } = await explore(openLedgerPort, row);
    expect(search.outcome).toEqual({ kind: "complete" });
    expect(search.violations).toEqual([]);
    expect(search.states).toEqual(all.states);
  });
});
