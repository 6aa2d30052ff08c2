import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resolveExecutor } from "../../src/config/executors.js";
import { loadConfig, loadConfigFile } from "../../src/config/load-config.js";
import { UsageError } from "../../src/config/usage-error.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cp-config-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function mistakeIn(name: string, text: string): Promise<UsageError> {
  const error = await loadConfigFile(write(name, text)).catch((reason: unknown) => reason);
  if (error instanceof UsageError) return error;
  throw new Error(`expected a usage error, got ${JSON.stringify(error)}`);
}

const executor = `{
  contract: { name: "refund", effect: "write", interpret: () => ({}), accepts: () => true, canaries: () => [], requests: {} },
  open: async () => ({}),
  profile: { name: "refunds", layers: ["validate"], checkpoints: [], crashPoints: [], faults: [], abilities: ["policy"] },
}`;

describe("loadConfig", () => {
  it.each(["ts", "mts", "js", "mjs"])("finds commitpoint.config.%s", async (extension) => {
    write("package.json", '{ "type": "module" }');
    const file = write(`commitpoint.config.${extension}`, "export default { runs: 5 };");
    expect(await loadConfig(folder, undefined)).toEqual({ kind: "loaded", file, config: { runs: 5 } });
  });

  it("says so where there is none", async () => {
    expect(await loadConfig(folder, undefined)).toEqual({ kind: "none" });
  });

  it("does not choose between two", async () => {
    write("commitpoint.config.ts", "export default {};");
    write("commitpoint.config.mjs", "export default {};");
    await expect(loadConfig(folder, undefined)).rejects.toThrow(
      "two configuration files: commitpoint.config.ts and commitpoint.config.mjs",
    );
  });

  it("loads the named file from where the program runs", async () => {
    mkdirSync(join(folder, "deep"));
    write("deep/mine.mjs", "export default { seed: 4 };");
    const loaded = await loadConfig(folder, { text: "deep/mine.mjs", place: "--config deep/mine.mjs" });
    expect(loaded).toMatchObject({ kind: "loaded", config: { seed: 4 } });
  });

  it("refuses a named file that is not there", async () => {
    const missing = loadConfig(folder, { text: "gone.ts", place: "--config gone.ts" });
    await expect(missing).rejects.toMatchObject({
      message: "there is no configuration file gone.ts",
      place: "--config gone.ts",
    });
  });
});

describe("loadConfigFile", () => {
  it("takes TypeScript with types and imports", async () => {
    write("part.ts", "export const runs: number = 7;");
    const file = write(
      "typed.ts",
      'import { runs } from "./part.ts";\nexport default { runs } satisfies { runs: number };',
    );
    expect(await loadConfigFile(file)).toEqual({ runs: 7 });
  });

  it("gives executors their names", async () => {
    const file = write("one.mjs", `export default { executors: { refunds: ${executor} } };`);
    const config = await loadConfigFile(file);
    const found = resolveExecutor("refunds", config);
    expect(found).toMatchObject({
      kind: "found",
      executor: { name: "refunds", profile: { name: "refunds" } },
    });
    expect(resolveExecutor("refund", config)).toEqual({ kind: "unknown", nearest: "refunds" });
  });

  it("reports every mistake with its place and the nearest right word", async () => {
    const { message, place } = await mistakeIn(
      "wrong.mjs",
      `export default {
        runz: 3, workers: 0, maxActions: 2.5, outputDir: 3, seed: "rnd",
        promises: ["one-effect-per-kei"],
        executors: { mine: { ...${executor}, open: 5, profile: { name: "x", layres: [] } } },
      };`,
    );
    expect(place).toBe(join(folder, "wrong.mjs"));
    expect(message.split("\n")).toEqual(
      expect.arrayContaining([
        'unknown key "runz"; did you mean "runs"?',
        "workers: expected at least 1, got 0",
        "maxActions: expected a whole number, got 2.5",
        "outputDir: expected a text, got 3",
        'seed: expected a whole number from 0 to 2147483647, or "random", got "rnd"',
        'promises.0: there is no "one-effect-per-kei"; did you mean "one-effect-per-key"?',
        "executors.mine.open: expected a function that opens the executor, got 5",
        'executors.mine.profile: unknown key "layres"; did you mean "layers"?',
        "executors.mine.profile.abilities: expected a list, got nothing",
      ]),
    );
  });

  it("refuses a contract that is none", async () => {
    const { message } = await mistakeIn(
      "contract.mjs",
      `export default { executors: { mine: { ...${executor}, contract: { name: "refund" } } } };`,
    );
    expect(message).toContain("executors.mine.contract: expected a tool contract");
  });

  it("keeps the names of built-in executors to those", async () => {
    const { message } = await mistakeIn(
      "shadow.mjs",
      `export default { executors: { ledger: ${executor} } };`,
    );
    expect(message).toBe("executors.ledger: the name of a built-in executor; choose another");
  });

  it("refuses a name that could not be part of a file name", async () => {
    const { message } = await mistakeIn(
      "name.mjs",
      `export default { executors: { "../x y": ${executor} } };`,
    );
    expect(message).toContain("an executor's name has letters, digits and . _ / - only");
  });

  it.each([
    ["empty.mjs", "export const runs = 5;", "the configuration has no default export"],
    ["broken.ts", "export default { runs: ", "the configuration cannot be loaded"],
    ["broken.mjs", "export default { runs: ", "the configuration cannot be loaded"],
    ["lost.mjs", 'import "./nowhere.mjs"; export default {};', "the configuration cannot be loaded"],
    ["text.mjs", 'export default "runs";', 'expected an object, got "runs"'],
  ])("says what is wrong with %s", async (name, text, message) => {
    const mistake = await mistakeIn(name, text);
    expect(mistake.message).toContain(message);
    expect(mistake.place).toContain(join(folder, name));
  });

  it("says where a configuration threw", async () => {
    const mistake = await mistakeIn("throws.mjs", '\n\nthrow new Error("no database here");\n');
    expect(mistake.message).toBe("the configuration cannot be loaded: no database here");
    expect(mistake.place).toBe(`${join(folder, "throws.mjs")}:3:7`);
  });
});
