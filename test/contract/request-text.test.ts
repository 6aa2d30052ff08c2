import { describe, expect, it } from "vitest";
import {
  byLength,
  isJsonObject,
  readRequestText,
  textsWithin,
  writtenText,
} from "../../src/contract/request-text.js";

describe("a request's text", () => {
  it("is read as JSON or is none", () => {
    expect(readRequestText('{"a":[1]}')).toEqual({ kind: "json", value: { a: [1] } });
    expect(readRequestText("null")).toEqual({ kind: "json", value: null });
    for (const text of ["", "{", "{a:1}", "undefined", '\ufeff{"a":1}', '{"a":1,}']) {
      expect(readRequestText(text)).toEqual({ kind: "not_json" });
    }
  });

  it("has the last of two properties of one name, and `__proto__` as an ordinary one", () => {
    const text = readRequestText('{"a":1,"__proto__":{"b":2},"a":3}');
    if (text.kind === "not_json" || !isJsonObject(text.value)) throw new Error("expected an object");
    expect(Object.entries(text.value)).toEqual([
      ["a", 3],
      ["__proto__", { b: 2 }],
    ]);
  });

  it("is an object only between braces", () => {
    expect([{}, { a: 1 }].every(isJsonObject)).toBe(true);
    expect([[], null, "{}", 1, true, undefined].some(isJsonObject)).toBe(false);
  });
});

describe("the texts within a value", () => {
  it("are its strings and names in the order in which they are written", () => {
    const value = { a: "1", b: ["2", { c: "3", d: null }, 4, "5"], e: true, f: "" };
    expect(textsWithin(value)).toEqual(["a", "1", "b", "2", "c", "3", "d", "5", "e", "f", ""]);
    expect(textsWithin("alone")).toEqual(["alone"]);
    expect(textsWithin(7)).toEqual([]);
  });

  it("are found however deep they lie, and however many they are", () => {
    const deep = readRequestText(`${"[".repeat(200_000)}"x"${"]".repeat(200_000)}`);
    expect(deep.kind === "json" && textsWithin(deep.value)).toEqual(["x"]);
    expect(textsWithin(Array.from({ length: 300_000 }, () => "x"))).toHaveLength(300_000);
  });
});

describe("a value written as text", () => {
  it("is its JSON, or nothing where it is nested too deep", () => {
    expect(writtenText({ a: [1, "\ud800"] })).toEqual(['{"a":[1,"\\ud800"]}']);
    const deep = readRequestText(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    expect(deep.kind === "json" && writtenText(deep.value)).toEqual([]);
  });
});

describe("the order by length", () => {
  it("puts shorter texts first, and of equally long ones the earlier", () => {
    expect(["ba", "c", "ab", "", "b", "ba"].sort(byLength)).toEqual(["", "b", "c", "ab", "ba", "ba"]);
    expect([byLength("a", "b"), byLength("b", "a"), byLength("a", "a")]).toEqual([-1, 1, 0]);
  });
});
