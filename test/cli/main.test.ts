import { describe, expect, it } from "vitest";
import { openProgram } from "./program.js";

describe("the program", () => {
  it("prints its version", async () => {
    const { code, out, err } = await openProgram().call("--version");
    expect([code, out.trim(), err]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+/), ""]);
  });

  it.each(["--help", "help", "run --help", "help replay"])(
    "prints help for %s and succeeds",
    async (line) => {
      const { code, out, err } = await openProgram().call(line);
      expect(code).toBe(0);
      expect(out).toContain("Usage: commitpoint");
      expect(err).toBe("");
    },
  );

  it("prints help on stderr and fails when it is called without a verb", async () => {
    const { code, out, err } = await openProgram().call("");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Usage: commitpoint");
  });

  it.each([
    ["rn", "unknown command 'rn' (did you mean run?)", "commitpoint"],
    ["minimize x.yaml", "unknown command 'minimize' (did you mean minimise?)", "commitpoint"],
    ["merge x.json", "unknown command 'merge' (did you mean merge-reports?)", "commitpoint"],
    ["--sead 4", "unknown option '--sead' (did you mean --seed of run?)", "commitpoint"],
    ["run --sead 4", "unknown option '--sead' (did you mean --seed?)", "commitpoint run"],
    ["run --sead=4", "unknown option '--sead=4' (did you mean --seed?)", "commitpoint run"],
    ["run --no-colour", "unknown option '--no-colour' (did you mean --no-color?)", "commitpoint run"],
    ["run --max-action 4", "unknown option '--max-action' (did you mean --max-actions?)", "commitpoint run"],
    ["replay --shard 1/2", "unknown option '--shard' (run has it)", "commitpoint replay"],
    ["run --frobnicate", "unknown option '--frobnicate'", "commitpoint run"],
    ["frobnicate", "unknown command 'frobnicate'", "commitpoint"],
    ["run x", "too many arguments for 'run'. Expected 0 arguments but got 1.", "commitpoint run"],
    ["run --runs", "option '--runs <n>' argument missing", "commitpoint run"],
    ["minimise", "missing required argument 'scenario'", "commitpoint minimise"],
    ["merge-reports", "missing required argument 'file'", "commitpoint merge-reports"],
  ])("refuses %s with the nearest right word", async (line, message, place) => {
    const program = openProgram();
    const { code, out, err } = await program.call(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err.split("\n")).toEqual([
      `error: ${message}`,
      `  at   ${place}`,
      `  next See ${place} --help.`,
      "",
    ]);
    expect(program.asked.campaigns).toEqual([]);
  });

  it("refuses to be quiet and verbose at once", async () => {
    const { code, err } = await openProgram().call("run --quiet --verbose");
    expect(code).toBe(2);
    expect(err).toContain("--quiet and --verbose exclude each other");
  });

  it("takes what goes for every verb before and after it", async () => {
    const program = openProgram();
    await program.call("--quiet run");
    const { err } = await program.call("run --quiet");
    expect(err).toBe("");
    expect(program.asked.campaigns).toHaveLength(2);
  });

  it("warns of a variable that nobody reads, even when quiet", async () => {
    const { code, err } = await openProgram().call("run --quiet", { env: { COMMITPOINT_SEEDS: "4" } });
    expect(code).toBe(0);
    expect(err).toBe("warning: ignored variable COMMITPOINT_SEEDS; did you mean COMMITPOINT_SEED?\n");
  });

  it("does not mistake its own failure for a verdict", async () => {
    const engine = { selftest: () => Promise.reject(new Error("out of ideas")) };
    const { code, err } = await openProgram().call("selftest", { engine });
    expect(code).toBe(3);
    expect(err).toContain("error: commitpoint itself failed, which says nothing about the executor");
    expect(err).toContain("out of ideas");
  });

  describe("colours", () => {
    const sequence = "\u001b[";

    it.each([
      ["a terminal", "run", {}, true, true],
      ["no terminal", "run", {}, false, false],
      ["NO_COLOR", "run", { NO_COLOR: "1" }, true, false],
      ["an empty NO_COLOR", "run", { NO_COLOR: "" }, true, true],
      ["--no-color", "run --no-color", { FORCE_COLOR: "1" }, true, false],
      ["FORCE_COLOR", "run", { FORCE_COLOR: "1" }, false, true],
      ["FORCE_COLOR=0", "run", { FORCE_COLOR: "0" }, true, false],
      ["NO_COLOR and FORCE_COLOR", "run", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
      ["a dumb terminal", "run", { TERM: "dumb" }, true, false],
    ] as const)("follow %s", async (_, line, env, tty, coloured) => {
      const { out } = await openProgram().call(line, { env, tty });
      expect(out.includes(sequence)).toBe(coloured);
    });
  });
});
