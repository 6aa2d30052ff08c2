import { describe, expect, it } from "vitest";
import {
  brokenScenario,
  counterexampleScenario,
  exploredScenario,
  scenarioFileName,
} from "../../src/report/counterexample-scenario.js";
import { loadScenario } from "../../src/scenario/load.js";
import { writeScenario } from "../../src/scenario/write.js";
import { staleCommit } from "./histories.js";
import { brokenRun, counterexample, violated } from "./reports.js";

const keptWith = {
  source: "commitpoint run",
  policy: { kind: "limit", maxCopies: 3 },
  date: "2026-01-31",
} as const;

describe("counterexampleScenario", () => {
  it("is the minimal steps, expecting their violation, with where they were found", () => {
    const scenario = counterexampleScenario(counterexample, violated, keptWith);
    expect(scenario).toMatchObject({
      name: "no-stale-commit is broken by faulty/no-recheck",
      profile: "ledger",
      executor: "faulty/no-recheck",
      about: "The effect JOB-001 was committed under a policy revision that was no longer current.",
      source: "commitpoint run",
      policy: { kind: "limit", maxCopies: 3 },
      actions: staleCommit.actions,
      expect: { violates: "no-stale-commit" },
      found: { seed: 7, path: "37", version: "0.1.0", date: "2026-01-31" },
    });
  });

  it("comes back from its file as it was", () => {
    const scenario = counterexampleScenario(counterexample, violated, keptWith);
    const loaded = loadScenario(writeScenario(scenario), "kept.yaml");
    const content = loaded.kind === "loaded" ? { ...loaded.scenario, lines: undefined } : loaded.mistakes;
    expect(content).toEqual({ ...scenario, lines: undefined });
  });

  it.each([
    ["one_minimal", undefined],
    ["out_of_budget", "The budget for shrinking ran out; these steps may not be the shortest."],
    [
      "not_reproduced",
      "They could not be shrunk: a second try did not fail in the same way. These steps are as generated.",
    ],
  ] as const)("notes of %s steps what they are", (kind, notes) => {
    const one = { ...counterexample, minimal: { ...counterexample.minimal, kind } };
    expect(counterexampleScenario(one, violated, keptWith).notes).toBe(notes);
  });
});

describe("exploredScenario", () => {
  const exploring = { ...keptWith, source: "commitpoint explore" };

  it.each(["edges", "schedules"] as const)("says which part found it: %s", (foundBy) => {
    const scenario = exploredScenario({ ...counterexample, foundBy }, violated, exploring);
    expect(scenario).toMatchObject({
      name: "no-stale-commit is broken by faulty/no-recheck",
      source: "commitpoint explore",
      expect: { violates: "no-stale-commit" },
      found: { seed: 7, path: `${foundBy} 37`, version: "0.1.0", date: "2026-01-31" },
    });
    expect(scenario.notes).toBeUndefined();
    expect(loadScenario(writeScenario(scenario), "kept.yaml").kind).toBe("loaded");
  });

  it("does not blame an executor for what only the machine did", () => {
    const scenario = exploredScenario({ ...counterexample, foundBy: "machine" }, violated, exploring);
    expect(scenario.name).toBe("no-stale-commit is broken by the reference machine");
    expect(scenario.notes).toMatch(/^The reference machine breaks it\. No executor has taken these steps/);
  });
});

describe("brokenScenario", () => {
  it("is the run that nobody answered, expecting that all promises hold", () => {
    const scenario = brokenScenario(brokenRun, violated, keptWith);
    expect(scenario).toMatchObject({
      name: "run 3 of faulty/no-recheck broke",
      about: "advance: advance took longer than 2000 ms",
      expect: {},
      found: { path: "3" },
    });
    expect(loadScenario(writeScenario(scenario), "broken.yaml").kind).toBe("loaded");
  });
});

describe("scenarioFileName", () => {
  it("names promise and executor without leaving its folder", () => {
    expect(scenarioFileName("fail-closed", "ledger")).toBe("fail-closed.ledger.yaml");
    expect(scenarioFileName("fail-closed", "a/../b c")).toBe("fail-closed.a-..-b-c.yaml");
  });
});
