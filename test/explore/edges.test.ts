import { describe, expect, it } from "vitest";
import { type EdgeOptions, type EdgeWalk, walkEdges } from "../../src/explore/edges.js";
import type { Graph } from "../../src/explore/graph.js";
import { searchMachine } from "../../src/explore/machine-search.js";
import { type Bounds, boundedWorkload } from "../../src/explore/pipeline/bounded.js";
import { type PipelineMachine, pipelineMachine } from "../../src/explore/pipeline/pipeline-machine.js";
import { executeRun } from "../../src/properties/run.js";
import { openLedgerPort } from "../../src/sut/ledger/system.js";
import { type Opener, openerOf, withBench } from "./executor-bench.js";

const one: Bounds = {
  attempts: 1,
  keys: 1,
  policyChanges: 1,
  crashes: 0,
  faults: [],
  arms: 0,
  faultyAttempts: 0,
};

async function graphOf(bounds: Bounds, bench: Parameters<typeof walkEdges>[0]) {
  const { port, contract, policy } = bench;
  const bounded = boundedWorkload({ profile: port.profile, contract, policy }, bounds);
  const machine: PipelineMachine = pipelineMachine(bounded, { recovery: "left_out" });
  const { exploration } = await searchMachine(
    machine,
    { reduction: { partialOrder: false, symmetry: false }, stored: "graph" },
    () => {},
  );
  const { stored } = exploration;
  if (stored.graph.kind === "not_stored") throw new Error("the graph is not stored");
  const graph: Graph = stored.graph.graph;
  return { machine, graph };
}

function walk(open: Opener, bounds: Bounds, chosen: Partial<EdgeOptions> = {}): Promise<EdgeWalk> {
  return withBench(open, async (bench) => {
    const { machine, graph } = await graphOf(bounds, bench);
    return walkEdges(bench, machine, graph, {
      numbers: "as_they_are",
      epilogue: "driven",
      isOver: () => "no",
      ...chosen,
    });
  });
}

describe("the edges of the machine's graph, walked on the ledger", () => {
  it.each([
    ["one attempt and a change of the policy", one],
    ["an attempt that throws anywhere", { ...one, faults: ["throw_at"], faultyAttempts: 1 }],
    ["an attempt and a crash", { ...one, policyChanges: 0, crashes: 1 }],
  ] as const)("are all walked, with no promise broken: %s", async (_, bounds) => {
    const walked = await walk(openLedgerPort, bounds);
    expect(walked.outcome).toEqual({ kind: "complete" });
    expect(walked.edges.reachable).toBeGreaterThan(0);
    expect(walked.edges.walked).toBe(walked.edges.reachable);
    expect([walked.cutOff, walked.failures]).toEqual([0, []]);
    expect(walked.undecided.size).toBe(0);
  });

  it("are told as they are walked, up to all of them", async () => {
    const told: number[] = [];
    const walked = await walk(openLedgerPort, one, {
      progress: (done) => {
        told.push(done.walked);
      },
    });
    expect(told).toHaveLength(walked.walks);
    expect(told).toEqual(told.toSorted((left, right) => left - right));
    expect(told.at(-1)).toBe(walked.edges.reachable);
  });
});

describe("the edges walked on a faulty executor", () => {
  it("are cut off where it leaves the machine's way, at the action that did it", async () => {
    const open = openerOf("commits-on-the-snapshot-alone");
    const walked = await walk(open, one);
    expect(walked.outcome).toEqual({ kind: "complete" });
    expect(walked.cutOff).toBeGreaterThan(0);
    expect(walked.edges.walked).toBeLessThan(walked.edges.reachable);
    const failure = walked.failures.find(({ promise }) => promise === "no-stale-commit");
    if (failure === undefined) throw new Error("no commit was found stale");
    const { actions, violation } = failure;
    // The attempt is checked, the policy changes, and the step after that commits.
    const kinds = actions.slice(0, violation.action + 1).map(({ kind }) => kind);
    expect(kinds).toEqual(["submit", "change_policy", "advance"]);
    const { verdict } = await withBench(open, (bench) => executeRun(bench, actions));
    expect(verdict.violations).toContainEqual(violation);
  });

  it("are all walked where only the epilogue shows the bug, which counts only if it is driven", async () => {
    // A second receipt of a key takes a second attempt, and that is the retry of the epilogue.
    const open = openerOf("keeps-one-receipt-per-key");
    const driven = await walk(open, { ...one, policyChanges: 0 });
    expect(driven.failures.map(({ promise }) => promise)).toContain("one-receipt-per-attempt");
    const leftOut = await walk(open, { ...one, policyChanges: 0 }, { epilogue: "left_out" });
    expect(leftOut.failures).toEqual([]);
    for (const { edges, cutOff } of [driven, leftOut])
      expect([edges.walked, cutOff]).toEqual([edges.reachable, 0]);
  });
});

describe("a walk of edges", () => {
  it("ends at once when it is over before it began", async () => {
    const walked = await walk(openLedgerPort, one, { isOver: () => "interrupted" });
    expect(walked).toMatchObject({
      outcome: { kind: "undecided", reason: "interrupted" },
      edges: { walked: 0 },
      walks: 0,
    });
  });

  it("is broken by an executor that breaks, and never rejects", async () => {
    const walked = await walk(
      (options) => ({
        ...openLedgerPort(options),
        advance: () => Promise.reject(new Error("no answer")),
      }),
      one,
    );
    expect(walked.outcome).toMatchObject({ kind: "broken", broken: { message: "no answer" } });
  });
});
