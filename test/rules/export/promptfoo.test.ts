import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, parseDocument } from "yaml";
import { exportPromptfoo } from "../../../src/rules/export/promptfoo.js";
import type { Rule } from "../../../src/rules/rule.js";
import { brokenRules } from "./meaning.js";
import { failingTests, passes, readPromptfoo, step } from "./promptfoo-evaluator.js";
import { allow, atMost, call, forbid, once, remembers, requires, rule } from "./rule-and-trace.js";

const assertionsOf = (rules: readonly Rule[]) =>
  readPromptfoo(exportPromptfoo(rules).text).tests.flatMap(({ assert }) => assert);

describe("exportPromptfoo", () => {
  it("writes each forbidden tool in the text form", () => {
    expect(assertionsOf([rule("refund-safety", [forbid("refund_order", "退款")])])).toEqual([
      { type: "not-trajectory:tool-used", value: "refund_order" },
      { type: "not-trajectory:tool-used", value: "退款" },
    ]);
  });

  it("avoids the object form because promptfoo passes it whatever is called", () => {
    const value = { name: "refund_order", max: 0 };
    for (const calls of [[], [call("refund_order")], [call("get_order")]]) {
      expect(passes({ type: "not-trajectory:tool-used", value }, calls.map(step))).toBe(true);
    }
  });

  it("writes required tools and the most calls over tools and commands", () => {
    expect(assertionsOf([rule("order", [requires("get_order"), atMost(20)])])).toEqual([
      { type: "trajectory:tool-used", value: "get_order" },
      { type: "trajectory:step-count", value: { type: ["tool", "command"], max: 20 } },
    ]);
  });

  it("counts a command as a call", () => {
    const { text } = exportPromptfoo([rule("few", [atMost(1)])]);
    const calls = [call("get_order"), call("shell", { cmd: "ls -l" })];
    expect(failingTests(text, calls)).toEqual(["commitpoint rule few"]);
  });

  it.each([
    ["*", "pattern"],
    ["refund_*", "pattern"],
    ["refund?", "pattern"],
    ["refund[1]", "pattern"],
    ["refund_{order}", "pattern"],
    ["{{tool}}", "pattern"],
    ["!(refund)", "pattern"],
    ["a\\b", "pattern"],
    ["shell", "shell"],
    ["Exec_Command", "shell"],
    ["local_shell", "shell"],
    ["execute", "shell"],
    ["", "trims"],
    [" refund", "trims"],
    ["file://tools.js", "load"],
    ["package:tools:name", "load"],
  ])("refuses the tool name %j and keeps the tool beside it", (tool, because) => {
    for (const made of [forbid(tool, "get_order"), requires(tool, "get_order")]) {
      const { text, untranslated } = exportPromptfoo([rule("r", [made])]);
      expect(untranslated).toEqual([
        { rule: "r", assertion: made.kind, reason: expect.stringContaining(because) },
      ]);
      expect(readPromptfoo(text).tests.flatMap(({ assert }) => assert.map(({ value }) => value))).toEqual([
        "get_order",
      ]);
    }
  });

  it.each(["refund_order", "退款", "orders.refund", "mcp__shop__refund", "shop/refund", "shell_history"])(
    "takes the tool name %j as it is",
    (tool) => {
      expect(exportPromptfoo([rule("r", [forbid(tool)])]).untranslated).toEqual([]);
    },
  );

  it("refuses two tools that differ only by letter case", () => {
    const { untranslated } = exportPromptfoo([
      rule("a", [forbid("Refund")]),
      rule("b", [once("refund", "id")]),
    ]);
    expect(untranslated.map(({ rule: name, assertion }) => [name, assertion])).toEqual([
      ["a", "forbid_tool"],
      ["b", "idempotent"],
    ]);
  });

  it("says of allow_tool, idempotent and memory_persistence that they are lost", () => {
    const { text, untranslated } = exportPromptfoo([
      rule("all", [allow("get_order"), once("refund_order", "order_id"), remembers("no nuts")]),
    ]);
    expect(untranslated.map(({ assertion }) => assertion)).toEqual([
      "allow_tool",
      "idempotent",
      "memory_persistence",
    ]);
    expect(readPromptfoo(text).tests).toEqual([]);
    expect(text).toContain("THIS FILE CHECKS NOTHING");
  });

  it("says in the head, in the metadata and in the result what is lost", () => {
    const { text, untranslated } = exportPromptfoo([rule("pay\nonce", [once("charge_card", "order_id")])]);
    const [lost] = untranslated;
    expect(parseDocument(text).commentBefore).toContain(
      `- rule "pay\\nonce", idempotent: ${lost?.reason ?? "?"}`,
    );
    expect(readPromptfoo(text).metadata.commitpoint_untranslated).toEqual(untranslated);
  });

  it("keeps a rule under `when` as a test that always applies, and says so three times", () => {
    // The article's refund-safety: forbidden where the user asks for the delivery, right where he asks for a refund.
    const refundSafety = rule("refund-safety", [forbid("refund_order")], {
      when: { intentAny: ["物流"], turnRange: { first: 1, last: 3 } },
    });
    const { text, untranslated } = exportPromptfoo([refundSafety]);
    expect(failingTests(text, [call("refund_order")])).toEqual(["commitpoint rule refund-safety"]);
    expect(untranslated).toEqual([
      { rule: "refund-safety", assertion: "when", reason: expect.stringContaining("ALWAYS apply") },
    ]);
    expect(readPromptfoo(text).tests[0]?.metadata).toEqual({
      commitpoint_when: { intent_any: ["物流"], turn_range: [1, 3], ported: false },
    });
    expect(text).toMatch(/# WARNING: the condition of rule "refund-safety" is lost.*\n\s+- description:/);
  });

  it("leaves out a rule that is not for CI", () => {
    const { text, untranslated } = exportPromptfoo([
      rule("live", [forbid("refund_order")], { where: { ci: false, runtime: true } }),
    ]);
    expect(readPromptfoo(text).tests).toEqual([]);
    expect(untranslated.map(({ assertion }) => assertion)).toEqual(["where"]);
  });

  it("lets a rule of severity info be seen and never fail", () => {
    const { text } = exportPromptfoo([rule("note", [forbid("refund_order")], { severity: "info" })]);
    expect(readPromptfoo(text).tests[0]?.assert[0]?.weight).toBe(0);
    expect(failingTests(text, [call("refund_order")])).toEqual([]);
  });

  it("marks the provider as a placeholder", () => {
    const { text } = exportPromptfoo([rule("r", [atMost(1)])]);
    expect(text).toMatch(/# Placeholder: .*\n\s+- file:\/\/REPLACE/);
  });

  it("writes names that YAML 1.1 and 1.2 read differently so that both read the same", () => {
    const rules = ["no", "on", "~", "010", "1e3", "12:30", "2024-01-01", "=", "null"].map((name) =>
      rule(name, [forbid(name)], { when: { intentAny: [name], turnRange: undefined } }),
    );
    const { text } = exportPromptfoo(rules);
    expect(parse(text, { version: "1.1" })).toEqual(parse(text));
    expect(readPromptfoo(text).tests.map(({ assert }) => assert[0]?.value)).toEqual(
      rules.map(({ name }) => name),
    );
  });
});

describe("an exported promptfoo file", () => {
  const named = fc.constantFrom("get_order", "refund_order", "退款", "orders.refund");
  const tools = fc.array(named, { minLength: 1, maxLength: 3 });
  const assertion = fc.oneof(
    tools.map((list) => forbid(...list)),
    tools.map((list) => requires(...list)),
    fc.nat(6).map(atMost),
  );
  const rules = fc
    .array(
      fc.record({
        claims: fc.array(assertion, { minLength: 1, maxLength: 3 }),
        severity: fc.constantFrom("critical", "warning", "info"),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((drawn) => drawn.map(({ claims, severity }, index) => rule(`r${index}`, claims, { severity })));
  // Commands that begin with a tool's name, and tools that only resemble one.
  const traced = fc.oneof(
    named.map((tool) => call(tool)),
    named.map((tool) => call("shell", { cmd: `${tool} --now` })),
    fc.constantFrom("refund", "orders_refund", "refund_order_2", "shell").map((tool) => call(tool)),
  );

  it("fails the same rules as ours on the same calls", () => {
    fc.assert(
      fc.property(rules, fc.array(traced, { maxLength: 8 }), (drawn, calls) => {
        const { text, untranslated } = exportPromptfoo(drawn);
        expect(untranslated).toEqual([]);
        expect(failingTests(text, calls)).toEqual(
          brokenRules(drawn, calls).map((name) => `commitpoint rule ${name}`),
        );
      }),
      { numRuns: 500 },
    );
  });
});
