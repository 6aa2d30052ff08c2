import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/cli/engine.js";
import type { Replayed } from "../../src/scenario/replay.js";
import { replayed } from "../report/replays.js";
import { openProgram, scenarioText } from "./program.js";

function replaying(...results: readonly Replayed[]): Partial<Engine> {
  const left = [...results];
  return {
    replayer: async () => ({
      replay: async () => left.shift() ?? replayed("as_expected"),
      close: async () => {},
    }),
  };
}

const limited = `
  const contract = { name: "refund", effect: "write", interpret: () => ({}), accepts: () => true, canaries: () => [], requests: {} };
  const profile = { name: "refunds", layers: [], checkpoints: ["before_business"], crashPoints: [], faults: ["throw_at"], abilities: ["policy"] };
  export default { executors: { refunds: { contract, profile, open: async () => ({}) } } };
`;

describe("replay", () => {
  it("replays the scenarios folder, each file on the executor it names", async () => {
    const program = openProgram();
    program.write("scenarios/b.yaml", scenarioText({ name: "second" }));
    program.write("scenarios/deep/a.yaml", scenarioText({ name: "first", executor: "reuses-a-revision" }));
    const { code, out } = await program.call("replay");
    expect(code).toBe(0);
    expect(out).toContain("✓ scenarios/b.yaml       second");
    expect(out).toContain("✓ scenarios/deep/a.yaml  first  (reuses-a-revision)");
    expect(out).toContain("2 scenarios: 2 as expected.");
    expect(program.asked.replays.map(({ executor, wish }) => [executor, wish])).toEqual([
      ["ledger", { until: undefined, wanted: "as_written" }],
      ["reuses-a-revision", { until: undefined, wanted: "as_written" }],
    ]);
    expect(program.asked.closed.toSorted()).toEqual(["ledger", "reuses-a-revision"]);
  });

  it("takes files, folders and ids", async () => {
    const program = openProgram();
    program.write("scenarios/deep/one.yaml", scenarioText());
    program.write("commitpoint-out/fail-closed.ledger.yaml", scenarioText());
    program.write("elsewhere/two.yml", scenarioText());
    await program.call("replay one fail-closed.ledger elsewhere elsewhere/two.yml");
    expect(program.asked.replays).toHaveLength(3);
  });

  it("wants all promises to hold on an executor that is named", async () => {
    const program = openProgram();
    program.write(
      "scenarios/a.yaml",
      scenarioText({ executor: "gone-by-now", expect: { violates: "fail-closed" } }),
    );
    const { code } = await program.call("replay --executor ledger");
    expect(code).toBe(0);
    expect(program.asked.replays[0]).toMatchObject({ executor: "ledger", wish: { wanted: "holds" } });
    await program.call("replay", { env: { COMMITPOINT_EXECUTOR: "ledger" } });
    expect(program.asked.replays[1]).toMatchObject({ executor: "ledger", wish: { wanted: "holds" } });
  });

  it.each([
    [1, "not_as_expected"],
    [3, "undecided"],
    [3, "broken"],
  ] as const)("exits with %d if one is %s", async (code, kind) => {
    const program = openProgram();
    program.write("scenarios/a.yaml", scenarioText());
    program.write("scenarios/b.yaml", scenarioText());
    const told = await program.call("replay", { engine: replaying(replayed("as_expected"), replayed(kind)) });
    expect(told.code).toBe(code);
  });

  it("reports as JSON and JUnit", async () => {
    const program = openProgram();
    program.write("scenarios/a.yaml", scenarioText());
    const json = await program.call("replay --reporter json");
    expect(JSON.parse(json.out)).toMatchObject({
      format: "commitpoint-replay",
      verdict: "as_expected",
      scenarios: [{ file: "scenarios/a.yaml", result: "as_expected" }],
    });
    const junit = await program.call("replay --reporter junit");
    expect(junit.out).toContain('<testcase name="scenarios/a.yaml: stale commit" classname="scenarios"/>');
  });

  it("reports what was replayed before an interruption", async () => {
    const program = openProgram();
    program.write("scenarios/a.yaml", scenarioText());
    program.write("scenarios/b.yaml", scenarioText());
    const interruption = new AbortController();
    const engine: Partial<Engine> = {
      replayer: async () => ({
        replay: async () => {
          interruption.abort("SIGINT");
          return replayed("as_expected");
        },
        close: async () => {},
      }),
    };
    const { code, out } = await program.call("replay", { engine, signal: interruption.signal });
    expect(code).toBe(130);
    expect(out).toContain("1 scenario: 1 as expected.");
  });

  it("is broken where an executor cannot be opened, and replays the others", async () => {
    const program = openProgram();
    program.write("scenarios/a.yaml", scenarioText({ executor: "reuses-a-revision" }));
    program.write("scenarios/b.yaml", scenarioText());
    const engine: Partial<Engine> = {
      replayer: async (executor) => {
        if (executor.name !== "ledger") throw new Error("no database here");
        return { replay: async () => replayed("as_expected"), close: async () => {} };
      },
    };
    const { code, out } = await program.call("replay", { engine });
    expect(code).toBe(3);
    expect(out).toContain("  reuses-a-revision cannot be opened: no database here");
    expect(out).toContain("2 scenarios: 1 broken, 1 as expected.");
  });

  it("closes an executor that throws", async () => {
    const program = openProgram();
    program.write("scenarios/a.yaml", scenarioText());
    const closed: string[] = [];
    const engine: Partial<Engine> = {
      replayer: async (executor) => ({
        replay: () => Promise.reject(new Error("stuck")),
        close: async () => {
          closed.push(executor.name);
        },
      }),
    };
    const { code } = await program.call("replay", { engine });
    expect([code, closed]).toEqual([3, ["ledger"]]);
  });

  describe("--until", () => {
    it("shows machine and store side by side after a step", async () => {
      const program = openProgram();
      program.write("a.yaml", scenarioText());
      const standing = { machine: ["policy revision 2"], store: ["policy revision 1"] };
      const { code, out } = await program.call("replay a.yaml --until 3", {
        engine: replaying(replayed("undecided", { standing })),
      });
      expect(code).toBe(0);
      expect(out).toContain("  after step 3 of 5\n");
      expect(out).toMatch(/ {2}policy revision 2 +│ policy revision 1\n/);
    });

    it.each([
      ["a.yaml --until 6", 'expected a whole number from 1 to 5, got "6"'],
      ["a.yaml --until 0", 'expected a whole number from 1 to 5, got "0"'],
      ["a.yaml b.yaml --until 1", "--until stops in one scenario, and 2 are given"],
    ])("refuses %s", async (line, message) => {
      const program = openProgram();
      program.write("a.yaml", scenarioText());
      program.write("b.yaml", scenarioText());
      const { code, err } = await program.call(`replay ${line}`);
      expect(code).toBe(2);
      expect(err).toContain(`error: ${message}`);
      expect(program.asked.replays).toEqual([]);
    });
  });

  describe("what cannot work", () => {
    it("lists every mistake of every file with its place, and runs nothing", async () => {
      const program = openProgram();
      program.write("scenarios/a.yaml", scenarioText().replace("profile:", "profil:"));
      program.write("scenarios/b.yaml", "commitpoint: 1\nname: [");
      program.write("scenarios/c.yaml", scenarioText());
      const { code, out, err } = await program.call("replay");
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(/scenarios\/a\.yaml:\d+:\d+: .*profil/);
      expect(err).toMatch(/scenarios\/b\.yaml:\d+:\d+: /);
      expect(err).not.toContain(program.folder);
      expect(program.asked.replays).toEqual([]);
    });

    it("names the nearest executor for one that does not exist", async () => {
      const program = openProgram();
      program.write("scenarios/a.yaml", scenarioText({ executor: "reuses-a-revison" }));
      const { code, err } = await program.call("replay");
      expect(code).toBe(2);
      expect(err).toContain("reuses-a-revision");
    });

    it("names the nearest id, and refuses one that several files have", async () => {
      const program = openProgram();
      program.write("scenarios/late-cancel.yaml", scenarioText());
      program.write("scenarios/other/late-cancel.yml", scenarioText());
      const near = await program.call("replay late-cancle");
      expect(near.code).toBe(2);
      expect(near.err).toContain('no scenario file, folder or id "late-cancle"; did you mean "late-cancel"?');
      const twice = await program.call("replay late-cancel");
      expect(twice.code).toBe(2);
      expect(twice.err).toContain("scenarios/late-cancel.yaml, scenarios/other/late-cancel.yml");
    });

    it("refuses an empty folder", async () => {
      const program = openProgram();
      mkdirSync(join(program.folder, "scenarios"));
      const { code } = await program.call("replay");
      expect(code).toBe(2);
    });

    it("refuses steps that need what the executor does not claim, by file and line", async () => {
      const program = openProgram();
      program.write("commitpoint.config.mjs", limited);
      program.write(
        "scenarios/a.yaml",
        scenarioText({
          executor: "refunds",
          actions: [
            {
              kind: "submit",
              attempt: "a1",
              request: "{}",
              context: { tenant: "t1", runId: "r1", callId: "c-a1", principal: "p1" },
              faults: [{ kind: "throw_at", at: "before_business" }, { kind: "bad_output" }],
            },
            { kind: "change_policy", to: { kind: "remove" } },
            { kind: "cancel", attempt: "a1" },
            { kind: "arm", fault: { kind: "busy", stage: "execute" } },
            { kind: "crash", where: { kind: "at", attempt: "a1", at: "after_commit" } },
            { kind: "restart" },
            { kind: "retry", attempt: "a2", of: "a1", faults: [{ kind: "throw_at", at: "output_check" }] },
          ],
        }),
      );
      const { code, err } = await program.call("replay");
      expect(code).toBe(2);
      const lines = err.split("\n").filter((line) => line.includes("needs"));
      expect(lines.map((line) => line.replace(/^.*scenarios\/a\.yaml:\d+: /, ""))).toEqual([
        "step 1 needs the fault bad_output, which refunds does not claim",
        "step 3 needs the ability cancel, which refunds does not claim",
        "step 4 needs the fault busy at execute, which refunds does not claim",
        "step 5 needs the ability crash, which refunds does not claim",
        "step 5 needs the crash point after_commit, which refunds does not claim",
        "step 6 needs the ability crash, which refunds does not claim",
        "step 7 needs the fault throw_at output_check, which refunds does not claim",
      ]);
      expect(program.asked.replays).toEqual([]);
    });
  });
});
