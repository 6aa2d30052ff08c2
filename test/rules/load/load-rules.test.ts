import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadRules } from "../../../src/rules/load/load-rules.js";
import { lines } from "./rule-text.js";

describe("loadRules", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "commitpoint-rules-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function put(name: string, content: string | Uint8Array): string {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  function sound(name: string): string {
    return lines(`rule: ${name}`, "then: { forbid_tool: t }", "where: { runtime: false }");
  }

  /** Names of rules, or mistakes as `file:line:column: message`, without the folder. */
  function loaded(...paths: readonly string[]): readonly string[] {
    const result = loadRules(paths);
    const short = (text: string) => text.replaceAll(`${folder}/`, "").replaceAll(folder, ".");
    return result.kind === "loaded"
      ? result.rules.map(({ name }) => name)
      : result.mistakes.map(
          ({ file, line, column, message }) => `${short(file)}:${line}:${column}: ${short(message)}`,
        );
  }

  it("loads every .yaml and .yml file below a folder, in the order of their names", () => {
    put("b.yaml", `${sound("b1")}---\n${sound("b2")}`);
    put("a/z.yml", sound("az"));
    put("a/Y.YAML", sound("ay"));
    put("c/notes.md", "no rule");
    put("README.md", "no rule");
    expect(loaded(folder)).toEqual(["ay", "az", "b1", "b2"]);
  });

  it("loads a file of any name when it is named", () => {
    expect(loaded(put("rules.txt", sound("r")))).toEqual(["r"]);
  });

  it("loads a file once, however often and under however many names it is named", () => {
    const file = put("a.yaml", sound("a"));
    symlinkSync(file, join(folder, "b.yaml"));
    symlinkSync(folder, join(folder, "again"));
    expect(loaded(folder, file, join(folder, "b.yaml"))).toEqual(["a"]);
    const result = loadRules([folder, join(folder, "b.yaml")]);
    expect(result.kind === "loaded" && result.rules.map(({ at }) => at.file)).toEqual([file]);
  });

  it("reports all mistakes of all files at once and loads nothing", () => {
    put("a.yaml", "rule: a\nthen: { forbid: t }\nwhere: { ci: 1 }\n");
    put("b/b.yml", "rule: [\n");
    put("c.yaml", sound("c"));
    put("d.yaml", sound("c"));
    put("e.yaml", "");
    const [gone, a1, a2, b, ...rest] = loaded(folder, join(folder, "gone"));
    expect(a1).toMatch(/^a\.yaml:2:9: expected a key .*"forbid"; did you mean forbid_tool\?$/);
    expect(a2).toBe("a.yaml:3:14: expected true or false, seen number 1");
    expect(b).toMatch(/^b\/b\.yml:\d:\d: expected YAML 1\.2, seen a mistake in it: /);
    expect(rest).toEqual([
      'd.yaml:1:7: expected a name that no other rule has, seen "c", which is the rule at c.yaml:1:7',
      "e.yaml:1:1: expected a rule, seen a file with nothing in it",
    ]);
    // What is not there comes before what is in the files.
    expect(gone).toMatch(/^gone:1:1: expected a file or folder that can be read, seen ENOENT/);
  });

  it("compares names with those of rules that are wrong otherwise", () => {
    put("a.yaml", "rule: same\nthen: {}\n");
    put("b.yaml", sound("same"));
    expect(loaded(folder).map((mistake) => mistake.slice(0, 11))).toEqual(["a.yaml:2:7:", "b.yaml:1:7:"]);
  });

  it("reports a folder without a rule file, also beside one that has some", () => {
    put("full/a.yaml", sound("a"));
    put("empty/README.md", "");
    const empty = "empty:1:1: expected a folder with rules, seen no .yaml or .yml file in it";
    expect(loaded(join(folder, "full"), join(folder, "empty"))).toEqual([empty]);
  });

  it("reports that no path was given", () => {
    expect(loaded()).toEqual([".:1:1: expected a rule file or a folder of them, seen no path"]);
  });

  it("reports a rule file that is a link to nothing, and passes over other such links", () => {
    put("a.yaml", sound("a"));
    symlinkSync(join(folder, "nowhere"), join(folder, "note"));
    expect(loaded(folder)).toEqual(["a"]);
    symlinkSync(join(folder, "nowhere"), join(folder, "b.yaml"));
    expect(loaded(folder)).toEqual([expect.stringMatching(/^b\.yaml:1:1: .*seen ENOENT/)]);
  });

  it("reports the first byte that is not UTF-8, not a replacement character that was written", () => {
    const text = Buffer.concat([
      Buffer.from("rule: a\n# \uFFFD\uFFFD é "),
      Buffer.from([0xe9]),
      Buffer.from(" \uFFFD\n"),
    ]);
    put("a.yaml", text);
    // `# `, two written marks, a space, `é` and a space take seven columns.
    expect(loaded(folder)).toEqual(["a.yaml:2:8: expected text in UTF-8, seen the byte 0xe9"]);
  });

  it("gives the warnings about what it loads", () => {
    put("a.yaml", "rule: a\nthen: { require_tool: t }\n");
    const result = loadRules([folder]);
    expect(result.kind === "loaded" && result.warnings.map(({ code, rule }) => [code, rule])).toEqual([
      ["runtime_blind", "a"],
    ]);
  });
});
