import { describe, expect, it } from "vitest";
import { junitXml } from "../../src/report/junit.js";
import { paintFor } from "../../src/report/paint.js";
import { selftestSuite, selftestText } from "../../src/report/selftest.js";
import { caught, missed, selftest } from "./selftests.js";

const canvas = { paint: paintFor("plain"), width: 100 };

describe("selftestText", () => {
  it("has a row for each bug under aligned heads", () => {
    const text = selftestText(selftest([caught]), { canvas, detail: "usual" });
    expect(text.split("\n")).toEqual([
      "    bug                caught by            seeds   runs  actions  steps  known",
      "  ✓ reuses-a-revision  revision-only-grows  20/20  1,200       61    2–3      2",
      "      also by matches-the-machine with 2 seeds",
      "",
      "  20 seeds for each bug, at most 10,000 actions for each seed.",
      "  runs, actions: the median until it was caught.",
      "  steps: of the minimal scenario.  known: the fewest steps known to show it.",
      "",
      "1 faulty executor: all caught, with every seed.",
      "",
    ]);
  });

  it("tells what is wrong with a row, and what should have caught it", () => {
    const text = selftestText(selftest([caught, missed]), { canvas, detail: "usual" });
    expect(text).toContain("  ✗ shares-one-events-list  nothing");
    expect(text).toContain("      two attempts push into one list of events\n");
    expect(text).toContain("      seed 4: not caught; expected receipt-tells-truth");
    expect(text).toContain("2 faulty executors: 1 not as it should be: shares-one-events-list.");
  });

  it("keeps to the problems when it is to be quiet", () => {
    const text = selftestText(selftest([caught, missed]), { canvas, detail: "quiet" });
    expect(text).not.toContain("reuses-a-revision");
    expect(text).toContain("shares-one-events-list");
    expect(selftestText(selftest([caught]), { canvas, detail: "quiet" })).toBe(
      "1 faulty executor: all caught, with every seed.\n",
    );
  });

  it("does not call an interrupted table complete", () => {
    const text = selftestText({ ...selftest([caught]), verdict: "interrupted" }, { canvas, detail: "usual" });
    expect(text).toContain("Interrupted: only 1 faulty executor tested with every seed.");
  });

  it.each([80, 100])("fits into %d columns, with long names broken at a hyphen", (width) => {
    const long = {
      ...missed,
      bug: "deletes-the-draft-when-cancelled-after-the-commit",
      problem: "p ".repeat(120),
    };
    const lines = selftestText(selftest([caught, long]), {
      canvas: { ...canvas, width },
      detail: "verbose",
    }).split("\n");
    const table = lines.slice(0, -2);
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(width);
    const from = table.findIndex((line) => line.includes("deletes-"));
    expect(table[from]).toMatch(/^ {2}✗ deletes-\S+- .* nothing /);
    expect(table[from + 1]).toMatch(/^ {6}\S+/);
  });
});

describe("selftestSuite", () => {
  it("has a failure for each bug with a problem", () => {
    const suite = selftestSuite(selftest([caught, missed]));
    expect(suite.cases.map(({ result }) => result.kind)).toEqual(["passed", "failure"]);
    expect(junitXml([suite])).toContain(
      '<failure message="seed 4: not caught; expected receipt-tells-truth">',
    );
  });
});
