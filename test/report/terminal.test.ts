import { describe, expect, it } from "vitest";
import type { CampaignReport } from "../../src/properties/verdict.js";
import { paintFor } from "../../src/report/paint.js";
import { type Detail, terminalReport } from "../../src/report/terminal.js";
import { brokenRun, counterexample, holding, promises, violated } from "./reports.js";

const kept = {
  file: "commitpoint-out/x.yaml",
  replay: "npx commitpoint replay commitpoint-out/x.yaml",
};

function text(report: CampaignReport, detail: Detail = "usual", width = 100): string {
  const canvas = { paint: paintFor("plain"), width };
  return terminalReport(report, { canvas, detail, keptAt: () => kept });
}

describe("terminalReport", () => {
  it("opens with what was tested, how much, and with which seed", () => {
    expect(text(holding).split("\n").slice(0, 2)).toEqual([
      "executor ledger, profile ledger, seed 7",
      "40 runs, 1,000 actions (2.0 % skipped) in 0.5 s, 2,000 actions/s, 2 workers",
    ]);
  });

  it("has one row for each promise", () => {
    const rows = text(violated).split("\n");
    expect(rows).toContain("  ✓ receipt-before-release    holds           12 runs");
    expect(rows).toContain("  ✗ no-stale-commit           violated        12 runs");
    expect(rows).toContain("  ○ fail-closed               vacuous          0 runs");
    expect(rows).toContain("  ? every-attempt-ends        undecided       12 runs; the budget ran out");
    expect(rows).toContain("  – always-recoverable        not checked     lacks reconcile");
  });

  it("tells coverage and what was not reached", () => {
    expect(text(holding)).toContain(
      "  coverage  2 of 3 transitions of the machine reached (66.7 %)\n            not down restart idle\n",
    );
  });

  it("shortens a long list of what was not reached, unless asked for all", () => {
    const notReached = Array.from({ length: 9 }, (_, index) => `transition ${index}`);
    const report = { ...holding, coverage: { ...holding.coverage, reachable: 11, notReached } };
    expect(text(report)).toContain("and 4 more not reached; --verbose lists them");
    expect(text(report)).not.toContain("transition 5");
    expect(text(report, "verbose")).toContain("not transition 8");
  });

  it("tells a failure in this order: promise, sentence, steps, comparison, store, seed, file, replay", () => {
    const report = text(violated);
    const order = [
      "── ✗ no-stale-commit ──",
      "The effect JOB-001 was committed under a policy revision that was no longer current.",
      "5 steps, shrunk from 10 (52 candidates tried); without any one of them this failure is gone",
      "  ▶  5  │  │  finish a1",
      "  at step 5\n    expected              policy revision 2, the current one",
      "    the executor did      policy revision 1",
      "the store then holds",
      "effects   JOB-001  policy revision 1, by r1/c-a1",
      "policy    revision 2, at most 1",
      "found with   seed 7, path 37",
      "written to   commitpoint-out/x.yaml",
      "replay with  npx commitpoint replay commitpoint-out/x.yaml",
      "faulty/no-recheck, seed 7: violated: no-stale-commit.",
    ].map((part) => report.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((left, right) => left - right));
  });

  it("shows steps once that break two promises", () => {
    const divergence = {
      ...counterexample,
      promise: "matches-the-machine",
      minimal: {
        ...counterexample.minimal,
        violation: { ...counterexample.minimal.violation, promise: "matches-the-machine" },
      },
    } as const;
    const report = text({ ...violated, counterexamples: [counterexample, divergence] });
    expect(report.match(/finish a1/g)).toHaveLength(1);
    expect(report).toContain("the same steps as for no-stale-commit");
    expect(report).toContain("the machine allowed   policy revision 2, the current one");
  });

  it.each([
    ["out_of_budget", "the budget ran out, so it may still shrink"],
    ["not_reproduced", "as generated: a second try did not fail in the same way"],
  ] as const)("says of %s steps that they may not be the shortest", (kind, sentence) => {
    const one = { ...counterexample, minimal: { ...counterexample.minimal, kind } };
    expect(text({ ...violated, counterexamples: [one] })).toContain(sentence);
  });

  it("names the epilogue where the promise broke there", () => {
    const violation = { ...counterexample.minimal.violation, action: 5, position: 22 };
    const one = { ...counterexample, minimal: { ...counterexample.minimal, violation } };
    const report = text({ ...violated, counterexamples: [one] });
    expect(report).toContain("  in the epilogue\n");
    expect(report).toContain("  ▶  ·     │  epilogue");
  });

  it("does not call a broken run a verdict", () => {
    const report = text({ ...holding, verdict: "broken", broken: [brokenRun] });
    expect(report).toContain("── ! broken in 1 run ──");
    expect(report).toContain("run 3, advance:\n    advance took longer than 2000 ms");
    expect(report).toContain("This is no verdict on the executor");
    expect(report).toContain("ledger, seed 7: 1 run broke; nothing is proven.");
  });

  it.each([
    [{}, "ledger, seed 7: every promise that was checked holds (22)."],
    [
      { interrupted: true },
      "Interrupted after 40 runs. ledger, seed 7: every promise that was checked holds (22).",
    ],
    [
      { promises: promises(1, { "fail-closed": { kind: "not_checked", lacks: ["kill"] } }) },
      "ledger, seed 7: every promise that was checked holds (21); 1 promise not checked.",
    ],
    [
      { verdict: "vacuous", promises: promises(1, { "fail-closed": { kind: "vacuous" } }) },
      "ledger, seed 7: vacuous, their situation never occurred: fail-closed.",
    ],
    [
      {
        verdict: "vacuous",
        shard: { index: 1, count: 2 },
        promises: promises(1, { "fail-closed": { kind: "vacuous" } }),
      },
      "nothing violated; vacuous in this shard: fail-closed (judged when the shards",
    ],
    [{ verdict: "nothing_executed" }, "ledger, seed 7: no run was executed, so nothing is known."],
    [{ verdict: "nothing_checked" }, "ledger, seed 7: no promise was checked, so nothing is known."],
    [
      { verdict: "undecided", promises: promises(1, { "fail-closed": { kind: "undecided", reason: "x" } }) },
      "ledger, seed 7: undecided: fail-closed.",
    ],
  ] as const satisfies readonly (readonly [Partial<CampaignReport>, string])[])(
    "ends with the verdict for %j",
    (difference, sentence) => {
      expect(text({ ...holding, ...difference })).toContain(sentence);
    },
  );

  it("tells a vacuous promise that may be apart from one that may not", () => {
    const report = text({ ...violated, allowVacuous: ["fail-closed"] });
    expect(report).toContain("fail-closed               vacuous (may)");
  });

  it("keeps failures and the verdict when it is to be quiet", () => {
    expect(text(holding, "quiet")).toBe("ledger, seed 7: every promise that was checked holds (22).\n");
    expect(text(violated, "quiet")).toContain("✗ no-stale-commit is broken here");
    expect(text(violated, "quiet")).not.toContain("coverage");
  });

  it.each([60, 80, 100])("fits into %d columns", (width) => {
    // The table of promises has its own width, which is below 80.
    const lines = text(violated, "quiet", width).split("\n");
    const replay = lines.filter((line) => !line.includes("commitpoint-out"));
    expect(Math.max(...replay.map((line) => Array.from(line).length))).toBeLessThanOrEqual(width);
  });

  it("does not let evidence write escape sequences to the terminal", () => {
    const violation = { ...counterexample.minimal.violation, seen: "\u001b[2Jgone", sentence: "a\u0007b" };
    const one = { ...counterexample, minimal: { ...counterexample.minimal, violation } };
    const report = text({ ...violated, counterexamples: [one] });
    expect(report).toContain("\\u{1b}[2Jgone");
    expect(report).not.toContain("\u001b");
    expect(report).not.toContain("\u0007");
  });
});
