import { describe, expect, it } from "vitest";
import { compareWithBaseline, readBaseline } from "../../src/rules/baseline.js";

describe("a baseline", () => {
  it.each([
    ["a report", '{"summary":{"violations":3}}', 3],
    ["a report with more in it", '{"tool":"x","summary":{"calls":9,"violations":3},"findings":[]}', 3],
    ["a flat one", '{"violations":0}', 0],
    ["one with a byte order mark", '\uFEFF{"violations":4}\n', 4],
  ])("is read from %s", (_name, text, violations) => {
    expect(readBaseline(text, "b.json")).toEqual({ kind: "baseline", violations });
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "violations: 3"],
    ["half a file", '{"summary":{"violations":3}'],
    ["a comment", '{"violations":3} // three'],
    ["a comma too many", '{"violations":3,}'],
    ["a second value", '{"violations":3}{"violations":3}'],
    ["a bare number", "3"],
    ["a list", '[{"violations":3}]'],
    ["a text", '{"violations":"3"}'],
    ["nothing known", '{"violations":null}'],
    ["half a violation", '{"violations":1.5}'],
    ["less than none", '{"summary":{"violations":-1}}'],
    ["more than can be counted", '{"violations":1e300}'],
    ["another name", '{"Violations":3}'],
    ["another depth", '{"result":{"summary":{"violations":3}}}'],
    ["an empty summary", '{"summary":{}}'],
    ["a summary that is no object", '{"summary":3}'],
    ["two numbers", '{"summary":{"violations":1},"violations":9}'],
    ["one key twice", '{"violations":1,"violations":9}'],
  ])("is not read from %s", (_name, text) => {
    expect(readBaseline(text, "b.json").kind).toBe("refused");
  });

  it("is refused with its place, what was expected and what to do", () => {
    const text = '{\n  "summary": {\n    "violations": "12"\n  }\n}';
    expect(readBaseline(text, "b.json")).toEqual({
      kind: "refused",
      mistake: {
        message: expect.stringMatching(/whole and not below 0, seen "12"; write it anew .* or remove it/),
        // `    "violations": ` has 18 characters; the value has 4.
        at: { file: "b.json", line: 3, column: 19, endLine: 3, endColumn: 23 },
      },
    });
    expect(readBaseline('{\n  "violations": }', "b.json")).toMatchObject({
      mistake: { at: { line: 2, column: 17 } },
    });
  });

  it("is met, missed, or can be lowered", () => {
    expect(compareWithBaseline(3, 3)).toBe("as_before");
    expect(compareWithBaseline(4, 3)).toBe("worse");
    expect(compareWithBaseline(0, 3)).toBe("better");
  });
});
