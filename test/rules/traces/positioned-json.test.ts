import { describe, expect, it } from "vitest";
import { plainJson } from "../../../src/rules/traces/json-fields.js";
import { positionedJson, regionsOf } from "../../../src/rules/traces/positioned-json.js";
import { regionIn } from "./examples.js";

describe("positionedJson", () => {
  it("says what JSON.parse says", () => {
    const text =
      '{"a": [1, -2.5e3, true, false, null, "\\u00e9\\n"], "": {}, "__proto__": {"b": []}, "a2": "😀"}';
    const parsed = positionedJson(text);
    expect(parsed.kind === "parsed" && JSON.stringify(plainJson(parsed.root))).toBe(
      JSON.stringify(JSON.parse(text)),
    );
  });

  it("keeps the last of two fields of one name, as JSON.parse does", () => {
    const parsed = positionedJson('{"name": "a", "name": "b"}');
    expect(parsed.kind === "parsed" && plainJson(parsed.root)).toEqual({ name: "b" });
  });

  it.each([
    ["", "nothing"],
    ["{", "an open object"],
    ["[1,]", "a trailing comma"],
    ['{"a":1,}', "a trailing comma in an object"],
    ["[1] [2]", "two values"],
    ["// no\n[1]", "a line comment"],
    ["[1 /* no */]", "a block comment"],
    ["{a: 1}", "a name without quotes"],
    ["['a']", "single quotes"],
    ["[01]", "a leading zero"],
    ["[1.]", "a point without digits"],
    ["[NaN]", "not a number"],
    ["[undefined]", "a word of JavaScript"],
    ['["\t"]', "a raw tab in a text"],
    ['["a\nb"]', "a text over two lines"],
    ['["\\x41"]', "an unknown escape"],
    ['["\\u12"]', "half an escape"],
  ])("refuses %j: %s", (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(positionedJson(text).kind).toBe("broken");
  });

  it("says where JSON breaks, the first place only", () => {
    const text = '{\n  "a": 1,\n  "b" 2,\n  "c": ]\n}';
    const parsed = positionedJson(text);
    expect(parsed.kind === "broken" && regionsOf(text, "t.json")(parsed.at)).toEqual(regionIn(text, "2"));
    expect(parsed.kind === "broken" && parsed.message).toBe("not JSON: a colon is expected here");
  });

  it("refuses what is nested too deeply instead of exhausting the stack", () => {
    for (const levels of [501, 200_000]) {
      const parsed = positionedJson("[".repeat(levels) + "]".repeat(levels));
      expect(parsed).toEqual({
        kind: "broken",
        message: "nested more than 500 levels deep",
        at: { offset: 500, end: 501 },
      });
    }
    expect(positionedJson("[".repeat(500) + "]".repeat(500)).kind).toBe("parsed");
  });
});

describe("regionsOf", () => {
  it("counts lines and UTF-16 characters from 1, whatever ends the lines", () => {
    const text = 'a\nbc\r\nd\r"😀"x';
    const regionOf = regionsOf(text, "t");
    const at = (part: string) => {
      const offset = text.indexOf(part);
      const region = regionOf({ offset, end: offset + part.length });
      return [region.line, region.column, region.endLine, region.endColumn];
    };
    expect(at("a")).toEqual([1, 1, 1, 2]);
    expect(at("c")).toEqual([2, 2, 2, 3]);
    expect(at("d")).toEqual([3, 1, 3, 2]);
    // The face is two UTF-16 characters.
    expect(at("x")).toEqual([4, 5, 4, 6]);
    expect(at("bc\r\nd")).toEqual([2, 1, 3, 2]);
  });
});
