import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/config/usage-error.js";
import { bytes, duration, oneOf, shardOf, wholeNumber } from "../../src/config/values.js";

const flag = (text: string) => ({ text, place: `--flag ${text}` });

function mistake(read: () => unknown): UsageError {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error("expected a usage error");
}

describe("wholeNumber", () => {
  it.each([
    ["1", 1],
    ["20000", 20_000],
    ["007", 7],
  ])("reads %s as %d", (text, value) => {
    expect(wholeNumber(flag(text), 1)).toBe(value);
  });

  it.each(["0", "-1", "", " ", "1.5", "0x10", "１", "NaN", "Infinity", "1 ", "+1", "99999999999999999999"])(
    "refuses %j where at least 1 is wanted",
    (text) => {
      const { message, place } = mistake(() => wholeNumber(flag(text), 1));
      expect(message).toBe(`expected a whole number of at least 1, got "${text}"`);
      expect(place).toBe(`--flag ${text}`);
    },
  );

  it.each([
    ["1e3", "Write it in plain digits: 1000."],
    ["20_000", "Write it in plain digits: 20000."],
    ["20,000", "Write it in plain digits: 20000."],
    ["abc", ""],
    ["1.5", ""],
  ])("says of %s what it may have meant", (text, nextStep) => {
    expect(mistake(() => wholeNumber(flag(text), 1)).nextStep).toBe(nextStep);
  });

  it("keeps to its upper bound", () => {
    expect(wholeNumber(flag("64"), 1, 64)).toBe(64);
    expect(mistake(() => wholeNumber(flag("65"), 1, 64)).message).toContain("a whole number from 1 to 64");
  });
});

describe("duration", () => {
  it.each([
    ["500ms", 500],
    ["60s", 60_000],
    ["1.5m", 90_000],
    ["1h", 3_600_000],
  ])("reads %s as %d milliseconds", (text, value) => {
    expect(duration(flag(text))).toBe(value);
  });

  it.each(["0s", "0.1ms", "25d", "s", "-5s", "1e3s", "600h", "5 s"])("refuses %j", (text) => {
    expect(mistake(() => duration(flag(text))).message).toContain("expected a time");
  });

  it("asks for the unit of a bare number", () => {
    expect(mistake(() => duration(flag("60"))).nextStep).toBe("Write the unit, for example 60s.");
  });
});

describe("bytes", () => {
  it.each([
    ["1024k", 1_048_576],
    ["500m", 524_288_000],
    ["2g", 2_147_483_648],
    ["1.5g", 1_610_612_736],
    ["1024g", 1_099_511_627_776],
  ])("reads %s as %d bytes", (text, value) => {
    expect(bytes(flag(text))).toBe(value);
  });

  it.each(["0g", "1023k", "0.9m", "1025g"])("refuses %j, which no search can use", (text) => {
    expect(mistake(() => bytes(flag(text))).message).toBe(`expected a size from 1m to 1024g, got "${text}"`);
  });

  it.each([
    ["2GB", "Write it as 2g."],
    ["1.5 GiB", "Write it as 1.5g."],
    ["500", "Write the unit, for example 500m."],
    ["-2g", ""],
    ["2t", ""],
    ["g", ""],
    ["1e3m", ""],
  ])("refuses %j and says what may have been meant", (text, nextStep) => {
    const found = mistake(() => bytes(flag(text)));
    expect(found.message).toBe(`expected a size with its unit, such as 500m or 2g, got "${text}"`);
    expect(found.nextStep).toBe(nextStep);
  });
});

describe("shardOf", () => {
  it.each([
    ["1/1", 1, 1],
    ["4/4", 4, 4],
  ])("reads %s", (text, index, count) => {
    expect(shardOf(flag(text))).toEqual({ index, count });
  });

  it.each(["0/4", "5/4", "1", "1/0", "/", "1/2/3", "a/b", "1/ 2"])("refuses %j", (text) => {
    expect(mistake(() => shardOf(flag(text))).message).toContain("expected i/n with i from 1 to n");
  });
});

describe("oneOf", () => {
  it("names the nearest right word", () => {
    const { message, nextStep } = mistake(() =>
      oneOf(flag("jsom"), "reporter", ["terminal", "json", "junit"]),
    );
    expect(message).toBe('there is no reporter "jsom"; did you mean "json"?');
    expect(nextStep).toBe("");
  });

  it("lists the words where none is near", () => {
    const { message, nextStep } = mistake(() =>
      oneOf(flag("html"), "reporter", ["terminal", "json", "junit"]),
    );
    expect(message).toBe('there is no reporter "html"');
    expect(nextStep).toBe("Known: terminal, json, junit.");
  });

  it("does not bury its message under a long list", () => {
    const words = Array.from({ length: 40 }, (_, index) => `word-number-${index}`);
    expect(mistake(() => oneOf(flag("x"), "word", words)).nextStep).toMatch(/^Known: .*, and 28 more\.$/);
  });
});
