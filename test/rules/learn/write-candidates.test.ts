import { describe, expect, it } from "vitest";
import { learn } from "../../../src/rules/learn/learn.js";
import { writeCandidates } from "../../../src/rules/learn/write-candidates.js";
import { parseRules } from "../../../src/rules/load/parse-rules.js";
import type { Trace } from "../../../src/rules/trace.js";
import { call, conversation } from "./trace-fixture.js";

function written(...traces: readonly Trace[]) {
  return writeCandidates(learn(traces, { hints: { destructive: [], readonly: [] }, rules: [] }));
}

function rulesOf(text: string) {
  const parsed = parseRules(text, "candidate.yaml");
  return parsed.kind === "loaded" ? [...parsed.rules] : [];
}

const refund = call("退款 order", { 订单号: "A1" });
const search = call("search_shop", { q: "a" });

describe("writeCandidates", () => {
  it("writes rules that load as they were meant", () => {
    const files = written(
      conversation("1", ["帮我看下物流", refund, refund]),
      conversation("2", ["hi", ...Array.from({ length: 10 }, () => search)]),
    );
    expect(files.map(({ fileName }) => fileName)).toEqual([
      "idempotent-退款-order.yaml",
      "forbid-退款-order.yaml",
      "limit-tool-calls.yaml",
    ]);
    const both = { where: { ci: true, runtime: true }, severity: "critical" };
    const key = { text: `\${订单号}`, parts: [{ kind: "argument", name: "订单号" }] };
    expect(files.flatMap(({ text }) => rulesOf(text))).toMatchObject([
      {
        ...both,
        name: "idempotent-退款-order",
        when: { intentAny: [], turnRange: undefined },
        // biome-ignore lint/suspicious/noThenProperty: the word of the rule language
        then: [{ kind: "idempotent", tool: "退款 order", key }],
      },
      {
        ...both,
        when: { intentAny: ["物流"] },
        // biome-ignore lint/suspicious/noThenProperty: the word of the rule language
        then: [{ kind: "forbid_tool", tools: ["退款 order"] }],
      },
      // The refunds needed two calls.
      {
        ...both,
        // biome-ignore lint/suspicious/noThenProperty: the word of the rule language
        then: [{ kind: "max_tool_calls", most: 4 }],
      },
    ]);
  });

  it("tells in comments how sure it is, what was seen where and what may be wrong", () => {
    const [repeated, forbidden] = written(conversation("1", ["帮我看下物流", refund, refund]));
    const comments = repeated?.text.split("\n").filter((line) => line.startsWith("#"));
    expect(comments?.slice(1)).toEqual([
      "# Confidence: 0.9",
      "# Evidence:",
      '# - recorded.json:12:3 conversation "1": "退款 order" in turn 1 and again in turn 1 with 订单号 "A1"',
    ]);
    expect(forbidden?.text).toContain("# Beware: Once one of the words was said");
  });

  it("leaves out what is below 0.6", () => {
    expect(written(conversation("1", ["Where's my refund?", call("refund_order", {})]))).toEqual([]);
  });

  it("leaves out what an existing rule covers", () => {
    const parsed = parseRules("rule: mine\nthen: { forbid_tool: refund_order }\n", "mine.yaml");
    const candidates = learn([conversation("1", ["Where is my parcel?", call("refund_order", {})])], {
      hints: { destructive: [], readonly: [] },
      rules: parsed.kind === "loaded" ? parsed.rules : [],
    });
    expect(candidates).toMatchObject([{ coveredBy: "mine" }]);
    expect(writeCandidates(candidates)).toEqual([]);
  });

  it.each([
    "refund\nthen: {}",
    "refund # x",
    "- refund: '\"",
    "refund\u0001\u0085\u2028",
    "&refund *x !y",
    "refund/../..",
    `refund_${"x".repeat(300)}`,
  ])("writes a rule that loads for a tool and a file called %j", (tool) => {
    const odd = call(tool, { order_id: `${tool}\n---\n` });
    const trace = conversation(tool, [`Where is my parcel? ${tool}`, odd, odd]);
    const candidates = learn([trace], { hints: { destructive: [], readonly: [] }, rules: [] });
    const files = writeCandidates(
      candidates.map((candidate) => ({
        ...candidate,
        evidence: candidate.evidence.map(({ text, at }) => ({ text, at: { ...at, file: tool } })),
      })),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const { fileName, text } of files) {
      expect(fileName).toMatch(/^[\p{L}\p{M}\p{N}_-]{1,90}\.yaml$/u);
      const [rule, second] = rulesOf(text);
      expect([rule?.name, second]).toEqual([fileName.replace(".yaml", ""), undefined]);
      expect(JSON.stringify(rule)).toContain(JSON.stringify(tool));
    }
  });
});
