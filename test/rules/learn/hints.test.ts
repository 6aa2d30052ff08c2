import { describe, expect, it } from "vitest";
import { readHints } from "../../../src/rules/learn/hints.js";

describe("readHints", () => {
  it("reads both lists, and either of them alone", () => {
    expect(readHints("destructive: [核销, 冻结]\nreadonly: [预览]\n", "h.yaml")).toEqual({
      kind: "read",
      hints: { destructive: ["核销", "冻结"], readonly: ["预览"] },
    });
    expect(readHints("readonly: []\n", "h.yaml")).toEqual({
      kind: "read",
      hints: { destructive: [], readonly: [] },
    });
  });

  it("refuses an unknown key at its place and names the nearest", () => {
    const read = readHints("readonly: [预览]\ndestuctive: [核销]\n", "h.yaml");
    expect(read).toMatchObject({
      kind: "refused",
      mistakes: [{ file: "h.yaml", line: 2, column: 1, path: "destuctive" }],
    });
    expect(JSON.stringify(read)).toContain("did you mean destructive?");
  });

  it("reports all mistakes at once", () => {
    const text = "destructive: [退, 12, refund]\nreadonly: [Refund, look]\nmore: 1\n";
    const read = readHints(text, "h.yaml");
    const places =
      read.kind === "refused" ? read.mistakes.map(({ line, column, path }) => [line, column, path]) : [];
    expect(places.sort()).toEqual([
      [1, 15, "destructive[0]"],
      [1, 18, "destructive[1]"],
      // Already a destructive word.
      [2, 12, "readonly[0]"],
      [3, 1, "more"],
    ]);
  });

  it.each([
    ["destructive: 核销\n", 1, 14],
    ["- 核销\n", 1, 1],
    ["destructive: [a, b\n", 2, 1],
    ["destructive: [write_off]\n---\nreadonly: [look]\n", 3, 1],
  ])("refuses %j at line %i, column %i", (text, line, column) => {
    expect(readHints(text, "h.yaml")).toMatchObject({ kind: "refused", mistakes: [{ line, column }] });
  });
});
