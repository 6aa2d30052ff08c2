import { describe, expect, it } from "vitest";
import { campaignCoverage } from "../../src/explore/campaign-coverage.js";
import { pipelineMachine } from "../../src/explore/pipeline/pipeline-machine.js";
import { search } from "../../src/explore/search.js";
import { planOfRun, plansOfRuns } from "../../src/properties/share.js";
import { smallBounds } from "./pipeline/small-bounds.js";

function coverage(options: { readonly symmetry: boolean; readonly actions: number; readonly seed: number }) {
  const machine = pipelineMachine(smallBounds({ policyChanges: 1 }), { recovery: "left_out" });
  const reduction = { partialOrder: false, symmetry: options.symmetry };
  const { stored } = search(machine, { reduction, stored: "graph" });
  if (stored.graph.kind !== "stored") throw new Error("the graph was asked for");
  const { graph } = stored.graph;
  const found = campaignCoverage(machine, { stored, graph, reduction }, options);
  return { ...found, reachable: graph.target.length };
}

describe("what a campaign walks of a graph", () => {
  it.each([true, false])("is some of it and not all, as runs leave the bounds (symmetry %s)", (symmetry) => {
    const { walked, reachable, actions, runs } = coverage({ symmetry, actions: 300, seed: 1 });
    expect(walked).toBeGreaterThan(0);
    expect(walked).toBeLessThan(reachable);
    // It stops with the first run that makes the number full.
    expect(actions).toBeGreaterThanOrEqual(300);
    expect(runs).toBeGreaterThan(0);
  });

  it("is the same for the same seed, and more with more actions", () => {
    const first = coverage({ symmetry: true, actions: 200, seed: 7 });
    expect(coverage({ symmetry: true, actions: 200, seed: 7 })).toEqual(first);
    // The longer campaign begins with the same runs.
    expect(coverage({ symmetry: true, actions: 4000, seed: 7 }).walked).toBeGreaterThan(first.walked);
  });

  it("is that of the very runs of a campaign with this seed, however many are asked for at a time", () => {
    const { profile, contract, policy } = smallBounds();
    const settings = { profile, contract, policy };
    const alone = [0, 1, 2, 3, 4].map((run) => planOfRun(settings, 11, run, 9));
    expect(plansOfRuns(settings, 11, 0, 5, 9)).toEqual(alone);
    expect(plansOfRuns(settings, 11, 3, 2, 9)).toEqual(alone.slice(3));
  });

  it("is nothing without an action", () => {
    expect(coverage({ symmetry: true, actions: 0, seed: 1 })).toMatchObject({
      walked: 0,
      actions: 0,
      runs: 0,
    });
  });
});
