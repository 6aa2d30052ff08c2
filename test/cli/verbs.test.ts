import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/cli/engine.js";
import type { CampaignReport } from "../../src/properties/verdict.js";
import { reportJson } from "../../src/report/json.js";
import { replayed } from "../report/replays.js";
import { counterexample, holding, promises, violated } from "../report/reports.js";
import { caught, missed, selftest } from "../report/selftests.js";
import { openProgram, reportOf, scenarioText } from "./program.js";

describe("minimise", () => {
  const shrunk: Partial<Engine> = {
    shrink: async () => ({ kind: "shrunk", promise: "no-stale-commit", minimal: counterexample.minimal }),
  };

  it("writes the shrunk scenario beside the long one", async () => {
    const program = openProgram();
    program.write("long.yaml", scenarioText());
    const { code, out } = await program.call("minimise long.yaml", { engine: shrunk });
    expect(code).toBe(0);
    expect(out).toContain("✗ no-stale-commit is broken here");
    expect(out).toContain("written to   long.min.yaml");
    expect(out).toContain("replay with  npx commitpoint replay long.min.yaml");
    const text = readFileSync(join(program.folder, "long.min.yaml"), "utf8");
    expect(text).toContain("violates: no-stale-commit");
    expect(text).toContain("stale commit (minimised)");
  });

  it("writes where it is told to, on the executor it is told of", async () => {
    const program = openProgram();
    program.write("scenarios/long.yaml", scenarioText());
    const { code } = await program.call("minimise long --out deep/short.yaml --executor reuses-a-revision", {
      engine: shrunk,
    });
    expect(code).toBe(0);
    expect(readFileSync(join(program.folder, "deep/short.yaml"), "utf8")).toContain(
      "executor: reuses-a-revision",
    );
  });

  it("overwrites only when it is told to", async () => {
    const program = openProgram();
    program.write("long.yaml", scenarioText());
    program.write("long.min.yaml", "mine");
    const refused = await program.call("minimise long.yaml", { engine: shrunk });
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("error: long.min.yaml exists already");
    expect(readFileSync(join(program.folder, "long.min.yaml"), "utf8")).toBe("mine");
    expect((await program.call("minimise long.yaml --force", { engine: shrunk })).code).toBe(0);
    expect(readFileSync(join(program.folder, "long.min.yaml"), "utf8")).toContain("violates");
  });

  it.each([
    [2, { kind: "holds" }, "breaks no promise on ledger"],
    [
      3,
      { kind: "broken", reason: "advance: no answer" },
      "ledger broke while it was tried: advance: no answer",
    ],
    [
      3,
      {
        kind: "shrunk",
        promise: "no-stale-commit",
        minimal: { ...counterexample.minimal, kind: "not_reproduced" },
      },
      "a second try did not break no-stale-commit again; nothing was written",
    ],
  ] as const)("exits with %d and writes nothing for %j", async (code, result, message) => {
    const program = openProgram();
    program.write("long.yaml", scenarioText());
    const told = await program.call("minimise long.yaml", { engine: { shrink: async () => result } });
    expect(told.code).toBe(code);
    expect(told.err).toContain(message);
    expect(existsSync(join(program.folder, "long.min.yaml"))).toBe(false);
  });

  it("writes what may still shrink, and says so", async () => {
    const program = openProgram();
    program.write("long.yaml", scenarioText());
    const minimal = { ...counterexample.minimal, kind: "out_of_budget" } as const;
    const { code, err } = await program.call("minimise long.yaml", {
      engine: { shrink: async () => ({ kind: "shrunk", promise: "no-stale-commit", minimal }) },
    });
    expect(code).toBe(3);
    expect(err).toContain("warning: the budget ran out; these steps may still shrink");
    expect(existsSync(join(program.folder, "long.min.yaml"))).toBe(true);
  });

  it("takes one scenario, not a folder", async () => {
    const program = openProgram();
    program.write("many/a.yaml", scenarioText());
    program.write("many/b.yaml", scenarioText());
    const { code, err } = await program.call("minimise many", { engine: shrunk });
    expect(code).toBe(2);
    expect(err).toContain("minimise takes one scenario");
  });
});

