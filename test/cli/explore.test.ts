import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/cli/engine.js";
import type { ExploreReport } from "../../src/explore/report.js";
import { faultKinds } from "../../src/model/vocabulary.js";
import { search, violatedByMachine, violatedBySchedules } from "../report/explorations.js";
import { brokenRun, promises } from "../report/reports.js";
import { explorationOf, openProgram } from "./program.js";

function finding(difference: Partial<ExploreReport>): Partial<Engine> {
  return { explore: async (request) => explorationOf(request, difference) };
}

const config = `
  const contract = { name: "refund", effect: "write", interpret: () => ({}), accepts: () => true, canaries: () => [], requests: {} };
  const profile = { name: "refunds", layers: [], checkpoints: [], crashPoints: [], faults: ["busy"], abilities: [] };
  const executor = { contract, profile, open: async () => ({}) };
  export default { seed: 4, outputDir: "found", executors: { first: executor } };
`;

describe("explore", () => {
  it("searches the machine of the built-in profile, and opens no executor", async () => {
    const program = openProgram();
    const { code, out, err } = await program.call("explore --seed 5");
    expect(code).toBe(0);
    // No fault, and each of the 13 kinds alone.
    expect(err).toBe("exploring the machine of profile ledger: 14 choices of faults, seed 5\n");
    expect(out).toContain("reference machine alone, profile ledger, seed 5\n");
    expect(out).toContain("the machine of profile ledger: complete within the bounds:");
    expect(program.asked.explorations[0]).toMatchObject({
      explores: "machine",
      bounds: { attempts: 2, keys: 2, policyChanges: 2, crashes: 1, arms: 1, faultyAttempts: 1 },
      faultSets: [[], ...faultKinds.filter((kind) => kind !== "spoilt_output").map((kind) => [kind])],
      reduction: { partialOrder: false, symmetry: true },
      maxStates: undefined,
      maxBytes: 2_147_483_648,
      timeMs: undefined,
      maxExecutions: 5000,
      seed: 5,
    });
  });

  it("hands every setting to the exploration", async () => {
    const program = openProgram();
    await program.call(
      "explore --executor ledger --attempts 3 --keys 1 --policy-changes 0 --crashes 2 --arms 0 --faulty-attempts 2 " +
        "--faults none --partial-order --max-states 900 --memory 500m --time 90s --executions 40 --seed 0 --no-edges",
    );
    expect(program.asked.explorations[0]).toMatchObject({
      explores: "machine_and_executor",
      executor: { name: "ledger" },
      bounds: { attempts: 3, keys: 1, policyChanges: 0, crashes: 2, arms: 0, faultyAttempts: 2 },
      faultSets: [[]],
      walks: "none",
      schedules: "all",
      reduction: { partialOrder: true, symmetry: true },
      maxStates: 900,
      maxBytes: 524_288_000,
      timeMs: 90_000,
      maxExecutions: 40,
      seed: 0,
    });
  });

  it.each([
    ["", { walks: "every_edge", schedules: "all" }],
    ["--no-edges", { walks: "none", schedules: "all" }],
    ["--no-schedules", { walks: "every_edge", schedules: "none" }],
    ["--full", { reduction: { partialOrder: false, symmetry: false } }],
  ])("does with %j what it says", async (flags, asked) => {
    const program = openProgram();
    await program.call(`explore --executor ledger ${flags}`);
    expect(program.asked.explorations[0]).toMatchObject(asked);
  });

  describe("--faults", () => {
    it.each([
      ["--faults none", [[]]],
      ["--faults busy", [["busy"]]],
      // In the order of the vocabulary, which has bad_output before busy.
      ["--faults busy,bad_output", [["bad_output", "busy"]]],
      ["--faults busy --faults none --faults disk_full", [["busy"], [], ["disk_full"]]],
      ["--faults busy,disk_full --faults disk_full,busy,busy", [["busy", "disk_full"]]],
      ["--faults busy --faults each --executor first", [["busy"], []]],
    ])("%s is a choice for each, once", async (flags, faultSets) => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      await program.call(`explore ${flags}`);
      expect(program.asked.explorations[0]?.faultSets).toEqual(faultSets);
    });
  });

  describe("with an executor", () => {
    it("takes profile and contract from its entry, a plugged-in one too", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const { out } = await program.call("explore --executor first --profile refunds");
      expect(out).toContain("executor first, profile refunds, seed 4\n");
      expect(program.asked.explorations[0]).toMatchObject({
        executor: { name: "first", profile: { name: "refunds" }, contract: { name: "refund" } },
        faultSets: [[], ["busy"]],
      });
    });

    it("lets the variable stand in for the flag, which beats it", async () => {
      const program = openProgram();
      const env = {
        COMMITPOINT_EXECUTOR: "reuses-a-revision",
        COMMITPOINT_TIME: "5s",
        COMMITPOINT_SEED: "8",
      };
      await program.call("explore", { env });
      await program.call("explore --executor ledger --time 6s --seed 9", { env });
      expect(
        program.asked.explorations.map(({ executor, timeMs, seed }) => [executor.name, timeMs, seed]),
      ).toEqual([
        ["reuses-a-revision", 5000, 8],
        ["ledger", 6000, 9],
      ]);
    });

    it("is not chosen by a configuration: without the flag it is the built-in machine", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      await program.call("explore");
      expect(program.asked.explorations[0]).toMatchObject({
        explores: "machine",
        executor: { profile: { name: "ledger" } },
      });
    });

    it("that cannot be opened is no success", async () => {
      const engine: Partial<Engine> = {
        explore: async () => {
          throw new Error("no database here");
        },
      };
      const { code, out, err } = await openProgram().call("explore --executor ledger", { engine });
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain("error: ledger and its machine cannot be explored: no database here\n");
    });
  });

  it("shows on a terminal how far it has come", async () => {
    const engine: Partial<Engine> = {
      explore: async (request) => {
        request.progress({ part: "machine", search: 2, of: 14, states: 12_345, depth: 9 });
        return explorationOf(request);
      },
    };
    const call = { engine, tty: true };
    const shown = await openProgram().call("explore --no-color", call);
    expect(shown.err).toContain("  search 2 of 14   12,345 states   depth 9");
    // Wiped before the report is written.
    expect(shown.err.endsWith("\r\u001b[2K")).toBe(true);
    expect((await openProgram().call("explore", { engine })).err).not.toContain("search 2");
  });

  describe("exit code", () => {
    it.each([
      [0, {}],
      [1, { verdict: "violated" }],
      [1, { verdict: "vacuous" }],
      [3, { verdict: "undecided" }],
      [3, { verdict: "broken", broken: [brokenRun] }],
      [3, { verdict: "nothing_checked" }],
      [3, { interrupted: true }],
      [3, { verdict: "vacuous", interrupted: true }],
      [3, { machine: [{ ...search, outcome: { kind: "undecided", reason: "time" } }] }],
    ] as const satisfies readonly (readonly [number, Partial<ExploreReport>])[])(
      "is %d for %j",
      async (code, difference) => {
        const told = await openProgram().call("explore --quiet", { engine: finding(difference) });
        expect(told.code).toBe(code);
      },
    );

    it.each([
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ])("is that of %s, with what is known written", async (name, code) => {
      const interruption = new AbortController();
      const program = openProgram();
      const engine: Partial<Engine> = {
        explore: async (request) => {
          interruption.abort(name);
          return explorationOf(request, { interrupted: request.signal.aborted, verdict: "undecided" });
        },
      };
      const told = await program.call("explore --reporter json:out.json", {
        engine,
        signal: interruption.signal,
      });
      expect(told.code).toBe(code);
      expect(told.out).toContain("Interrupted. the machine of profile ledger: undecided");
      expect(JSON.parse(readFileSync(join(program.folder, "out.json"), "utf8"))).toMatchObject({
        format: "commitpoint-exploration",
        interrupted: true,
      });
    });
  });

  describe("a counterexample", () => {
    const kept = (folder: string, name: string) =>
      readFileSync(join(folder, "commitpoint-out", name), "utf8");

    it("is kept as run keeps one, with the line that replays it", async () => {
      const program = openProgram();
      const { counterexamples } = violatedBySchedules;
      const engine = finding({ verdict: "violated", counterexamples });
      const { code, out } = await program.call("explore --executor reuses-a-revision --seed 7", { engine });
      expect(code).toBe(1);
      expect(out).toContain(
        "replay with  npx commitpoint replay commitpoint-out/no-stale-commit.reuses-a-revision.yaml\n",
      );
      const text = kept(program.folder, "no-stale-commit.reuses-a-revision.yaml");
      expect(text).toContain("executor: reuses-a-revision\n");
      expect(text).toContain("source: commitpoint explore\n");
      expect(text).toContain("violates: no-stale-commit");
      expect(text).toMatch(/seed: 7, path: schedules 37, version: .*, date: 2026-01-31/);
    });

    it("of the machine alone is kept for the built-in executor, and says what it is", async () => {
      const program = openProgram();
      const engine = finding({ verdict: "violated", counterexamples: violatedByMachine.counterexamples });
      const { code, out } = await program.call("explore", { engine });
      expect(code).toBe(1);
      expect(out).toContain("written to   commitpoint-out/no-stale-commit.machine.yaml\n");
      const text = kept(program.folder, "no-stale-commit.machine.yaml");
      expect(text).toContain("name: no-stale-commit is broken by the reference machine\n");
      expect(text).toContain("No executor has taken these steps");
      // The built-in executor is the one of a scenario that names none.
      expect(text).not.toContain("executor:");
    });

    it("goes where the flag, or else the configuration, says", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const { counterexamples } = violatedBySchedules;
      const engine = finding({ verdict: "violated", counterexamples });
      await program.call("explore --executor first", { engine });
      await program.call("explore --executor first --output-dir deep/er", { engine });
      expect(readdirSync(join(program.folder, "found"))).toEqual(["no-stale-commit.first.yaml"]);
      expect(readdirSync(join(program.folder, "deep/er"))).toEqual(["no-stale-commit.first.yaml"]);
    });

    it("is not all that is kept: so is the first run that broke, if there is something to replay", async () => {
      const program = openProgram();
      const broken = { verdict: "broken", broken: [brokenRun] } as const;
      const { out } = await program.call("explore --executor ledger", { engine: finding(broken) });
      expect(out).toContain("written to commitpoint-out/broken.ledger.yaml");
      const other = openProgram();
      const empty = { verdict: "broken", broken: [{ ...brokenRun, actions: [] }] } as const;
      const told = await other.call("explore --executor ledger", { engine: finding(empty) });
      expect(told.code).toBe(3);
      expect(told.out).not.toContain("written to");
      expect(readdirSync(other.folder)).toEqual([]);
    });
  });

  describe("reporters", () => {
    it("leave stdout to JSON alone", async () => {
      const { out } = await openProgram().call("explore --reporter json --seed 3", { tty: true });
      expect(JSON.parse(out)).toMatchObject({ format: "commitpoint-exploration", seed: 3, executor: "none" });
    });

    it("write JUnit", async () => {
      const program = openProgram();
      const difference = { promises: promises(1, { "fail-closed": { kind: "vacuous" } }) };
      await program.call("explore --reporter junit:out.xml", { engine: finding(difference) });
      const xml = readFileSync(join(program.folder, "out.xml"), "utf8");
      expect(xml).toContain('<testcase name="machine: busy"');
      expect(xml).toContain("vacuous: the situation that this promise guards never occurred");
    });
  });

  describe("what cannot work", () => {
    it.each([
      ["--attempts 0", 'expected a whole number from 1 to 4, got "0"', "--attempts 0"],
      ["--attempts 5", 'expected a whole number from 1 to 4, got "5"', "--attempts 5"],
      ["--keys 4", 'expected a whole number from 1 to 3, got "4"', "--keys 4"],
      ["--policy-changes 10", 'expected a whole number from 0 to 9, got "10"', "--policy-changes 10"],
      ["--crashes -1", 'expected a whole number from 0 to 9, got "-1"', "--crashes -1"],
      ["--arms x", 'expected a whole number from 0 to 9, got "x"', "--arms x"],
      ["--faulty-attempts 5", 'expected a whole number from 0 to 4, got "5"', "--faulty-attempts 5"],
      ["--max-states 0", "expected a whole number from 1 to 4294967294", "--max-states 0"],
      ["--executions 0", "expected a whole number from 1 to 10000000", "--executions 0"],
      ["--memory 2", "expected a size with its unit, such as 500m or 2g", "--memory 2"],
      ["--time 60", "expected a time with its unit", "--time 60"],
      ["--seed -1", "expected a whole number from 0 to 2147483647", "--seed -1"],
      ["--faults bussy", 'there is no kind of fault "bussy"; did you mean "busy"?', "--faults bussy"],
      ["--faults eech", 'there is no kind of fault "eech"; did you mean "each"?', "--faults eech"],
      ["--faults busy,", 'there is no kind of fault ""', "--faults busy,"],
      ["--faults none,busy", '"none" is a choice of its own', "--faults none,busy"],
      [
        "--executor first --faults disk_full",
        "the profile refunds does not claim the fault disk_full",
        "--faults disk_full",
      ],
      ["--full --partial-order", "--full is a search without reductions", "--full, --partial-order"],
      ["--profile leger", 'there is no profile "leger"; did you mean "ledger"?', "--profile leger"],
      ["--executor first --profile ledger", "first has the profile refunds, not ledger", "--profile ledger"],
      ["--executor frist", 'there is no executor "frist"; did you mean "first"?', "--executor frist"],
      ["--reporter html", 'there is no reporter "html"', "--reporter html"],
      ["--output-dir file", "expected a folder, found the file", "the output folder"],
      ["--atempts 2", "unknown option '--atempts' (did you mean --attempts?)", "commitpoint explore"],
      ["--runs 5", "unknown option '--runs' (run has it)", "commitpoint explore"],
    ])("is refused before anything is explored: %s", async (flags, message, place) => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      program.write("file", "");
      mkdirSync(join(program.folder, "folder"));
      const { code, out, err } = await program.call(`explore ${flags}`);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(`error: ${message}`);
      expect(err).toContain(`  at   ${place}\n`);
      expect(program.asked.explorations).toEqual([]);
      expect(readdirSync(program.folder)).toEqual(["commitpoint.config.mjs", "file", "folder"]);
    });

    it.each([
      ["--faults each,busy", "Repeat the flag: --faults each --faults throw_at."],
      ["--executor first --faults disk_full", "It claims busy."],
      ["--executor first --profile ledger", "Leave --profile out: an executor brings its own."],
    ])("comes with what to do next: %s", async (flags, nextStep) => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      expect((await program.call(`explore ${flags}`)).err).toContain(`  next ${nextStep}\n`);
    });
  });
});
