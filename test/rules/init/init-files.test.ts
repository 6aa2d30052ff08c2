import { describe, expect, it } from "vitest";
import { initFiles } from "../../../src/rules/init/init-files.js";
import { parseRules } from "../../../src/rules/load/parse-rules.js";
import { ruleWarnings } from "../../../src/rules/load/rule-warnings.js";
import { readTrace } from "../../../src/rules/traces/read-trace.js";

function textOf(path: string): string {
  return initFiles().find((file) => file.path === path)?.text ?? "";
}

function rulesIn(path: string) {
  const parsed = parseRules(textOf(path), path);
  return parsed.kind === "loaded" ? parsed.rules : [];
}

const ruleFiles = ["rules/refund-safety.yaml", "rules/payment-idempotency.yaml"];

function callsIn(path: string) {
  const read = readTrace(textOf(path), path);
  const traces = read.kind === "loaded" ? read.traces : [];
  return traces.map(({ turns }) =>
    turns.flatMap(({ user, items }) =>
      items.flatMap((item) => (item.kind === "called" ? [[user, item.call.tool, item.call.outcome]] : [])),
    ),
  );
}

describe("initFiles", () => {
  it("lies in folders that keep rules, baseline and incident apart", () => {
    expect(initFiles().map(({ path }) => path)).toEqual([
      ...ruleFiles,
      "rules/README.md",
      "traces/baseline-clean.json",
      "examples/refund-incident.json",
    ]);
  });

  it("has rules that load, with payment under no condition", () => {
    const rules = ruleFiles.flatMap(rulesIn);
    expect(rules.map(({ name, when }) => [name, when.intentAny.length > 0])).toEqual([
      ["refund-safety", true],
      ["payment-idempotency", false],
      ["charge-idempotency", false],
    ]);
    // A condition needs the history of the conversation, which no file can change.
    expect(ruleWarnings(rules).map(({ code }) => code)).toEqual(["needs_history"]);
  });

  it("has a baseline in which a question brings no refund and a wish brings one", () => {
    expect(callsIn("traces/baseline-clean.json")).toEqual([
      [["What is the status of booking B-204?", "get_booking", "done"]],
      [
        ["Please pay for booking B-311 with my saved card.", "get_booking", "done"],
        ["Please pay for booking B-311 with my saved card.", "charge_card", "done"],
        ["My plans have changed. Please refund B-311.", "issue_refund", "done"],
      ],
    ]);
  });

  it("has an incident in which a question brings two refunds of one booking", () => {
    const [first, second] = ["What is the status of my booking B-204?", "But I still want to come!"];
    expect(callsIn("examples/refund-incident.json")).toEqual([
      [
        [first, "get_booking", "done"],
        [first, "issue_refund", "done"],
        [second, "issue_refund", "done"],
      ],
    ]);
  });
});
