import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadTraces } from "../../../src/rules/traces/load-traces.js";
import { examples } from "./examples.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "traces-"));
  mkdirSync(join(folder, "b"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("loadTraces", () => {
  it("reads a folder in the order of its paths, and no other files", () => {
    write("c.ndjson", examples.mcp);
    write("b/x.jsonl", examples.langsmith);
    write("a.json", examples.plain);
    write("notes.txt", "no trace");
    const loaded = loadTraces([folder]);
    expect(loaded.kind === "loaded" && loaded.traces.map(({ file, format }) => [file, format])).toEqual([
      [join(folder, "a.json"), "plain"],
      [join(folder, "b/x.jsonl"), "langsmith"],
      [join(folder, "c.ndjson"), "mcp"],
    ]);
  });

  it("reads a file of any name that is given itself, and once only", () => {
    const file = write("b/trace.txt", examples.plain);
    write("a.json", examples.plain);
    const loaded = loadTraces([file, join(folder, "b", "..", "b", "trace.txt"), folder, folder]);
    expect(loaded.kind === "loaded" && loaded.traces.map((trace) => trace.file)).toEqual([
      file,
      join(folder, "a.json"),
    ]);
  });

  it("tells the mistakes of all files at once and loads none", () => {
    const broken = write("a.json", "{\n  oops\n}");
    const foreign = write("b/b.json", '{"hello": 1}');
    write("c.json", examples.plain);
    const loaded = loadTraces([folder]);
    expect(
      loaded.kind === "refused" && loaded.mistakes.map(({ at }) => [at.file, at.line, at.column]),
    ).toEqual([
      [broken, 2, 3],
      [foreign, 1, 1],
    ]);
  });

  it.each([
    ["an empty folder", () => [join(folder, "b")], "no *.json"],
    ["a path that is not there", () => [join(folder, "nowhere")], "cannot be read"],
    ["no path", () => [], "no trace file or folder is named"],
  ])("refuses %s", (_what, paths, why) => {
    const loaded = loadTraces(paths());
    expect(loaded.kind === "refused" && loaded.mistakes.map(({ message }) => message)).toEqual([
      expect.stringContaining(why),
    ]);
  });

  it("holds every file to the format that is named", () => {
    write("a.json", examples.plain);
    write("c.jsonl", examples.mcp);
    const loaded = loadTraces([folder], "mcp");
    expect(loaded.kind === "refused" && loaded.mistakes.map(({ at }) => at.file)).toEqual([
      join(folder, "a.json"),
    ]);
  });
});
