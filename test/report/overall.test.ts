import { describe, expect, it } from "vitest";
import { overallVerdict, worstOf } from "../../src/properties/overall.js";
import type { PromiseReport, PromiseVerdict } from "../../src/properties/verdict.js";
import { brokenRun } from "./reports.js";

const violated: PromiseVerdict = { kind: "violated" };
const broken: PromiseVerdict = { kind: "broken", reason: "no answer" };
const undecided: PromiseVerdict = { kind: "undecided", reason: "no epilogue" };
const vacuous: PromiseVerdict = { kind: "vacuous" };
const holds: PromiseVerdict = { kind: "holds" };
const notChecked: PromiseVerdict = { kind: "not_checked", lacks: ["kill"] };

const ids = ["fail-closed", "commit-survives", "no-stale-commit"] as const;

function of(...verdicts: readonly PromiseVerdict[]): readonly PromiseReport[] {
  return verdicts.map((verdict, index) => ({
    promise: ids[index] ?? "fail-closed",
    verdict,
    occurredInRuns: 1,
  }));
}

describe("overallVerdict", () => {
  // Precedence by the architecture page: violated > broken > undecided > vacuous > holds.
  it.each([
    ["violated", [holds, violated, broken]],
    ["broken", [undecided, broken, vacuous]],
    ["undecided", [vacuous, undecided, holds]],
    ["vacuous", [holds, vacuous, notChecked]],
    ["holds", [holds, notChecked, holds]],
    ["nothing_checked", [notChecked, notChecked]],
    ["nothing_checked", []],
  ] as const)("is %s, the worst there is", (verdict, promises) => {
    expect(overallVerdict(of(...promises), 10, [], [])).toBe(verdict);
  });

  it("counts a broken run though no promise says so", () => {
    expect(overallVerdict(of(holds), 10, [brokenRun], [])).toBe("broken");
    expect(overallVerdict(of(violated), 10, [brokenRun], [])).toBe("violated");
    expect(overallVerdict(of(vacuous), 0, [brokenRun], [])).toBe("broken");
  });

  it("is no success where nothing was executed", () => {
    expect(overallVerdict(of(vacuous, vacuous), 0, [], [...ids])).toBe("nothing_executed");
  });

  it("overlooks a vacuous promise that may be, and only that one", () => {
    expect(overallVerdict(of(vacuous, holds), 10, [], ["fail-closed"])).toBe("holds");
    expect(overallVerdict(of(vacuous, vacuous, holds), 10, [], ["fail-closed"])).toBe("vacuous");
  });

  it("is no success where all that was checked is vacuous and may be", () => {
    expect(overallVerdict(of(vacuous, notChecked), 10, [], ["fail-closed"])).toBe("nothing_checked");
  });
});

describe("worstOf", () => {
  it.each([
    [violated, [holds, violated, broken]],
    [broken, [holds, undecided, broken]],
    [undecided, [vacuous, undecided, holds]],
    // What occurred in one shard did occur.
    [holds, [vacuous, holds, vacuous]],
    [vacuous, [vacuous, vacuous]],
    [notChecked, [notChecked, notChecked]],
  ] as const)("is $kind", (verdict, verdicts) => {
    expect(worstOf(verdicts)).toEqual(verdict);
    expect(worstOf(verdicts.toReversed())).toEqual(verdict);
  });
});
