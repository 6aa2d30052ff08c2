import { describe, expect, it } from "vitest";
import { learn } from "../../../src/rules/learn/learn.js";
import { parseRules } from "../../../src/rules/load/parse-rules.js";
import { call, conversation } from "./trace-fixture.js";

const refund = call("refund_order", { order_id: "A1" });
const search = call("search_shop", { q: "sofa" });
/** Suggests: one refund an order; no refund under `tracking`; at most three calls, one below the loop. */
const traces = [
  conversation("1", ["Show me the tracking", refund, refund]),
  conversation("2", ["hi", search, search, search, search]),
];

function covered(yaml: string): readonly string[] {
  const parsed = parseRules(yaml, "rules.yaml");
  const rules = parsed.kind === "loaded" ? parsed.rules : [];
  expect(rules).not.toEqual([]);
  return learn(traces, { hints: { destructive: [], readonly: [] }, rules })
    .filter(({ coveredBy }) => coveredBy === "mine")
    .map(({ rule }) => rule.claim.kind);
}

describe("coveredBy", () => {
  it.each([
    [`then: { idempotent: { tool: refund_order, key: '\${order_id}' } }`, ["idempotent"]],
    // The other text is the same for every call.
    [`then: { idempotent: { tool: refund_order, key: 'order \${order_id}' } }`, ["idempotent"]],
    ["then: { forbid_tool: [send, refund_order] }", ["forbid_tool"]],
    ["then: { allow_tool: [get_order] }", ["forbid_tool"]],
    ["when: { intent_any: [TRACK, other] }\nthen: { forbid_tool: refund_order }", ["forbid_tool"]],
    ["when: { turn_range: [1, 1] }\nthen: { forbid_tool: refund_order }", ["forbid_tool"]],
    ["then: { max_tool_calls: 3 }", ["max_tool_calls"]],
    [
      "severity: warning\nthen: { max_tool_calls: 1, forbid_tool: refund_order }",
      ["forbid_tool", "max_tool_calls"],
    ],
  ])("is named by a rule that refuses as much: %s", (yaml, kinds) => {
    expect(covered(`rule: mine\n${yaml}\n`)).toEqual(kinds);
  });

  it.each([
    `then: { idempotent: { tool: refund_order, key: '\${order_id}-\${amount}' } }`,
    `then: { idempotent: { tool: charge_card, key: '\${order_id}' } }`,
    `when: { intent_any: [tracking] }\nthen: { idempotent: { tool: refund_order, key: '\${order_id}' } }`,
    "when: { intent_any: [parcel] }\nthen: { forbid_tool: refund_order }",
    "when: { intent_any: [tracking number] }\nthen: { forbid_tool: refund_order }",
    "when: { turn_range: [2, 9] }\nthen: { forbid_tool: refund_order }",
    "then: { forbid_tool: refund }",
    "then: { allow_tool: [refund_order] }",
    "then: { require_tool: refund_order }",
    "then: { max_tool_calls: 4 }",
    "then: { forbid_tool: refund_order }\nwhere: { runtime: false }",
    // Shown, not enforced.
    "severity: info\nthen: { forbid_tool: refund_order }",
  ])("is not named by one that refuses less: %s", (yaml) => {
    expect(covered(`rule: mine\n${yaml}\n`)).toEqual([]);
  });
});
