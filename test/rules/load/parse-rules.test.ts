// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { parseRules } from "../../../src/rules/load/parse-rules.js";
import type { Rule } from "../../../src/rules/rule.js";
import { lines, loaded } from "./rule-text.js";

function only(...text: readonly string[]): Rule {
  const [rule, second] = loaded(lines(...text));
  if (rule === undefined || second !== undefined) throw new Error("expected one rule");
  return rule;
}

describe("parseRules", () => {
  it("reads every part of the language, with the region of the name and of each assertion", () => {
    const at = (line: number, column: number, endLine: number, endColumn: number) => ({
      file: "rules.yaml",
      line,
      column,
      endLine,
      endColumn,
    });
    const rule = only(
      "rule: refund-safety", // 1
      "description: No refunds while asking", // 2
      "severity: warning", // 3
      "when: { intent_any: [物流, Order], turn_range: [1, 3] }", // 4
      "then:", // 5
      "  forbid_tool: refund_order", // 6
      "  allow_tool: [get_order, list_orders]", // 7
      "  require_tool:", // 8
      "    - get_order", // 9
      "    - greet", // 10
      "", // 11
      "  max_tool_calls: 0", // 12
      '  idempotent: { tool: refund_order, key: "${tenant}/${order_id}" }', // 13
      "  memory_persistence: { fact: [no nuts, nut-free], said_by: 2, still_at: 20 }", // 14
      "where: { ci: false, runtime: true }", // 15
    );
    expect(rule).toEqual({
      name: "refund-safety",
      // `rule: ` takes six columns and the name thirteen.
      at: at(1, 7, 1, 20),
      description: "No refunds while asking",
      severity: "warning",
      when: { intentAny: ["物流", "Order"], turnRange: { first: 1, last: 3 } },
      // biome-ignore lint/suspicious/noThenProperty: the word of the language
      then: [
        { kind: "forbid_tool", tools: ["refund_order"], at: at(6, 3, 6, 28) },
        { kind: "allow_tool", tools: ["get_order", "list_orders"], at: at(7, 3, 7, 39) },
        // A block list ends with its last item, not with the empty line behind it.
        { kind: "require_tool", tools: ["get_order", "greet"], at: at(8, 3, 10, 12) },
        { kind: "max_tool_calls", most: 0, at: at(12, 3, 12, 20) },
        {
          kind: "idempotent",
          tool: "refund_order",
          key: {
            text: "${tenant}/${order_id}",
            parts: [
              { kind: "argument", name: "tenant" },
              { kind: "text", text: "/" },
              { kind: "argument", name: "order_id" },
            ],
          },
          at: at(13, 3, 13, 67),
        },
        {
          kind: "memory_persistence",
          fact: ["no nuts", "nut-free"],
          saidBy: 2,
          stillAt: 20,
          at: at(14, 3, 14, 78),
        },
      ],
      where: { ci: false, runtime: true },
    });
  });

  it("fills in a critical rule without condition for both exits", () => {
    const { severity, when, where, description } = only("rule: r", "then: { forbid_tool: t }");
    expect({ severity, when, where, description }).toEqual({
      severity: "critical",
      when: { intentAny: [], turnRange: undefined },
      where: { ci: true, runtime: true },
      description: "",
    });
  });

  it("leaves an exit on that `where` does not name", () => {
    expect(only("rule: r", "then: { forbid_tool: t }", "where: { ci: false }").where).toEqual({
      ci: false,
      runtime: true,
    });
  });

  it("reads several documents as several rules, each with its own lines", () => {
    const rules = loaded(
      lines("rule: a", "then: { forbid_tool: t }", "---", "# two", "rule: b", "then: { forbid_tool: t }"),
    );
    expect(rules.map(({ name, at }) => `${name} ${at.line}:${at.column}`)).toEqual(["a 1:7", "b 5:7"]);
  });

  it("reads an alias as what its anchor holds, at the place of the alias", () => {
    const { then } = only("rule: r", "then:", "  forbid_tool: &tools [x, y]", "  require_tool: *tools");
    expect(then.map((each) => [each.kind, "tools" in each && each.tools])).toEqual([
      ["forbid_tool", ["x", "y"]],
      ["require_tool", ["x", "y"]],
    ]);
    // `  require_tool: *tools` has 22 columns.
    expect(then[1]?.at).toMatchObject({ line: 4, column: 3, endLine: 4, endColumn: 23 });
  });

  it("reads texts behind a byte order mark and with Windows line ends", () => {
    const [rule] = loaded("\uFEFFrule: r\r\nthen:\r\n  forbid_tool: t\r\n");
    expect(rule?.at).toMatchObject({ line: 1, column: 7, endColumn: 8 });
    expect(rule?.then[0]?.at).toMatchObject({ line: 3, column: 3, endLine: 3, endColumn: 17 });
  });

  it("keeps `$` and braces of a key that open no argument as text", () => {
    const [key] = only("rule: r", 'then: { idempotent: { tool: t, key: "$5 {x} ${订单号}$" } }').then.flatMap(
      (each) => (each.kind === "idempotent" ? [each.key.parts] : []),
    );
    expect(key).toEqual([
      { kind: "text", text: "$5 {x} " },
      { kind: "argument", name: "订单号" },
      { kind: "text", text: "$" },
    ]);
  });

  it("gives no rule of a file with one mistake", () => {
    const text = lines("rule: a", "then: { forbid_tool: t }", "---", "rule: b", "then: { forbid_tool: [] }");
    expect(parseRules(text, "rules.yaml").kind).toBe("refused");
  });
});
