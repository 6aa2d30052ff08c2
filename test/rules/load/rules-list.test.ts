// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { type RuleRow, rulesList } from "../../../src/rules/load/rules-list.js";
import type { Severity } from "../../../src/rules/rule.js";
import { lines, loaded } from "./rule-text.js";

const usual: readonly Severity[] = ["critical", "warning"];

function list(text: readonly string[], enforced = usual) {
  return rulesList(loaded(lines(...text)), enforced);
}

function row(text: readonly string[], enforced = usual): RuleRow | undefined {
  return list(["rule: r", ...text], enforced).rows[0];
}

describe("rulesList", () => {
  it("shows a rule with every tool that it names, once", () => {
    const text = [
      "rule: r",
      "severity: warning",
      "then:",
      "  allow_tool: [b, a]",
      "  require_tool: a",
      '  idempotent: { tool: c, key: "${id}" }',
      "  forbid_tool: [d, b]",
      "  max_tool_calls: 3",
    ];
    expect(list(text)).toEqual({
      rows: [
        {
          rule: "r",
          severity: "warning",
          ci: "enforced",
          runtime: "enforced",
          tools: ["b", "a", "c", "d"],
          when: "always",
        },
      ],
      guardedTools: ["a", "b", "c", "d"],
    });
  });

  it.each<[why: string, ci: RuleRow["ci"], runtime: RuleRow["runtime"], ...text: string[]]>([
    ["both exits", "enforced", "enforced", "then: { forbid_tool: t }"],
    ["one exit", "off", "enforced", "then: { forbid_tool: t }", "where: { ci: false }"],
    ["the other", "enforced", "off", "then: { forbid_tool: t }", "where: { runtime: false }"],
    // CI notes what it does not enforce; the guard does not look at it.
    ["info", "noted", "off", "then: { forbid_tool: t }", "severity: info"],
    ["info without CI", "off", "off", "then: { forbid_tool: t }", "severity: info", "where: { ci: false }"],
    ["nothing for a guard", "enforced", "off", "then: { require_tool: t }"],
    ["a part for a guard", "enforced", "enforced", "then: { require_tool: t, max_tool_calls: 1 }"],
  ])("tells where a rule with %s is enforced", (_why, ci, runtime, ...text) => {
    expect(row(text)).toMatchObject({ ci, runtime });
  });

  it("goes by the severities that are enforced", () => {
    const info = ["then: { forbid_tool: t }", "severity: info"];
    expect(row(info, ["info"])).toMatchObject({ ci: "enforced", runtime: "enforced" });
    expect(row(["then: { forbid_tool: t }"], ["info"])).toMatchObject({ ci: "noted", runtime: "off" });
  });

  it("guards the tools of rules that some exit enforces, sorted", () => {
    const text = [
      ...["rule: a", "then: { forbid_tool: [z, y] }", "where: { ci: false }", "---"],
      ...["rule: b", "then: { require_tool: [y, m] }", "---"],
      ...["rule: c", "then: { forbid_tool: noted }", "severity: info", "---"],
      ...["rule: d", "then: { forbid_tool: off }", "where: { ci: false, runtime: false }"],
    ];
    expect(list(text).guardedTools).toEqual(["m", "y", "z"]);
  });

  it.each([
    ["{}", "always"],
    ["{ turn_range: [1, 3] }", "always"],
    ["{ turn_range: [3, 5] }", "once turn 3 is reached"],
    ["{ intent_any: [物流] }", 'once the user has said "物流"'],
    ["{ intent_any: [a, b], turn_range: [2, 2] }", 'once the user has said "a" or "b" and turn 2 is reached'],
  ])("says %s in words", (when, words) => {
    expect(row(["then: { forbid_tool: t }", `when: ${when}`])?.when).toBe(words);
  });
});
