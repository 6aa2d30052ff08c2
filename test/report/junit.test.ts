import { describe, expect, it } from "vitest";
import { campaignSuite, junitXml } from "../../src/report/junit.js";
import { brokenRun, counterexample, holding, promises, violated } from "./reports.js";

describe("campaignSuite", () => {
  const results = (report: typeof holding) =>
    Object.fromEntries(campaignSuite(report).cases.map(({ name, result }) => [name, result.kind]));

  it("has a failure for what is violated and an error for what is not decided", () => {
    const found = results({
      ...violated,
      promises: promises(12, {
        "no-stale-commit": { kind: "violated" },
        "fail-closed": { kind: "vacuous" },
        "always-recoverable": { kind: "not_checked", lacks: ["reconcile"] },
        "every-attempt-ends": { kind: "undecided", reason: "the budget ran out" },
        "commit-survives": { kind: "broken", reason: "no answer" },
      }),
    });
    expect(found).toMatchObject({
      "no-stale-commit": "failure",
      "fail-closed": "error",
      "always-recoverable": "skipped",
      "every-attempt-ends": "error",
      "commit-survives": "error",
      "one-effect-per-key": "passed",
      "the campaign": "passed",
    });
  });

  it("leaves vacuity alone where it is allowed, and in a shard", () => {
    const vacuous = { ...holding, promises: promises(1, { "fail-closed": { kind: "vacuous" } }) };
    expect(results({ ...vacuous, allowVacuous: ["fail-closed"] })["fail-closed"]).toBe("skipped");
    expect(results({ ...vacuous, shard: { index: 1, count: 2 } })["fail-closed"]).toBe("skipped");
    expect(results(vacuous)["fail-closed"]).toBe("error");
  });

  it.each([
    { broken: [brokenRun] },
    { verdict: "nothing_executed" },
    { verdict: "nothing_checked" },
    { interrupted: true },
  ] as const)("has an error of the campaign itself for %j", (difference) => {
    expect(results({ ...holding, ...difference })["the campaign"]).toBe("error");
  });
});

describe("junitXml", () => {
  it("is a document with totals that add up", () => {
    const xml = junitXml([campaignSuite(violated)]);
    const head = xml.split("\n").slice(0, 3);
    // 22 promises and the campaign: one failure, vacuous and undecided as errors, one not checked.
    expect(head).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="commitpoint" tests="23" failures="1" errors="2" skipped="1" time="0.500">',
      '  <testsuite name="faulty/no-recheck seed 7" tests="23" failures="1" errors="2" skipped="1" time="0.500">',
    ]);
    expect(xml.match(/<testcase /g)).toHaveLength(23);
    expect(xml).toContain('    <testcase name="one-effect-per-key" classname="faulty/no-recheck seed 7"/>');
    expect(xml).toContain('<skipped message="not checked: lacks reconcile"/>');
    expect(xml).toContain(
      '<error message="vacuous: the situation that this promise guards never occurred"/>',
    );
  });

  it("carries the timeline as the text of a failure", () => {
    const xml = junitXml([campaignSuite(violated)]);
    expect(xml).toContain('<failure message="The effect JOB-001 was committed under a policy revision');
    expect(xml).toContain("✗ no-stale-commit is broken here");
    expect(xml).toContain("submit a1  {&quot;job&quot;:&quot;JOB-001&quot;");
  });

  it("holds no character that XML cannot, whatever the evidence holds", () => {
    const violation = {
      ...counterexample.minimal.violation,
      sentence: "\u0000 <b> \ufffe & ]]>",
      seen: "\u001b[2J",
    };
    const one = { ...counterexample, minimal: { ...counterexample.minimal, violation } };
    const xml = junitXml([campaignSuite({ ...violated, counterexamples: [one] })]);
    expect(xml).toContain('message="\\u{0} &lt;b&gt; \\u{fffe} &amp; ]]&gt;"');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not occur
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  });

  it("has one suite for each executor", () => {
    const xml = junitXml([
      campaignSuite(holding),
      campaignSuite({ ...holding, shard: { index: 2, count: 3 } }),
    ]);
    expect(xml).toContain('<testsuite name="ledger seed 7" ');
    expect(xml).toContain('<testsuite name="ledger seed 7 2/3" ');
    expect(xml).toContain('<testsuites name="commitpoint" tests="46" failures="0"');
  });
});
