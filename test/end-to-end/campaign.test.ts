import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyFolder, root, run, scratchFolders, start } from "./program.js";

let place: ReturnType<typeof emptyFolder>;
beforeEach(() => {
  place = emptyFolder();
});
afterEach(() => place.remove());

const report = (file: string): { readonly [key: string]: unknown } =>
  JSON.parse(readFileSync(join(place.folder, file), "utf8"));
const withoutTimes = (file: string): unknown => ({ ...report(file), times: undefined });

describe("commitpoint run", () => {
  it("gives the same report twice and with one or two workers, on an executor that breaks promises", async () => {
    const args = [
      "run",
      "--executor",
      "deletes-the-draft-when-the-output-is-rejected",
      "--runs",
      "600",
      "--seed",
      "3",
    ];
    for (const [file, workers] of [
      ["one.json", 1],
      ["two.json", 2],
      ["again.json", 2],
    ] as const) {
      const { code } = await run(
        [...args, "--workers", String(workers), "--reporter", `json:${file}`],
        place.folder,
      );
      expect(code).toBe(1);
    }
    expect(withoutTimes("two.json")).toEqual(withoutTimes("one.json"));
    expect(withoutTimes("again.json")).toEqual(withoutTimes("two.json"));
  });

  it("in shards executes exactly the runs of the undivided campaign", async () => {
    const args = ["run", "--executor", "ledger", "--runs", "120", "--seed", "5", "--max-actions", "12"];
    await run([...args, "--reporter", "json:whole.json"], place.folder);
    const shards = [1, 2, 3, 4].map((index) => `shard-${index}.json`);
    for (const [index, file] of shards.entries()) {
      await run([...args, "--shard", `${index + 1}/4`, "--reporter", `json:${file}`], place.folder);
    }
    const merged = await run(["merge-reports", ...shards, "--reporter", "json:merged.json"], place.folder);
    expect(merged.code === 0 || merged.code === 1).toBe(true);
    const facts = ({
      runs,
      actions,
      coverage,
      promises,
      verdict,
    }: {
      readonly [key: string]: unknown;
    }): unknown => ({
      runs,
      actions,
      coverage,
      promises,
      verdict,
    });
    expect(facts(report("merged.json"))).toEqual(facts(report("whole.json")));
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("on %s reports what ran, exits %i and leaves no scratch folder", async (signal, code) => {
    const before = scratchFolders();
    const process = start(
      [
        "run",
        "--executor",
        "ledger",
        "--runs",
        "1000000",
        "--seed",
        "1",
        "--reporter",
        "terminal",
        "--reporter",
        "json:part.json",
      ],
      place.folder,
    );
    await process.said("testing ledger");
    await new Promise((resolve) => setTimeout(resolve, 3000));
    process.signal(signal);
    const ended = await process.ended;
    expect(ended.code).toBe(code);
    const part = report("part.json");
    expect(part).toMatchObject({ interrupted: true, verdict: expect.any(String) });
    expect(part.runs).toMatchObject({ planned: 1_000_000 });
    expect(ended.stdout).toMatch(/Interrupted after [0-9,]+ runs/);
    expect(scratchFolders().filter((name) => !before.includes(name))).toEqual([]);
  });

  it("ends an executor that blocks its thread as broken, with the run and its steps", async () => {
    writeFileSync(
      join(place.folder, "commitpoint.config.mjs"),
      `import { contractFromSchema, defineConfig, defineExecutor } from ${JSON.stringify(join(root, "dist/index.js"))};
       const tool = contractFromSchema({ name: "spin", effect: "write", key: ({ k }) => String(k), accepts: () => true,
         schema: { type: "object", required: ["k"], additionalProperties: false, properties: { k: { type: "string" } } },
         examples: [{ k: "one" }] });
       let calls = 0;
       export default defineConfig({ executors: { spin: defineExecutor({ tool,
         open: () => ({}), close: () => {}, openObserver: () => ({}), observe: () => ({ effects: [] }),
         call: async () => { if (++calls > 5) for (;;); throw new Error("no"); } }) } });`,
    );
    const { code, stdout } = await run(
      ["run", "--executor", "spin", "--runs", "50", "--seed", "1", "--workers", "1"],
      place.folder,
    );
    expect(code).toBe(3);
    expect(stdout).toContain("blocked the thread");
  });
});
