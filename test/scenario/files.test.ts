import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadScenarios } from "../../src/scenario/load.js";
import { fileWith, submitA1 } from "./text.js";

const good = fileWith([submitA1]);

describe("loadScenarios", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "commitpoint-scenarios-"));
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

  /** Names of what was loaded, or mistakes as `name:line:column: message`, without the folder. */
  function loaded(...paths: readonly string[]): readonly string[] {
    const result = loadScenarios(paths);
    const named = (file: string) => file.replace(`${folder}/`, "").replace(folder, ".");
    return result.kind === "loaded"
      ? result.scenarios.map(({ file }) => named(file))
      : result.mistakes.map(
          ({ file, line, column, message }) => `${named(file)}:${line}:${column}: ${named(message)}`,
        );
  }

  it("loads every .yaml and .yml file below a folder, in the order of their names", () => {
    put("b.yaml", good);
    put("a/z.yml", good);
    put("a/Y.YAML", good);
    put("c/notes.md", "not a scenario");
    put("README.md", "not a scenario");
    expect(loaded(folder)).toEqual(["a/Y.YAML", "a/z.yml", "b.yaml"]);
  });

  it("loads a file of any name when it is named", () => {
    expect(loaded(put("scenario.txt", good))).toEqual(["scenario.txt"]);
  });

  it("loads a file once, however often it is named", () => {
    const file = put("a/one.yaml", good);
    symlinkSync(file, join(folder, "two.yaml"));
    expect(loaded(file, folder, join(folder, "a", "..", "a"))).toEqual(["a/one.yaml"]);
  });

  it("follows a link to a folder, and a circle of links only once", () => {
    put("a/one.yaml", good);
    symlinkSync(folder, join(folder, "a", "around"));
    expect(loaded(folder)).toEqual(["a/one.yaml"]);
  });

  it("loads nothing if one file is bad, and returns the mistakes of all", () => {
    put("good.yaml", good);
    put("bad.yaml", good.replace("finish", "x").replace("commitpoint: 1", "commitpoint: 9"));
    put("empty.yaml", "");
    expect(loaded(folder)).toEqual([
      "bad.yaml:1:14: expected 1, the only format version that this program reads, seen number 9",
      "empty.yaml:1:1: expected a scenario, seen a file with nothing in it",
    ]);
  });

  it("says where a byte is no UTF-8", () => {
    // é is two bytes in UTF-8 and the single byte E9 in Latin-1; it is the eleventh character of line 4.
    const bytes = Buffer.from(good.replace("about: a", "about: caf\u00E9"), "latin1");
    put("latin.yaml", bytes);
    expect(loaded(folder)).toEqual(["latin.yaml:4:11: expected text in UTF-8, seen the byte 0xe9"]);
  });

  it("says where a text ends in the middle of a character", () => {
    put("cut.yaml", Buffer.concat([Buffer.from("name: "), Buffer.from([0xe2, 0x82])]));
    expect(loaded(folder)).toEqual(["cut.yaml:1:7: expected text in UTF-8, seen the byte 0xe2"]);
  });

  it("has a mistake for a folder without scenarios, below one with them too if it is named", () => {
    put("a/one.yaml", good);
    mkdirSync(join(folder, "b"));
    expect(loaded(folder)).toEqual(["a/one.yaml"]);
    expect(loaded(join(folder, "a"), join(folder, "b"))).toEqual([
      "b:1:1: expected a folder with scenarios, seen no .yaml file in it",
    ]);
  });

  it("has a mistake for a path that does not exist", () => {
    expect(loaded(join(folder, "gone.yaml"))).toEqual([
      "gone.yaml:1:1: expected a file or folder that can be read, seen ENOENT: no such file or directory, stat 'gone.yaml'",
    ]);
  });

  it("has a mistake for no path at all", () => {
    expect(loaded()).toEqual([".:1:1: expected a scenario file or a folder of them, seen no path"]);
  });
});
