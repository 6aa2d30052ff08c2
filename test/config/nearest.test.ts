import { describe, expect, it } from "vitest";
import { nearest } from "../../src/config/nearest.js";

const steps = [
  "submit",
  "retry",
  "retry_changed",
  "advance",
  "finish",
  "cancel",
  "crash",
  "restart",
  "observe",
];

describe("nearest", () => {
  it.each([
    // Two letters swapped, one left out, one too many.
    ["sumbit", "submit"],
    ["finsh", "finish"],
    ["advancee", "advance"],
    ["Retry-Changed", "retry_changed"],
    [" cancel ", "cancel"],
    // Too far to count as misspelt, but only one word begins like it.
    ["obs", "observe"],
  ])("takes %j for %s", (word, meant) => {
    expect(nearest(word, steps)).toBe(meant);
  });

  it.each([
    ["policy"],
    ["x"],
    [""],
    // Both restart and retry begin with it, and both are three letters away.
    ["re"],
  ])("has no suggestion for %j", (word) => {
    expect(nearest(word, steps)).toBeUndefined();
  });

  it("takes the first of equally near words", () => {
    expect(nearest("cot", ["cat", "cut"])).toBe("cat");
    expect(nearest("cot", ["cut", "cat"])).toBe("cut");
  });

  it("has no suggestion without candidates", () => {
    expect(nearest("submit", [])).toBeUndefined();
  });
});
