import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, parseDocument } from "yaml";
import { exportNemo } from "../../../src/rules/export/nemo.js";
import { allowed } from "./meaning.js";
import { letsThrough, readNemo } from "./nemo-evaluator.js";
import { allow, atMost, call, forbid, once, remembers, requires, rule } from "./rule-and-trace.js";

const readOnly = rule("read-only", [allow("get_order", "list_orders")]);
const declared = (text: string) =>
  readNemo(text).models[0].parameters?.tools.map((tool) => tool.function.name) ?? [];

describe("exportNemo", () => {
  it("turns on both built-in rails by their only names", () => {
    expect(readNemo(exportNemo([readOnly]).text).rails).toEqual({
      tool_call: { flows: ["tool call validation"] },
      tool_result: { flows: ["tool result validation"] },
    });
  });

  it("would guard nothing under another flow name", () => {
    const { text } = exportNemo([readOnly]);
    expect(letsThrough(text, call("refund_order"))).toBe(false);
    expect(letsThrough(text.replace("tool call validation", "tool validation"), call("refund_order"))).toBe(
      true,
    );
  });

  it("tells how to use it: IORails required, Colang 1.0, Chat Completions", () => {
    const head = parseDocument(exportNemo([readOnly]).text).commentBefore;
    for (const words of ["require_iorails=True", "Colang 1.0", "OpenAI Chat Completions"]) {
      expect(head).toContain(words);
    }
  });

  it("declares a tool with its description and its parameters", () => {
    const parameters = {
      type: "object",
      properties: { order_id: { type: "string" } },
      required: ["order_id"],
      additionalProperties: false,
    };
    const { text } = exportNemo(
      [rule("r", [allow("get_order")])],
      [
        { name: "get_order", description: "Reads an order", parameters },
        { name: "refund_order", parameters: {} },
      ],
    );
    expect(readNemo(text).models[0].parameters?.tools).toEqual([
      { type: "function", function: { name: "get_order", description: "Reads an order", parameters } },
    ]);
    expect(letsThrough(text, call("get_order", { order_id: "A1001" }))).toBe(true);
    expect(letsThrough(text, call("get_order"))).toBe(false);
    expect(letsThrough(text, call("get_order", { order_id: 1001 }))).toBe(false);
    expect(letsThrough(text, call("get_order", { order_id: "A1001", force: true }))).toBe(false);
  });

  it("lets a tool of unknown parameters take any arguments", () => {
    const { text } = exportNemo([readOnly]);
    expect(letsThrough(text, call("get_order", { order_id: "A1001" }))).toBe(true);
    expect(letsThrough(text, call("get_order"))).toBe(true);
  });

  it("declares what every list allows, because each list judges on its own", () => {
    const { text } = exportNemo([readOnly, rule("second", [allow("get_order", "refund_order")])]);
    expect(declared(text)).toEqual(["get_order"]);
  });

  it("refuses every call where no tool is in all lists", () => {
    const { text } = exportNemo([readOnly, rule("second", [allow("refund_order")])]);
    expect(declared(text)).toEqual([]);
    expect(letsThrough(text, call("get_order"))).toBe(false);
  });

  it("says of every other assertion that it is lost", () => {
    const others = [forbid("a"), requires("a"), atMost(1), once("a", "id"), remembers("no nuts")];
    const { text, untranslated } = exportNemo([rule("others", others)]);
    expect(untranslated.map(({ assertion }) => assertion)).toEqual(others.map(({ kind }) => kind));
    expect(readNemo(text).rails).toBeUndefined();
    expect(text).toContain("THIS FILE GUARDS NOTHING");
  });

  it.each([
    ["get_order", "lets it through"],
    ["refund_order", "refuses it always"],
  ])("tells what the closed list does with the forbidden tool %s", (tool, what) => {
    const { untranslated } = exportNemo([readOnly, rule("ban", [forbid(tool)])]);
    expect(untranslated).toEqual([
      { rule: "ban", assertion: "forbid_tool", reason: expect.stringContaining(what) },
    ]);
  });

  it.each(["退款", "orders.refund", "a b", "x".repeat(65), "function"])(
    "leaves out the tool %j, which the API takes for no function name",
    (tool) => {
      const { text, untranslated } = exportNemo([rule("r", [allow(tool, "get_order")])]);
      expect(declared(text)).toEqual(["get_order"]);
      expect(untranslated.map(({ assertion }) => assertion)).toEqual(["allow_tool"]);
    },
  );

  it("keeps a list under `when` as one that always applies, and says so three times", () => {
    const when = { intentAny: ["status"], turnRange: undefined };
    const { text, untranslated } = exportNemo([rule("asks", [allow("get_order")], { when })]);
    expect(letsThrough(text, call("refund_order"))).toBe(false);
    expect(untranslated).toEqual([
      { rule: "asks", assertion: "when", reason: expect.stringContaining("ALWAYS applies") },
    ]);
    expect(readNemo(text).custom_data.commitpoint_when).toEqual([
      { rule: "asks", intent_any: ["status"], ported: false },
    ]);
    expect(text).toContain('# WARNING: the condition of "asks" is lost.');
  });

  it.each([
    ["where", { where: { ci: true, runtime: false } }],
    ["severity", { severity: "info" as const }],
  ])("leaves out a list that the guard does not enforce by its %s", (assertion, differences) => {
    const { text, untranslated } = exportNemo([rule("r", [allow("get_order")], differences)]);
    expect(untranslated.map((each) => each.assertion)).toEqual([assertion]);
    expect(readNemo(text).rails).toBeUndefined();
  });

  it("says in the head, in the file's own data and in the result what is lost", () => {
    const { text, untranslated } = exportNemo([readOnly, rule("few", [atMost(3)])]);
    expect(parseDocument(text).commentBefore).toContain(
      `- rule "few", max_tool_calls: ${untranslated[0]?.reason}`,
    );
    expect(readNemo(text).custom_data.commitpoint_untranslated).toEqual(untranslated);
  });

  it("writes names that YAML 1.1 and 1.2 read differently so that both read the same", () => {
    const { text } = exportNemo([rule("off", [allow("no", "on", "010", "1e3", "12_30")])]);
    expect(parse(text, { version: "1.1" })).toEqual(parse(text));
    expect(declared(text)).toEqual(["no", "on", "010", "1e3", "12_30"]);
  });
});

describe("an exported NeMo Guardrails file", () => {
  const named = fc.constantFrom("get_order", "refund_order", "list-orders", "no");
  const lists = fc.array(fc.array(named, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  const argument = fc.dictionary(fc.constantFrom("order_id", "force"), fc.oneof(fc.string(), fc.integer()));
  const tool = fc.oneof(named, fc.constantFrom("refund", "GET_ORDER", "function", undefined));

  it("lets through the same calls as ours", () => {
    fc.assert(
      fc.property(lists, tool, argument, (drawn, called, known) => {
        const rules = drawn.map((list, index) => rule(`r${index}`, [allow(...list)]));
        const { text, untranslated } = exportNemo(rules);
        const made = call(called, known);
        expect(untranslated).toEqual([]);
        expect(letsThrough(text, made)).toBe(allowed(rules, made));
      }),
      { numRuns: 500 },
    );
  });
});
