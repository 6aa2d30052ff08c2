import { describe, expect, it } from "vitest";
import type { CommitpointConfig } from "../../src/config/define-config.js";
import { readEnvironment } from "../../src/config/environment.js";
import { type RunFlags, runSettings } from "../../src/config/settings.js";

function settings(flags: RunFlags, env: { [name: string]: string } = {}, config?: CommitpointConfig) {
  return runSettings({ flags, environment: readEnvironment(env), config });
}

describe("runSettings", () => {
  it("has defaults that a run under CI repeats", () => {
    expect(settings({}, { CI: "true" })).toMatchObject({
      seed: 1,
      budget: { kind: "runs", runs: 1000 },
      maxActions: 30,
      shard: { index: 1, count: 1 },
      promises: undefined,
      allowVacuous: [],
      outputDir: "commitpoint-out",
    });
  });

  it("lets the command line beat the environment, and that the configuration", () => {
    const env = { COMMITPOINT_SEED: "2", COMMITPOINT_MAX_ACTIONS: "20" };
    const config = { seed: 3, maxActions: 30, workers: 4, outputDir: "found" };
    const found = settings({ seed: "1" }, env, config);
    expect(found).toMatchObject({ seed: 1, maxActions: 20, workers: 4, outputDir: "found" });
  });

  it("treats an empty variable as absent", () => {
    expect(settings({}, { COMMITPOINT_RUNS: "" }, { runs: 5 }).budget).toEqual({ kind: "runs", runs: 5 });
  });

  describe("the seed", () => {
    it("is fixed under CI, and drawn anew elsewhere", () => {
      const drawn = new Set(Array.from({ length: 8 }, () => settings({}).seed));
      expect(drawn.size).toBeGreaterThan(1);
      expect(settings({}, { CI: "1" }).seed).toBe(1);
    });

    it("is drawn under CI where someone asks for that", () => {
      const flagged = new Set(
        Array.from({ length: 8 }, () => settings({ seed: "random" }, { CI: "1" }).seed),
      );
      const configured = Array.from({ length: 8 }, () => settings({}, { CI: "1" }, { seed: "random" }).seed);
      expect(flagged.size).toBeGreaterThan(1);
      expect(new Set(configured).size).toBeGreaterThan(1);
    });

    it("may be 0 but no more than fast-check takes", () => {
      expect(settings({ seed: "0" }).seed).toBe(0);
      expect(() => settings({ seed: "2147483648" })).toThrow("a whole number from 0 to 2147483647");
    });

    it.each(["false", "0", ""])("is not fixed by CI=%s", (value) => {
      const drawn = new Set(Array.from({ length: 8 }, () => settings({}, { CI: value }).seed));
      expect(drawn.size).toBeGreaterThan(1);
    });
  });

  describe("the budget", () => {
    it("is runs or time, not both from one source", () => {
      expect(() => settings({ runs: "5", time: "5s" })).toThrow("one budget, runs or time");
      expect(() => settings({}, { COMMITPOINT_RUNS: "5", COMMITPOINT_TIME: "5s" })).toThrow("one budget");
    });

    it("lets a time on the command line outrank runs elsewhere", () => {
      const found = settings({ time: "2s" }, { COMMITPOINT_RUNS: "5" }, { runs: 7 });
      expect(found.budget).toEqual({ kind: "time", milliseconds: 2000 });
    });
  });

  describe("the shard", () => {
    it("is read from the environment too", () => {
      expect(settings({ runs: "8" }, { COMMITPOINT_SHARD: "2/4" }).shard).toEqual({ index: 2, count: 4 });
    });

    it("needs a fixed number of runs", () => {
      expect(() => settings({ time: "5s", shard: "1/2" })).toThrow("shards divide a fixed number of runs");
      expect(settings({ time: "5s", shard: "1/1" }).shard).toEqual({ index: 1, count: 1 });
    });

    it("is never empty", () => {
      expect(() => settings({ runs: "3", shard: "4/4" })).toThrow("3 runs cannot be divided into 4 shards");
      expect(settings({ runs: "4", shard: "4/4" }).shard).toEqual({ index: 4, count: 4 });
    });
  });

  describe("promises", () => {
    it("are known ones, by flag or as a list in a variable", () => {
      expect(settings({ promise: ["fail-closed"] }).promises).toEqual(["fail-closed"]);
      const env = { COMMITPOINT_ALLOW_VACUOUS: "fail-closed, commit-survives" };
      expect(settings({}, env).allowVacuous).toEqual(["fail-closed", "commit-survives"]);
    });

    it("are refused with the nearest right id", () => {
      expect(() => settings({ promise: ["fail-close"] })).toThrow(
        'there is no promise "fail-close"; did you mean "fail-closed"?',
      );
    });
  });
});

describe("readEnvironment", () => {
  it("warns of a variable that nobody reads, with the nearest that is", () => {
    expect(readEnvironment({ COMMITPOINT_SEEDS: "4", OTHER: "1" }).warnings).toEqual([
      "ignored variable COMMITPOINT_SEEDS; did you mean COMMITPOINT_SEED?",
    ]);
  });
});