describe("show", () => {
  it("shows the timeline of a scenario, replayed on its executor", async () => {
    const program = openProgram();
    program.write("a.yaml", scenarioText());
    const { code, out } = await program.call("show a.yaml");
    expect(code).toBe(0);
    expect(out).toContain("✓ stale commit — as expected");
    expect(out).toContain("●━━━━━  COMMIT POINT  effect JOB-001");
  });

  it("shows the counterexamples of a JSON report, and writes nothing", async () => {
    const program = openProgram();
    program.write("out.json", reportJson(violated));
    const { code, out } = await program.call("show out.json");
    expect(code).toBe(0);
    expect(out).toContain("✗ no-stale-commit is broken here");
    expect(out).toContain("found with   seed 7, path 37");
    expect(out).not.toContain("written to");
    expect(existsSync(join(program.folder, "commitpoint-out"))).toBe(false);
  });

  it("shows a report only up to a step", async () => {
    const program = openProgram();
    program.write("out.json", reportJson(violated));
    const { out } = await program.call("show out.json --until 2");
    expect(out).toContain("submit a2");
    expect(out).not.toContain("change policy");
    expect((await program.call("show out.json --until 9")).code).toBe(2);
  });

  it("shows a scenario up to a step, machine beside store", async () => {
    const program = openProgram();
    program.write("a.yaml", scenarioText());
    const { out } = await program.call("show a.yaml --until 2");
    expect(out).toContain("after step 2 of 5");
    expect(program.asked.replays[0]?.wish.until).toBe(2);
  });

  it("shows the newest counterexample when it is given nothing", async () => {
    const program = openProgram();
    const old = program.write("commitpoint-out/old.yaml", scenarioText({ name: "the older" }));
    program.write("commitpoint-out/new.yaml", scenarioText({ name: "the newer" }));
    utimesSync(old, 1000, 1000);
    expect((await program.call("show")).out).toContain("the newer");
  });

  it("says that there is nothing to show", async () => {
    const { code, err } = await openProgram().call("show");
    expect(code).toBe(2);
    expect(err).toContain("there is nothing to show in commitpoint-out");
  });

  it.each([
    ["gone.json", "cannot read: ENOENT"],
    ["text.json", "not a report of commitpoint run: not JSON"],
    ["other.json", 'not a report of commitpoint run: expected format "commitpoint-report", got none'],
  ])("refuses %s", async (name, message) => {
    const program = openProgram();
    program.write("text.json", "text");
    program.write("other.json", "{}");
    const { code, err } = await program.call(`show ${name}`);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(`  at   ${name}`);
  });

  it("is undecided where the executor broke", async () => {
    const program = openProgram();
    program.write("a.yaml", scenarioText());
    const replayer = async () => ({
      replay: async () => replayed("broken", { reason: "no answer" }),
      close: async () => {},
    });
    expect((await program.call("show a.yaml", { engine: { replayer } })).code).toBe(3);
  });
});

describe("merge-reports", () => {
  const vacuous = promises(5, { "fail-closed": { kind: "vacuous" } });
  const shard = (index: number, difference: Partial<CampaignReport> = {}): string =>
    reportJson({ ...holding, shard: { index, count: 2 }, ...difference });

  it("judges the whole: what one shard lacks another may have", async () => {
    const program = openProgram();
    program.write("1.json", shard(1, { verdict: "vacuous", promises: vacuous }));
    program.write("2.json", shard(2));
    const { code, out } = await program.call("merge-reports 1.json 2.json");
    expect(code).toBe(0);
    expect(out).toContain("80 runs, 2,000 actions");
    expect(out).toContain("ledger, seed 7: every promise that was checked holds (22).");
  });

  it("calls vacuous what no shard has", async () => {
    const program = openProgram();
    program.write("1.json", shard(1, { verdict: "vacuous", promises: vacuous }));
    program.write("2.json", shard(2, { verdict: "vacuous", promises: vacuous }));
    const { code, out } = await program.call("merge-reports 1.json 2.json");
    expect(code).toBe(1);
    expect(out).toContain("vacuous, their situation never occurred: fail-closed.");
  });

  it("keeps the counterexamples of shards that ran elsewhere", async () => {
    const program = openProgram();
    program.write("1.json", shard(1));
    program.write(
      "2.json",
      shard(2, { verdict: "violated", promises: violated.promises, counterexamples: [counterexample] }),
    );
    const { code, out } = await program.call(
      "merge-reports 1.json 2.json --output-dir kept --reporter json:whole.json",
    );
    expect(code).toBe(1);
    expect(out).toContain("npx commitpoint replay kept/no-stale-commit.ledger.yaml");
    expect(existsSync(join(program.folder, "kept/no-stale-commit.ledger.yaml"))).toBe(true);
    expect(JSON.parse(readFileSync(join(program.folder, "whole.json"), "utf8"))).toMatchObject({
      shard: { index: 1, count: 1 },
    });
  });

  it("does not call an interrupted campaign a success", async () => {
    const program = openProgram();
    program.write("1.json", shard(1, { interrupted: true }));
    program.write("2.json", shard(2));
    expect((await program.call("merge-reports 1.json 2.json")).code).toBe(3);
  });

  it("merges bundles executor by executor", async () => {
    const program = openProgram();
    const bundle = (index: number) =>
      reportJson({
        format: "commitpoint-reports",
        formatVersion: 1,
        reports: ["first", "second"].map((executor) => ({
          ...holding,
          executor,
          shard: { index, count: 2 },
        })),
      });
    program.write("1.json", bundle(1));
    program.write("2.json", bundle(2));
    const { code, out } = await program.call("merge-reports 2.json 1.json --reporter json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      reports: [{ executor: "first", runs: { executed: 80 } }, { executor: "second" }],
    });
  });

  it.each([
    ["1.json", "shard 2/2 is missing"],
    ["1.json 1.json", "shard 1/2 is given twice"],
    ["1.json seed8.json", "the seed is 7 in shard 1/2 and 8 in shard 2/2"],
    ["1.json gone.json", "cannot read: ENOENT"],
  ])("refuses %s", async (files, message) => {
    const program = openProgram();
    program.write("1.json", shard(1));
    program.write("seed8.json", shard(2, { seed: 8 }));
    const { code, out, err } = await program.call(`merge-reports ${files}`);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });
});

