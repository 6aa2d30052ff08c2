import { describe, expect, it } from "vitest";
import { learn } from "../../../src/rules/learn/learn.js";
import type { Trace } from "../../../src/rules/trace.js";
import { call, conversation } from "./trace-fixture.js";

const hints = { destructive: [], readonly: [] };

function claims(...traces: readonly Trace[]) {
  return learn(traces, { hints, rules: [] }).map(({ rule, confidence }) => ({ ...rule.claim, confidence }));
}

const refund = (order: string, outcome?: "done" | "nothing_happened" | "unknown") =>
  call("refund_order", { order_id: order }, outcome);

/** The article's incident, in our words: a question about delivery, answered by two refunds. */
const incident = conversation(
  "incident",
  ["我上周那单还没到，帮我看下物流", call("get_order", { order_id: "A1001" })],
  ["对，就是那个蓝色的", refund("A1001"), refund("A1001")],
);

describe("learn", () => {
  it("finds in the incident a repeated and an unasked refund, the surer first, with evidence at its place", () => {
    expect(learn([incident], { hints, rules: [] })).toMatchObject([
      {
        rule: {
          name: "idempotent-refund_order",
          severity: "critical",
          when: { intentAny: [], turnRange: undefined },
          claim: { kind: "idempotent", tool: "refund_order", key: `\${order_id}` },
        },
        // The article's figure for the same case; 0.8 for the name of a transaction, 0.1 for the tool.
        confidence: 0.9,
        // Turn 2 stands on line 20, its second call on line 22.
        evidence: [{ at: { file: "recorded.json", line: 22, column: 3 } }],
        coveredBy: undefined,
        warnings: [],
      },
      {
        rule: {
          name: "forbid-refund_order",
          when: { intentAny: ["物流"] },
          claim: { kind: "forbid_tool", tool: "refund_order" },
        },
        confidence: 0.82,
        evidence: [{ at: { line: 21 } }, { at: { line: 22 } }],
      },
    ]);
  });

  it("says which turns and which value it saw", () => {
    const [repeated] = learn([incident], { hints, rules: [] });
    expect(repeated?.evidence[0]?.text).toBe(
      'conversation "incident": "refund_order" in turn 2 and again in turn 2 with order_id "A1001"',
    );
  });

  it("is as sure of Chinese names", () => {
    const call订单 = call("退款", { 订单号: "A1001" });
    const trace = conversation("中文", ["帮我看下物流", call订单, call订单]);
    expect(claims(trace)).toEqual([
      { kind: "idempotent", tool: "退款", key: `\${订单号}`, confidence: 0.9 },
      { kind: "forbid_tool", tool: "退款", confidence: 0.82 },
    ]);
  });

  it("gives the same candidates for the same traces, and none for none", () => {
    expect(learn([incident], { hints, rules: [] })).toEqual(learn([incident], { hints, rules: [] }));
    expect(learn([], { hints, rules: [] })).toEqual([]);
  });

  it("gives each candidate a name of its own that is safe as a file name", () => {
    const odd = ["a/b refund", "a:b refund", "../refund", "A-B-REFUND"].map((tool) =>
      call(tool, { order_id: "A1" }),
    );
    const trace = conversation("odd", ["hello", ...odd, ...odd]);
    const taken = learn([incident], { hints, rules: [] }).map(({ rule }) => rule.name);
    const names = learn([trace], { hints, rules: [] }).map(({ rule }) => rule.name);
    expect(taken).toContain("idempotent-refund_order");
    expect(names).toEqual([
      "idempotent-a-b-refund",
      "idempotent-a-b-refund-2",
      "idempotent-refund",
      // Differs in letter case alone, which some file systems ignore.
      "idempotent-A-B-REFUND-3",
    ]);
  });

  it("leaves unnamed calls out", () => {
    const unnamed = call(undefined, { order_id: "A1" });
    expect(claims(conversation("one", ["where is it?", unnamed, unnamed, unnamed, unnamed]))).toEqual([]);
  });
});
