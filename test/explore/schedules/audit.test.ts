import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { attempt, policy } from "../../../bench/explore/threads.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import { executorProgram, type ProgramThread } from "../../../src/explore/schedules/executor-program.js";
import { auditIndependence } from "../../../src/explore/schedules/independence-audit.js";
import type { StepRecord } from "../../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import type { PromiseId } from "../../../src/properties/verdict.js";
import { openOmittingThePolicyRead } from "../../../src/sut/faulty/omits-the-policy-read.js";
import { openLedgerPort } from "../../../src/sut/ledger/system.js";
import { type Opener, withBench } from "../executor-bench.js";

/** The commit of the attempt decides by the policy that this changes. */
const threads: readonly ProgramThread[] = [attempt("a1"), policy(1)];

async function audited(open: Opener, of: readonly ProgramThread[], promises?: readonly PromiseId[]) {
  return withBench(open, async (opened) => {
    const bench = promises === undefined ? opened : { ...opened, promises };
    const program = executorProgram(bench, of);
    const sequences: (readonly StepRecord[])[] = [];
    const search = await exploreSchedules(program, {
      ...unlimited,
      repeat: "each",
      onExecution: ({ kind, records }) => {
        if (kind === "complete") sequences.push(records);
      },
    });
    const audit = await auditIndependence(program, sequences, unlimited);
    const all = await allSchedules(program, unlimited);
    return { search, audit, all };
  });
}

describe("an executor whose footprints leave out that a commit reads the policy", () => {
  it("is found out by the audit, which names the commit and the change of the policy", async () => {
    const { audit } = await audited(openOmittingThePolicyRead, threads);
    expect(audit.unaudited).toBe(0);
    expect(audit.differences).not.toEqual([]);
    for (const { pair, what } of audit.differences) {
      expect(pair.toSorted()).toEqual(["advance a1", "limit 1"]);
      // The commit itself shows it: the attempt stops after its business step, or ends refused.
      expect(what).toBe("seen");
    }
  });

  it("makes the search miss a state where nothing is judged", async () => {
    // The policy changes before, between or after check and commit; before or after is all that the search tries.
    const { search, all } = await audited(openOmittingThePolicyRead, threads, []);
    expect(search.outcome).toEqual({ kind: "complete" });
    expect(all.states.size).toBe(3);
    expect([...all.states].filter((state) => !search.states.has(state))).toEqual([
      expect.stringContaining("policy_changed"),
    ]);
  });

  it("loses no state where the promises are judged, as a commit is held against the policy of its moment", async () => {
    const { search, all } = await audited(openOmittingThePolicyRead, threads);
    expect(search.states).toEqual(all.states);
  });
});

describe("an executor whose footprints leave nothing out", () => {
  it("passes the audit", async () => {
    for (const of of [threads, [attempt("a1"), attempt("a2")]]) {
      const { audit } = await audited(openLedgerPort, of);
      expect(audit.audited).toBeGreaterThan(0);
      expect(audit).toMatchObject({ unaudited: 0, differences: [] });
    }
  });

  it("has every state found by the search", async () => {
    const { search, all } = await audited(openLedgerPort, threads, []);
    expect(search.states).toEqual(all.states);
  });
});