describe("selftest", () => {
  it("tests every bug with twenty seeds unless told otherwise", async () => {
    const program = openProgram();
    const { code, out, err } = await program.call("selftest");
    expect(code).toBe(0);
    expect(err).toBe("testing 2 faulty executors with 20 seeds each\n");
    expect(out).toContain("1 faulty executor: all caught, with every seed.");
    expect(program.asked.selftests[0]).toMatchObject({ seeds: 20, only: undefined });
    await program.call("selftest --seeds 3 --only reuses-a-revision --workers 2");
    expect(program.asked.selftests[1]).toMatchObject({ seeds: 3, only: ["reuses-a-revision"], workers: 2 });
  });

  it.each([
    [1, selftest([caught, missed])],
    [3, selftest([])],
    [1, { ...selftest([caught]), verdict: "interrupted" }],
  ] as const)("exits with %d for %j", async (code, report) => {
    const told = await openProgram().call("selftest", { engine: { selftest: async () => report } });
    expect(told.code).toBe(code);
  });

  it("exits as interrupted when it was", async () => {
    const interruption = new AbortController();
    const engine: Partial<Engine> = {
      selftest: async () => {
        interruption.abort("SIGINT");
        return { ...selftest([caught]), verdict: "interrupted" };
      },
    };
    const { code, out } = await openProgram().call("selftest", { engine, signal: interruption.signal });
    expect(code).toBe(130);
    expect(out).toContain("Interrupted: only 1 faulty executor tested");
  });

  it("writes its table as JSON and JUnit", async () => {
    const program = openProgram();
    const { out } = await program.call("selftest --reporter json:out.json --reporter junit:out.xml");
    expect(out).toContain("reuses-a-revision");
    expect(JSON.parse(readFileSync(join(program.folder, "out.json"), "utf8"))).toMatchObject({
      format: "commitpoint-selftest",
      rows: [{ bug: "reuses-a-revision" }],
    });
    expect(readFileSync(join(program.folder, "out.xml"), "utf8")).toContain('name="selftest"');
  });

  it.each([
    ["--seeds 0", 'expected a whole number from 1 to 10000, got "0"'],
    [
      "--only reuse-a-revision",
      'there is no faulty executor "reuse-a-revision"; did you mean "reuses-a-revision"?',
    ],
    ["--workers x", 'expected a whole number from 1 to 64, got "x"'],
  ])("refuses %s", async (flags, message) => {
    const program = openProgram();
    const { code, err } = await program.call(`selftest ${flags}`);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(program.asked.selftests).toEqual([]);
  });
});

describe("demo", () => {
  const going = (sound: Partial<CampaignReport>, faulty: Partial<CampaignReport>): Partial<Engine> => ({
    campaign: async (request) => reportOf(request, request.executor.name === "ledger" ? sound : faulty),
  });
  const found = {
    verdict: "violated",
    promises: violated.promises,
    counterexamples: [counterexample],
  } as const;

  it("succeeds when the sound executor holds and the faulty one is caught", async () => {
    const program = openProgram();
    const { code, out } = await program.call("demo", { engine: going({}, found) });
    expect(code).toBe(0);
    expect(out).toContain("ledger, seed 1: every promise that was checked holds (22).");
    expect(out).toContain("✗ no-stale-commit is broken here");
    const file = /npx commitpoint replay (\S+)/.exec(out)?.[1] ?? "none";
    expect(existsSync(join(program.folder, file))).toBe(true);
    expect(out).toContain("As it should be");
  });

  it.each([
    [{}, {}],
    [{ verdict: "vacuous" }, found],
    [found, found],
    [{}, { verdict: "broken" }],
  ] as const)("fails when one went otherwise: %#", async (sound, faulty) => {
    const { code, out } = await openProgram().call("demo", { engine: going(sound, faulty) });
    expect(code).toBe(1);
    expect(out).toContain("Not as it should be");
  });
});
