import { describe, expect, it } from "vitest";
import { reportJson } from "../../src/report/json.js";
import { readReports } from "../../src/report/read-report.js";
import { holding, violated } from "./reports.js";

function withReversedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withReversedKeys);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, withReversedKeys(inner)]),
  );
}

describe("reportJson", () => {
  it("gives the same text whatever order the keys were made in", () => {
    expect(reportJson(withReversedKeys(holding))).toBe(reportJson(holding));
  });

  it("says first what it is and last how long it took", () => {
    const keys = Object.keys(JSON.parse(reportJson(violated)));
    expect(keys.slice(0, 5)).toEqual(["format", "formatVersion", "version", "verdict", "executor"]);
    expect(keys.at(-1)).toBe("times");
  });

  it("leaves a released value's own key order alone", () => {
    const text = reportJson({ released: { value: { b: 1, a: { d: 2, c: 3 } }, kind: "value" } });
    expect(text.indexOf('"b"')).toBeLessThan(text.indexOf('"a"'));
    expect(text.indexOf('"d"')).toBeLessThan(text.indexOf('"c"'));
  });

  it("ends in a line end", () => {
    expect(reportJson(holding).endsWith("}\n")).toBe(true);
  });
});

describe("readReports", () => {
  it("reads what reportJson wrote, whole", () => {
    expect(readReports(reportJson(violated))).toEqual({ kind: "read", reports: [violated] });
  });

  it("reads a bundle of several executors", () => {
    const bundle = { format: "commitpoint-reports", formatVersion: 1, reports: [holding, violated] };
    expect(readReports(reportJson(bundle))).toEqual({ kind: "read", reports: [holding, violated] });
  });

  it.each([
    ["text", "not JSON"],
    ["[]", 'expected format "commitpoint-report", got none'],
    ["null", 'expected format "commitpoint-report", got none'],
    ['{"format":"commitpoint-selftest"}', 'expected format "commitpoint-report", got "commitpoint-selftest"'],
    [reportJson({ ...holding, formatVersion: 2 }), "formatVersion: "],
    [reportJson({ ...holding, seed: "7" }), "seed: "],
    [
      reportJson({ ...holding, coverage: { ...holding.coverage, reached: { a: -1 } } }),
      "coverage.reached.a: ",
    ],
    [
      reportJson({
        ...violated,
        counterexamples: violated.counterexamples.map((one) => ({ ...one, actions: [{ kind: "fly" }] })),
      }),
      "counterexamples.0.actions.0",
    ],
  ])("refuses %.40s", (text, reason) => {
    const read = readReports(text);
    expect(read.kind === "unreadable" ? read.reason : "read").toContain(reason);
  });
});
