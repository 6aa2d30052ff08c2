import { describe, expect, it } from "vitest";
import { clipped, counted, grouped, printable, wrapped } from "../../src/report/text.js";
import { xmlText } from "../../src/report/xml.js";

describe("printable", () => {
  it.each([
    ["plain – 河 é", "plain – 河 é"],
    ["\u001b[31mred", "\\u{1b}[31mred"],
    ["a\nb\tc\rd", "a\\nb\\tc\\rd"],
    ["\u0000\u007f\u009b", "\\u{0}\\u{7f}\\u{9b}"],
    ["right\u202eleft", "right\\u{202e}left"],
    ["half \ud83d emoji", "half \\u{d83d} emoji"],
    ["whole 😀 emoji", "whole 😀 emoji"],
  ])("spells out what would rewrite the screen in %j", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });
});

describe("wrapped", () => {
  it("breaks between words", () => {
    expect(wrapped("one two three", 8)).toEqual(["one two", "three"]);
  });

  it("cuts a word that is longer than the line", () => {
    expect(wrapped('a {"job":"JOB-001"}', 10)).toEqual(["a", '{"job":"JO', 'B-001"}']);
  });

  it("fills a line to the last column", () => {
    expect(wrapped("12345 78", 8)).toEqual(["12345 78"]);
    expect(wrapped("12345 789", 8)).toEqual(["12345", "789"]);
  });

  it("keeps an empty text one empty line", () => {
    expect(wrapped("", 10)).toEqual([""]);
  });
});

describe("clipped", () => {
  it("shows where it cut", () => {
    expect(clipped("abcdef", 4)).toBe("abc…");
    expect(clipped("abcd", 4)).toBe("abcd");
  });
});

describe("counted", () => {
  it("has one and many, with grouped digits", () => {
    expect([counted(1, "run"), counted(0, "run"), counted(20_000, "run")]).toEqual([
      "1 run",
      "0 runs",
      "20,000 runs",
    ]);
    expect(grouped(1_234_567)).toBe("1,234,567");
  });
});

describe("xmlText", () => {
  it.each([
    [`<a b="c" d='e'>&`, "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;"],
    ["line\nend\ttab\r", "line&#10;end&#9;tab&#13;"],
    ["\u001b[31m\u0000\u0085", "\\u{1b}[31m\\u{0}\\u{85}"],
    ["\ufffe\uffff\ud800", "\\u{fffe}\\u{ffff}\\u{d800}"],
    ["河 😀", "河 😀"],
  ])("escapes %j", (text, escaped) => {
    expect(xmlText(text)).toBe(escaped);
  });
});
