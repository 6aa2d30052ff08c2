import { describe, expect, it } from "vitest";
import { paintFor } from "../../src/report/paint.js";
import { sideBySide } from "../../src/report/side-by-side.js";

function rows(left: readonly string[], right: readonly string[], width = 27): readonly string[] {
  return sideBySide(["one", left], ["other", right], { paint: paintFor("plain"), width }).slice(2);
}

describe("sideBySide", () => {
  it("puts what both have on one row", () => {
    expect(rows(["a", "b"], ["a", "b"])).toEqual(["  a           │ a", "  b           │ b"]);
  });

  it("lets what only one has stand alone, and keeps the rest together", () => {
    expect(rows(["a", "only left", "b"], ["a", "b", "only right"])).toEqual([
      "  a           │ a",
      "  only left   │",
      "  b           │ b",
      "              │ only right",
    ]);
  });

  it.each([
    [[], ["x"], ["              │ x"]],
    [["x"], [], ["  x           │"]],
    [["x"], ["y"], ["  x           │ y"]],
    [
      ["x", "z"],
      ["y", "y", "z"],
      ["  x           │ y", "              │ y", "  z           │ z"],
    ],
    [[], [], []],
  ])("copes with %j beside %j", (left, right, expected) => {
    expect(rows(left, right)).toEqual(expected);
  });

  it("wraps long lines within their half", () => {
    expect(rows(["one two three four"], ["one two three four"])).toEqual([
      "  one two     │ one two",
      "  three four  │ three four",
    ]);
  });

  it("makes differences stand out", () => {
    const lines = sideBySide(["one", ["a", "b"]], ["other", ["a"]], {
      paint: paintFor("coloured"),
      width: 27,
    });
    expect(lines[2]).not.toContain("\u001b[33m");
    expect(lines[3]).toContain("\u001b[33m");
  });
});
