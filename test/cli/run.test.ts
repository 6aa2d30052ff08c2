import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/cli/engine.js";
import type { CampaignReport } from "../../src/properties/verdict.js";
import { brokenRun, counterexample, promises, violated } from "../report/reports.js";
import { openProgram, reportOf } from "./program.js";

function finding(difference: Partial<CampaignReport>): Partial<Engine> {
  return { campaign: async (request) => reportOf(request, difference) };
}

const found = {
  verdict: "violated",
  promises: violated.promises,
  counterexamples: [counterexample],
} as const;

const config = `
  const contract = { name: "refund", effect: "write", interpret: () => ({}), accepts: () => true, canaries: () => [], requests: {} };
  const profile = { name: "refunds", layers: [], checkpoints: [], crashPoints: [], faults: [], abilities: [] };
  const executor = { contract, profile, open: async () => ({}) };
  export default { runs: 12, seed: 4, executors: { first: executor, second: executor } };
`;

describe("run", () => {
  it("tests the built-in ledger where there is no configuration, and says so", async () => {
    const program = openProgram();
    const { code, out, err } = await program.call("run --seed 5 --runs 40 --workers 2");
    expect(code).toBe(0);
    expect(err).toBe(
      `no configuration in ${program.folder}: testing the built-in ledger\n` +
        "testing ledger: seed 5, 40 runs, 2 workers\n",
    );
    expect(out).toContain("executor ledger, profile ledger, seed 5");
    expect(out).toContain("ledger, seed 5: every promise that was checked holds (22).");
  });

  it("hands the settings to the campaign", async () => {
    const program = openProgram();
    await program.call(
      "run --executor ledger --time 90s --seed 0 --max-actions 12 --workers 3 --bail --promise fail-closed --promise commit-survives --allow-vacuous fail-closed",
    );
    expect(program.asked.campaigns[0]).toMatchObject({
      executor: { name: "ledger" },
      configFile: undefined,
      seed: 0,
      budget: { kind: "time", milliseconds: 90_000 },
      maxActions: 12,
      shard: { index: 1, count: 1 },
      workers: 3,
      bail: true,
      promises: ["fail-closed", "commit-survives"],
      allowVacuous: ["fail-closed"],
    });
  });

  describe("under CI", () => {
    it("does not guess what to test", async () => {
      const program = openProgram();
      const { code, err } = await program.call("run", { env: { CI: "true" } });
      expect(code).toBe(2);
      expect(err).toContain("under CI the executor to test must be named");
      expect(err).toContain("--executor ledger");
      expect(program.asked.campaigns).toEqual([]);
    });

    it("has a fixed seed unless a random one is asked for, and prints it", async () => {
      const program = openProgram();
      const env = { CI: "true" };
      const { out } = await program.call("run --executor ledger", { env });
      await program.call("run --executor ledger --seed random", { env });
      expect(out).toContain("seed 1");
      expect(program.asked.campaigns.map(({ seed }) => seed === 1)).toEqual([true, false]);
    });
  });

  it("prints its seed even when quiet", async () => {
    const { out, err } = await openProgram().call("run --quiet --seed 99");
    expect(err).toBe("");
    expect(out).toBe("ledger, seed 99: every promise that was checked holds (22).\n");
  });

  describe("with a configuration", () => {
    it("tests every executor that it names, with its settings", async () => {
      const program = openProgram();
      const file = program.write("commitpoint.config.mjs", config);
      const { code, out } = await program.call("run");
      expect(code).toBe(0);
      expect(
        program.asked.campaigns.map(({ executor, seed, budget, configFile }) => [
          executor.name,
          seed,
          budget,
          configFile,
        ]),
      ).toEqual([
        ["first", 4, { kind: "runs", runs: 12 }, file],
        ["second", 4, { kind: "runs", runs: 12 }, file],
      ]);
      expect(out).toContain("first, seed 4: every promise");
      expect(out).toContain("second, seed 4: every promise");
    });

    it("tests only those asked for, each once, built-in ones too", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      await program.call("run --executor second --executor ledger --executor second");
      expect(program.asked.campaigns.map(({ executor }) => executor.name)).toEqual(["second", "ledger"]);
      expect(program.asked.campaigns[1]?.configFile).toBeUndefined();
    });

    it("counts as bad if one of them is", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const engine: Partial<Engine> = {
        campaign: async (request) =>
          reportOf(
            request,
            request.executor.name === "first" ? found : { verdict: "broken", broken: [brokenRun] },
          ),
      };
      const { code } = await program.call("run --reporter json", { engine });
      expect(code).toBe(1);
    });

    it("tests the others where one cannot be tested, and that is no success", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const engine: Partial<Engine> = {
        campaign: async (request) => {
          if (request.executor.name === "first") throw new Error("no database here");
          return reportOf(request);
        },
      };
      const { code, out, err } = await program.call("run", { engine });
      expect(code).toBe(3);
      expect(err).toContain("error: first cannot be tested: no database here\n");
      expect(out).toContain("second, seed 4: every promise");
    });

    it("writes several reports as one bundle", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const { out } = await program.call("run --reporter json");
      expect(JSON.parse(out)).toMatchObject({
        format: "commitpoint-reports",
        reports: [{ executor: "first" }, { executor: "second" }],
      });
    });

    it("names the nearest executor there is", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const { code, err } = await program.call("run --executor secnd");
      expect(code).toBe(2);
      expect(err).toContain(
        'error: there is no executor "secnd"; did you mean "second"?\n  at   --executor secnd\n',
      );
    });
  });

  describe("exit code", () => {
    it.each([
      [0, {}],
      [1, found],
      [1, { verdict: "vacuous" }],
      [3, { verdict: "undecided" }],
      [3, { verdict: "broken" }],
      [3, { verdict: "nothing_executed" }],
      [3, { verdict: "nothing_checked" }],
    ] as const)("is %d for %j", async (code, difference) => {
      const told = await openProgram().call("run --quiet", { engine: finding(difference) });
      expect(told.code).toBe(code);
    });

    it("leaves vacuity in a shard to the merge", async () => {
      const vacuous = {
        verdict: "vacuous",
        promises: promises(1, { "fail-closed": { kind: "vacuous" } }),
      } as const;
      const { code, out } = await openProgram().call("run --shard 1/2", { engine: finding(vacuous) });
      expect(code).toBe(0);
      expect(out).toContain("vacuous in this shard: fail-closed");
    });

    it.each([
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ])("is that of %s, with the reports written", async (name, code) => {
      const interruption = new AbortController();
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const engine: Partial<Engine> = {
        campaign: async (request) => {
          program.asked.campaigns.push(request);
          interruption.abort(name);
          return reportOf(request, { interrupted: request.signal.aborted });
        },
      };
      const told = await program.call("run --reporter json:out.json", {
        engine,
        signal: interruption.signal,
      });
      expect(told.code).toBe(code);
      expect(told.out).toContain("Interrupted after 40 runs.");
      expect(JSON.parse(readFileSync(join(program.folder, "out.json"), "utf8"))).toMatchObject({
        interrupted: true,
        executor: "first",
      });
      expect(program.asked.campaigns).toHaveLength(1);
    });
  });

  describe("a broken promise", () => {
    it("is kept as a scenario, and the line that replays it is printed", async () => {
      const program = openProgram();
      const { code, out } = await program.call("run --seed 7", { engine: finding(found) });
      expect(code).toBe(1);
      expect(out).toContain("written to   commitpoint-out/no-stale-commit.ledger.yaml");
      expect(out).toContain(
        "replay with  npx commitpoint replay commitpoint-out/no-stale-commit.ledger.yaml\n",
      );
      const kept = readFileSync(join(program.folder, "commitpoint-out/no-stale-commit.ledger.yaml"), "utf8");
      expect(kept).toContain("violates: no-stale-commit");
      expect(kept).toMatch(/seed: 7, path: "37", version: .*, date: 2026-01-31/);
    });

    it("replays with the configuration that was given, quoted where a shell needs it", async () => {
      const program = openProgram();
      program.write("my.config.mjs", config);
      const { out } = await program.call("run --executor first --config my.config.mjs --output-dir a'b", {
        engine: finding(found),
      });
      expect(out).toContain(
        "npx commitpoint replay 'a'\\''b/no-stale-commit.first.yaml' --config my.config.mjs",
      );
    });

    it("is kept where the output folder is", async () => {
      const program = openProgram();
      await program.call("run --output-dir deep/er", { engine: finding(found) });
      expect(readdirSync(join(program.folder, "deep/er"))).toEqual(["no-stale-commit.ledger.yaml"]);
    });

    it("stops further executors only when told to bail", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", config);
      const engine: Partial<Engine> = {
        campaign: async (request) => {
          program.asked.campaigns.push(request);
          return reportOf(request, found);
        },
      };
      await program.call("run --quiet --bail", { engine });
      expect(program.asked.campaigns).toHaveLength(1);
      await program.call("run --quiet", { engine });
      expect(program.asked.campaigns).toHaveLength(3);
    });
  });

  it("keeps the first broken run", async () => {
    const program = openProgram();
    const engine = finding({ verdict: "broken", broken: [brokenRun] });
    const { code, out } = await program.call("run", { engine });
    expect(code).toBe(3);
    expect(out).toContain("written to commitpoint-out/broken.ledger.yaml");
    expect(existsSync(join(program.folder, "commitpoint-out/broken.ledger.yaml"))).toBe(true);
  });

  describe("what cannot work", () => {
    it.each([
      ["--runs 0", 'expected a whole number from 1 to 1000000000, got "0"', "--runs 0"],
      ["--runs -3", 'expected a whole number from 1 to 1000000000, got "-3"', "--runs -3"],
      ["--runs 1.5", 'expected a whole number from 1 to 1000000000, got "1.5"', "--runs 1.5"],
      ["--runs 1e3", 'expected a whole number from 1 to 1000000000, got "1e3"', "--runs 1e3"],
      ["--runs 5 --time 5s", "a campaign has one budget, runs or time", "--runs 5, --time 5s"],
      ["--time 60", "expected a time with its unit", "--time 60"],
      ["--seed x", 'expected a whole number from 0 to 2147483647, got "x"', "--seed x"],
      ["--workers 0", 'expected a whole number from 1 to 64, got "0"', "--workers 0"],
      ["--max-actions 0", 'expected a whole number from 1 to 10000, got "0"', "--max-actions 0"],
      ["--shard 3/2", 'expected i/n with i from 1 to n, such as 1/4, got "3/2"', "--shard 3/2"],
      [
        "--promise fail-close",
        'there is no promise "fail-close"; did you mean "fail-closed"?',
        "--promise fail-close",
      ],
      ["--allow-vacuous x", 'there is no promise "x"', "--allow-vacuous x"],
      ["--reporter html", 'there is no reporter "html"', "--reporter html"],
      ["--reporter json:", 'expected a file after "json:"', "--reporter json:"],
      ["--reporter json --reporter junit", "two reporters would write to stdout", "--reporter junit"],
      ["--config gone.ts", "there is no configuration file gone.ts", "--config gone.ts"],
      ["--output-dir file", "expected a folder, found the file", "the output folder"],
      ["--output-dir file/deeper", "expected a folder, found the file", "the output folder"],
      ["--reporter json:folder", "expected a file to write, found the folder", "--reporter json:folder"],
      ["--reporter json:file/x.json", "expected a folder, found the file", "--reporter json:file/x.json"],
    ])("is refused before anything runs: %s", async (flags, message, place) => {
      const program = openProgram();
      program.write("file", "");
      mkdirSync(join(program.folder, "folder"));
      const { code, out, err } = await program.call(`run ${flags}`);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(`error: ${message}`);
      expect(err).toContain(`  at   ${place}\n`);
      expect(program.asked.campaigns).toEqual([]);
      expect(readdirSync(program.folder)).toEqual(["file", "folder"]);
    });

    it("is told by the variable that says it", async () => {
      const { code, err } = await openProgram().call("run", { env: { COMMITPOINT_RUNS: "many" } });
      expect(code).toBe(2);
      expect(err).toContain("  at   COMMITPOINT_RUNS=many\n");
    });
  });

  describe("reporters", () => {
    it("leave stdout to JSON alone", async () => {
      const { out, err } = await openProgram().call("run --reporter json --seed 3", { tty: true });
      expect(JSON.parse(out)).toMatchObject({ format: "commitpoint-report", seed: 3 });
      expect(err).toContain("testing ledger: seed 3");
    });

    it("write files, and people still get the terminal report", async () => {
      const program = openProgram();
      const { out } = await program.call("run --reporter json:deep/out.json --reporter junit:out.xml");
      expect(out).toContain("every promise that was checked holds");
      expect(readFileSync(join(program.folder, "deep/out.json"), "utf8")).toContain('"verdict": "holds"');
      expect(readFileSync(join(program.folder, "out.xml"), "utf8")).toContain("<testsuites");
      expect(readdirSync(program.folder).toSorted()).toEqual(["deep", "out.xml"]);
    });

    it("write the terminal report into a file without colours", async () => {
      const program = openProgram();
      const { out } = await program.call("run --reporter terminal:out.txt", { tty: true });
      expect(out).toBe("");
      expect(readFileSync(join(program.folder, "out.txt"), "utf8")).not.toContain("\u001b");
    });

    it("are taken from the environment too", async () => {
      const { out } = await openProgram().call("run", { env: { COMMITPOINT_REPORTER: "junit" } });
      expect(out).toContain("<testsuites");
    });

    it("tell what could not be written, and that is no success", async () => {
      const program = openProgram();
      const engine: Partial<Engine> = {
        campaign: async (request) => {
          // Somebody makes a folder of that name while the campaign runs.
          mkdirSync(join(program.folder, "out.json/x"), { recursive: true });
          return reportOf(request);
        },
      };
      const { code, out, err } = await program.call("run --reporter json:out.json --reporter junit:out.xml", {
        engine,
      });
      expect(code).toBe(3);
      expect(err).toContain("error: not written: --reporter json:out.json: ");
      expect(out).toContain("every promise that was checked holds");
      expect(existsSync(join(program.folder, "out.xml"))).toBe(true);
    });
  });

  describe("the live line", () => {
    const progress = {
      runs: 20,
      planned: 40,
      actions: 500,
      actionsPerSecond: 1890,
      reached: 3,
      reachable: 9,
    };
    const engine: Partial<Engine> = {
      campaign: async (request) => {
        request.progress(progress);
        return reportOf(request);
      },
    };

    it("is on stderr while somebody watches, and wiped at the end", async () => {
      const { out, err } = await openProgram().call("run --runs 40", { engine, tty: true });
      expect(err).toContain("\r\u001b[2K");
      expect(err).toContain("20 of 40 runs   1,890 actions/s   coverage 3/9");
      expect(err.endsWith("\r\u001b[2K")).toBe(true);
      expect(out).not.toContain("\r");
    });

    it.each([
      ["no terminal", "run", { env: {}, tty: false }],
      ["CI", "run --executor ledger", { env: { CI: "1" }, tty: true }],
      ["--quiet", "run --quiet", { env: {}, tty: true }],
      ["a dumb terminal", "run", { env: { TERM: "dumb" }, tty: true }],
    ])("is not there for %s", async (_, line, call) => {
      const { err } = await openProgram().call(line, { engine, ...call });
      expect(err).not.toContain("\r");
    });
  });
});
