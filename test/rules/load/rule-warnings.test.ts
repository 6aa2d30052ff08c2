// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { ruleWarnings } from "../../../src/rules/load/rule-warnings.js";
import { lines, loaded } from "./rule-text.js";

/** `code rule line:column` of each warning. */
function warned(...text: readonly string[]): readonly string[] {
  return ruleWarnings(loaded(lines(...text))).map(
    ({ code, rule, at }) => `${code} ${rule} ${at.line}:${at.column}`,
  );
}

function messages(...text: readonly string[]): readonly string[] {
  return ruleWarnings(loaded(lines(...text))).map(({ message }) => message);
}

/** In CI only, so that nothing is said about the runtime. */
const ciOnly = "where: { runtime: false }";
const once = 'idempotent: { tool: refund_order, key: "${order_id}" }';

describe("ruleWarnings", () => {
  it("says nothing about a plain rule for both exits", () => {
    expect(warned("rule: r", `then: { forbid_tool: t, max_tool_calls: 3, ${once} }`)).toEqual([]);
  });

  describe("idempotent_under_when", () => {
    it.each(["{ intent_any: [pay] }", "{ turn_range: [2, 9] }"])("warns under %s", (when) => {
      expect(warned("rule: r", `when: ${when}`, "then:", `  ${once}`, ciOnly)).toEqual([
        "idempotent_under_when r 4:3",
      ]);
    });

    // A range that begins with the first turn holds from the start.
    it.each(["{}", "{ turn_range: [1, 3] }"])("says nothing under %s", (when) => {
      expect(warned("rule: r", `when: ${when}`, "then:", `  ${once}`)).toEqual([]);
    });

    it("says nothing of another assertion under a condition", () => {
      expect(warned("rule: r", "when: { intent_any: [pay] }", "then: { forbid_tool: t }", ciOnly)).toEqual(
        [],
      );
    });

    it("names the tool and what to do", () => {
      const [message] = messages("rule: r", "when: { intent_any: [pay] }", `then: { ${once} }`, ciOnly);
      expect(message).toMatch(/refund_order.*move `idempotent` to a rule of its own without `when`$/);
    });
  });

  describe("forbid_and_allow_in_one_rule", () => {
    it("warns of a closed list that forbids anyhow", () => {
      const text = ["rule: r", "then:", "  allow_tool: [a, b]", "  forbid_tool: c"];
      expect(warned(...text)).toEqual(["forbid_and_allow_in_one_rule r 4:3"]);
      expect(messages(...text)[0]).toMatch(/closed list.*keep forbid_tool alone/);
    });

    it("names a tool that is on both lists", () => {
      const [message] = messages("rule: r", "then: { allow_tool: [a, b], forbid_tool: [b, c] }");
      expect(message).toMatch(/^b stands in allow_tool and in forbid_tool/);
    });

    it("says nothing where the two are two rules", () => {
      expect(
        warned("rule: a", "then: { allow_tool: [a, b] }", "---", "rule: b", "then: { forbid_tool: c }"),
      ).toEqual([]);
    });
  });

  describe("duplicate_assertion", () => {
    const pair = (first: readonly string[], second: readonly string[]) => [
      "rule: first",
      ...first,
      "---",
      "rule: second",
      ...second,
    ];

    it("warns at the later rule and names the earlier with its place", () => {
      const text = pair(
        ["then: { forbid_tool: [a, b] }"],
        ["then: { forbid_tool: [b, a], max_tool_calls: 3 }"],
      );
      expect(warned(...text)).toEqual(["duplicate_assertion second 5:9"]);
      expect(messages(...text)[0]).toMatch(
        /^forbid_tool .* rule "first" says at rules\.yaml:2:9, .*remove one/,
      );
    });

    it("names the first of three", () => {
      const same = "then: { forbid_tool: a }";
      const text = ["rule: a", same, "---", "rule: b", same, "---", "rule: c", same];
      expect(messages(...text).map((message) => /rule "(.)"/.exec(message)?.[1])).toEqual(["a", "a"]);
    });

    it.each([
      ["require_tool: a", "require_tool: [a, a]"],
      ["max_tool_calls: 3", "max_tool_calls: 3"],
      [once, once],
      [
        "memory_persistence: { fact: [x, y], said_by: 1, still_at: 2 }",
        "memory_persistence: { still_at: 2, said_by: 1, fact: [y, x] }",
      ],
    ])("takes { %s } and { %s } as one", (one, other) => {
      const text = pair([`then: { ${one} }`, ciOnly], [ciOnly, `then: { ${other} }`]);
      expect(warned(...text)).toEqual(["duplicate_assertion second 7:9"]);
    });

    it("takes conditions that hold at the same moment as one", () => {
      const text = pair(
        ["when: { intent_any: [Pay, order], turn_range: [2, 5] }", "then: { forbid_tool: a }", ciOnly],
        ["when: { intent_any: [order, pay], turn_range: [2, 7] }", "then: { forbid_tool: a }", ciOnly],
      );
      expect(warned(...text)).toEqual(["duplicate_assertion second 8:9"]);
    });

    it.each([
      ["kind", "then: { forbid_tool: a }", "then: { allow_tool: a }"],
      ["tools", "then: { forbid_tool: a }", "then: { forbid_tool: [a, b] }"],
      ["number", "then: { max_tool_calls: 3 }", "then: { max_tool_calls: 4 }"],
      ["key", `then: { ${once} }`, 'then: { idempotent: { tool: refund_order, key: "${order}" } }'],
      ["tool", `then: { ${once} }`, 'then: { idempotent: { tool: refund, key: "${order_id}" } }'],
      ["exits", "then: { forbid_tool: a }", `then: { forbid_tool: a }\n${ciOnly}`],
      [
        "words",
        `when: { intent_any: [x] }\nthen: { forbid_tool: a }\n${ciOnly}`,
        `when: { intent_any: [y] }\nthen: { forbid_tool: a }\n${ciOnly}`,
      ],
      [
        "first turn",
        `when: { turn_range: [2, 9] }\nthen: { forbid_tool: a }\n${ciOnly}`,
        `when: { turn_range: [3, 9] }\nthen: { forbid_tool: a }\n${ciOnly}`,
      ],
    ])("says nothing where the %s differ", (_what, one, other) => {
      expect(warned(...pair([one], [other]))).toEqual([]);
    });
  });

  describe("runtime_blind", () => {
    const memory = "memory_persistence: { fact: x, said_by: 1, still_at: 2 }";

    it("warns of each assertion that only CI judges", () => {
      expect(warned("rule: r", "then:", "  forbid_tool: t", "  require_tool: u", `  ${memory}`)).toEqual([
        "runtime_blind r 4:3",
        "runtime_blind r 5:3",
      ]);
    });

    it("says nothing where the runtime is off", () => {
      expect(warned("rule: r", `then: { require_tool: u, ${memory} }`, ciOnly)).toEqual([]);
    });
  });

  describe("needs_history", () => {
    it("warns once of a rule under both conditions, at its name", () => {
      const when = "when: { intent_any: [a, b], turn_range: [2, 3] }";
      expect(warned(when, "rule: r", "then: { forbid_tool: t, max_tool_calls: 1 }")).toEqual([
        "needs_history r 2:7",
      ]);
    });

    it.each([
      ["the runtime is off", "when: { intent_any: [a] }", "then: { forbid_tool: t }", ciOnly],
      ["there is no condition", "when: {}", "then: { forbid_tool: t }", "severity: warning"],
      [
        "it holds from turn 1",
        "when: { turn_range: [1, 1] }",
        "then: { forbid_tool: t }",
        "severity: warning",
      ],
    ])("says nothing where %s", (_why, ...text) => {
      expect(warned("rule: r", ...text)).toEqual([]);
    });

    it("says nothing more of a rule that the guard cannot judge anyhow", () => {
      expect(warned("rule: r", "when: { intent_any: [a] }", "then: { require_tool: t }")).toEqual([
        "runtime_blind r 3:9",
      ]);
    });
  });

  describe("not_enforced", () => {
    it("warns of a rule with both exits off, once", () => {
      const off = "where: { ci: false, runtime: false }";
      const text = ["rule: r", "severity: info", "then: { forbid_tool: t }", off];
      expect(warned(...text)).toEqual(["not_enforced r 1:7"]);
      expect(messages(...text)[0]).toMatch(/both exits.*switch one on, or remove the rule/);
    });

    it("warns of severity info at runtime", () => {
      const text = ["rule: r", "severity: info", "then: { forbid_tool: t }"];
      expect(warned(...text)).toEqual(["not_enforced r 1:7"]);
      expect(messages(...text)[0]).toMatch(/severity info is enforced nowhere by default/);
    });

    it.each([
      ["severity: warning", "where: { ci: false }"],
      ["severity: warning", "where: { runtime: false }"],
      // A note in CI, on purpose.
      ["severity: info", "where: { runtime: false }"],
    ])("says nothing of { %s, %s }", (...text) => {
      expect(warned("rule: r", "then: { forbid_tool: t }", ...text)).toEqual([]);
    });
  });

  it("goes rule by rule, in the order of the set", () => {
    const forAll = "then: { require_tool: t, allow_tool: u, forbid_tool: v }";
    expect(warned("rule: a", forAll, "---", "severity: info", "rule: b", "then: { forbid_tool: t }")).toEqual(
      ["forbid_and_allow_in_one_rule a 2:41", "runtime_blind a 2:9", "not_enforced b 5:7"],
    );
  });
});
