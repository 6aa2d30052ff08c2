import { describe, expect, it } from "vitest";
import { paintFor } from "../../../src/report/paint.js";
import { gateJson } from "../../../src/report/rules/gate-json.js";
import { gateJunit } from "../../../src/report/rules/gate-junit.js";
import { gateMarkdown } from "../../../src/report/rules/gate-markdown.js";
import { gateTerminal } from "../../../src/report/rules/gate-terminal.js";
import { languages } from "../../../src/report/rules/labels.js";
import { readBaseline } from "../../../src/rules/baseline.js";
import { everyKind, resultOf } from "./gate-results.js";

const result = resultOf(everyKind.rules, everyKind.trace);
const canvas = { paint: paintFor("plain"), width: 100 };

describe("gateMarkdown", () => {
  it.each(languages)(
    "has one row of six cells for each finding in %s, whatever the names are",
    (language) => {
      const rows = gateMarkdown(result, language)
        .split("\n")
        .filter((line) => line.startsWith("|"));
      expect(rows).toHaveLength(2 + 5);
      // An escaped bar ends no cell.
      for (const row of rows) expect(row.replaceAll("\\|", "").split("|")).toHaveLength(6 + 2);
    },
  );

  it("makes no link, mention or HTML of a name", () => {
    const text = gateMarkdown(result, "en");
    expect(text).toContain("no \\[refund\\]\\(x\\) \\{0\\} \\| \\<b\\> &#64;all");
    expect(text).toContain("tool 'refund_order' is forbidden");
  });

  it("is the verdict and the counts where there are no findings", () => {
    const clean = resultOf("rule: a\nthen: { forbid_tool: pay }\n", everyKind.trace);
    expect(gateMarkdown(clean, "en")).toBe(
      "## Rules gate: every enforced rule holds\n\n1 trace, 3 calls: 0 violations, 0 undecided, 0 in hindsight, 0 notes\n",
    );
  });
});

describe("gateTerminal", () => {
  it("shows every finding with its place, in the order of the calls", () => {
    const text = gateTerminal(result, { canvas, detail: "usual", language: "en" });
    const signs = text.split("\n").flatMap((line) => (/^[✗?!·] .* {2}/.test(line) ? [line[0]] : []));
    expect(signs).toEqual(["✗", "·", "?", "!", "✗"]);
    expect(text).toContain("2 violations, 1 undecided, 1 in hindsight, 1 note\n");
  });

  it("shows only what fails the gate when quiet", () => {
    const text = gateTerminal(result, { canvas, detail: "quiet", language: "en" });
    const signs = text.split("\n").flatMap((line) => (/^[✗?!·] .* {2}/.test(line) ? [line[0]] : []));
    expect(signs).toEqual(["✗", "?", "✗"]);
  });
});

describe("gateJson", () => {
  it("is a baseline", () => {
    expect(readBaseline(gateJson(result, { version: "1" }), "a.json")).toEqual({
      kind: "baseline",
      violations: 2,
    });
  });
});

describe("gateJunit", () => {
  it("has a case for each rule of a trace: failed where violated, in error where undecided", () => {
    const xml = gateJunit(result, 10);
    expect(xml).toContain(
      '<testsuite name="traces/a.json trace 1" tests="5" failures="2" errors="1" skipped="0" time="0.000">',
    );
    expect(xml).toContain('<testcase name="for-the-record" classname="traces/a.json trace 1"/>');
    expect(xml).toContain('name="no [refund](x) {0} | &lt;b&gt; @all"');
  });

  it("is in error where nothing was judged", () => {
    const nothing = resultOf("rule: a\nthen: { forbid_tool: pay }\n", '{"turns": [{"user": "hi"}]}');
    expect(gateJunit(nothing, 0)).toContain('<error message="nothing was judged: no trace has a call"/>');
  });
});
