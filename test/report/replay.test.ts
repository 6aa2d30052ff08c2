import { describe, expect, it } from "vitest";
import { junitXml } from "../../src/report/junit.js";
import { paintFor } from "../../src/report/paint.js";
import {
  type ReplayRow,
  replayReport,
  replaySuite,
  replayText,
  stoppedLines,
} from "../../src/report/replay.js";
import { replayedRow } from "./replays.js";

const canvas = { paint: paintFor("plain"), width: 100 };

const good = replayedRow("scenarios/good.yaml", "as_expected");
const wrong = replayedRow("scenarios/wrong.yaml", "not_as_expected", {
  mismatches: [{ path: "attempts.a1.status", expected: "accepted", seen: "error" }],
});
const broke = replayedRow("scenarios/broke.yaml", "broken", { reason: "advance: no answer in 5000 ms" });
const open = replayedRow("scenarios/open.yaml", "undecided", { reason: "every-attempt-ends: no epilogue" });

function text(rows: readonly ReplayRow[], detail: "quiet" | "usual" | "verbose" = "usual"): string {
  return replayText(rows, { canvas, detail });
}

describe("replayText", () => {
  it("has a line for each file and a sum", () => {
    expect(text([good, { ...good, file: "scenarios/longer-name.yaml" }]).split("\n")).toEqual([
      "✓ scenarios/good.yaml         stale commit",
      "✓ scenarios/longer-name.yaml  stale commit",
      "",
      "2 scenarios: 2 as expected.",
      "",
    ]);
  });

  it("shows timeline, mismatches and store of what went otherwise", () => {
    const found = text([good, wrong]);
    expect(found).toContain("✗ scenarios/wrong.yaml  stale commit");
    expect(found).toContain("── ✗ stale commit — not as expected ──");
    expect(found).toContain("        ●━━━━━  COMMIT POINT  effect JOB-001");
    expect(found).toContain("otherwise than the scenario expects\n    attempts.a1.status\n");
    expect(found).toContain("      expected    accepted\n      seen        error");
    expect(found).toContain("effects   JOB-001");
    expect(found).toContain("2 scenarios: 1 not as expected, 1 as expected.");
  });

  it("gives the reason of what is broken or undecided", () => {
    expect(text([broke])).toContain("  advance: no answer in 5000 ms");
    expect(text([broke, open])).toContain("2 scenarios: 1 broken, 1 undecided.");
  });

  it("tells what the executor was where they differ", () => {
    expect(text([good, { ...good, executor: "mine" }])).toContain("stale commit  (mine)");
    expect(text([good])).not.toContain("(ledger)");
  });

  it("keeps what went otherwise and the sum when it is to be quiet", () => {
    expect(text([good], "quiet")).toBe("1 scenario: 1 as expected.\n");
    expect(text([wrong], "quiet")).toContain("── ✗ stale commit");
  });

  it("shows every timeline when it is to be verbose", () => {
    expect(text([good], "verbose")).toContain("✓ stale commit — as expected");
    expect(text([good], "verbose")).toContain("COMMIT POINT");
  });

  it("says that nothing was replayed", () => {
    expect(text([])).toContain("0 scenarios: nothing was replayed.");
  });
});

describe("stoppedLines", () => {
  it("puts machine and store side by side", () => {
    const row = replayedRow("scenarios/good.yaml", "as_expected", {
      standing: {
        machine: ["policy revision 2", "effect JOB-001"],
        store: ["policy revision 2"],
      },
    });
    const lines = stoppedLines(row, 3, canvas);
    const at = lines.indexOf("  after step 3 of 5");
    const half = " ".repeat(47 - "the machine".length);
    expect(lines.slice(at + 2)).toEqual([
      `  the machine${half} │ the store`,
      `  ${"─".repeat(47)}─┼─${"─".repeat(47)}`,
      `  ${"policy revision 2".padEnd(47)} │ policy revision 2`,
      `  ${"effect JOB-001".padEnd(47)} │`,
    ]);
  });

  it("says what broke", () => {
    expect(stoppedLines(broke, 1, canvas)).toContain("  broken: advance: no answer in 5000 ms");
  });
});

describe("replayReport", () => {
  it.each([
    ["as_expected", [good, good]],
    ["undecided", [good, open]],
    ["broken", [open, broke]],
    ["not_as_expected", [broke, wrong, good]],
    ["nothing_executed", []],
  ] as const)("is %s, the worst there is", (verdict, rows) => {
    expect(replayReport(rows, { version: "0.1.0", interrupted: false }).verdict).toBe(verdict);
  });

  it("is plain data, one record a file", () => {
    expect(replayReport([wrong], { version: "0.1.0", interrupted: true })).toEqual({
      format: "commitpoint-replay",
      formatVersion: 1,
      version: "0.1.0",
      verdict: "not_as_expected",
      interrupted: true,
      scenarios: [
        {
          file: "scenarios/wrong.yaml",
          name: "stale commit",
          executor: "ledger",
          result: "not_as_expected",
          reason: "",
          violations: [],
          mismatches: [{ path: "attempts.a1.status", expected: "accepted", seen: "error" }],
        },
      ],
    });
  });
});

describe("replaySuite", () => {
  it("has a failure for what went otherwise and an error for what was not decided", () => {
    const suite = replaySuite([good, wrong, broke, open], 1500);
    expect(suite.cases.map(({ result }) => result.kind)).toEqual(["passed", "failure", "error", "error"]);
    const xml = junitXml([suite]);
    expect(xml).toContain(
      '<testsuite name="scenarios" tests="4" failures="1" errors="2" skipped="0" time="1.500">',
    );
    expect(xml).toContain('<testcase name="scenarios/wrong.yaml: stale commit" classname="scenarios">');
    expect(xml).toContain('<error message="advance: no answer in 5000 ms">');
  });
});
