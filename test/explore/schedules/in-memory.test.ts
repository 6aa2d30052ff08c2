import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { attempt } from "../../../bench/explore/threads.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import { executorProgram } from "../../../src/explore/schedules/executor-program.js";
import { auditIndependence } from "../../../src/explore/schedules/independence-audit.js";
import type { StepRecord } from "../../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import { request } from "../../../src/sut/faulty/witness-steps.js";
import { openerOf, withBench } from "../executor-bench.js";

/** Two attempts for different keys: by what their store sees they meet in the numbers of their receipts alone. */
async function exploreTwo(name: string) {
  return withBench(openerOf(name), async (bench) => {
    const program = executorProgram(bench, [attempt("a1"), attempt("a2", request.otherKey)]);
    const sequences: (readonly StepRecord[])[] = [];
    const search = await exploreSchedules(program, {
      ...unlimited,
      repeat: "each",
      onExecution: ({ kind, records }) => {
        if (kind === "complete") sequences.push(records);
      },
    });
    const audit = await auditIndependence(program, sequences, unlimited);
    return { search, audit, all: await allSchedules(program, unlimited) };
  });
}

describe("attempts that share something in memory only", () => {
  it("are two traces to the search, which misses states, and the audit finds it out", async () => {
    for (const name of ["shares-one-events-list", "keys-the-receipt-by-the-last-effect"]) {
      const { search, audit, all } = await exploreTwo(name);
      // a1 or a2 gets the first receipt.
      expect(search.outcome).toEqual({ kind: "complete" });
      expect(search.executions.complete).toBe(2);
      expect(search.states.size).toBeLessThan(all.states.size);
      expect(audit.differences).not.toEqual([]);
    }
  });

  it("show a shared list of events to the search and the audit, but not all that it breaks to the search", async () => {
    const { search, audit, all } = await exploreTwo("shares-one-events-list");
    expect(search.violations.map(({ text }) => text)).toContain("receipt-tells-truth");
    const missed = all.violations.filter(({ text }) => search.violations.every((one) => one.text !== text));
    expect(missed).not.toEqual([]);
    // The submission empties the list that the other attempt goes on to write to.
    expect(audit.differences.map(({ pair }) => pair.toSorted())).toContainEqual(["advance a1", "submit a2"]);
  });

  it("show a last key in memory by the receipts that two steps leave in either order", async () => {
    const { audit } = await exploreTwo("keys-the-receipt-by-the-last-effect");
    // One step writes an effect, the other a receipt that is keyed by the last effect.
    for (const { pair, what } of audit.differences) {
      expect(pair.toSorted()).toEqual(["advance a1", "advance a2"]);
      expect(what).toBe("snapshot");
    }
  });

  it("are not suspected in the ledger, whose attempts share nothing", async () => {
    const { search, audit, all } = await exploreTwo("ledger");
    expect(audit.audited).toBeGreaterThan(0);
    expect(audit).toMatchObject({ unaudited: 0, differences: [] });
    expect(search.states).toEqual(all.states);
  });
});
