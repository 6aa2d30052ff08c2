import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/model/vocabulary.js";
import { learn } from "../../../src/rules/learn/learn.js";
import { call, conversation } from "./trace-fixture.js";

type Outcome = "done" | "nothing_happened" | "unknown";
type Given = Readonly<Record<string, Json>>;

/** The key and the confidence that two calls of one tool give, or undefined. */
function learnt(tool: string, first: Given, second: Given, ...outcomes: readonly Outcome[]) {
  const calls = [call(tool, first, outcomes[0]), call(tool, second, outcomes[1])];
  const found = learn([conversation("one", ["hello", ...calls])], {
    hints: { destructive: [], readonly: [] },
    rules: [],
  }).find(({ rule }) => rule.claim.kind === "idempotent");
  const claim = found?.rule.claim;
  return claim?.kind === "idempotent" ? [claim.key, found?.confidence] : undefined;
}

describe("repeatedTransactions", () => {
  it.each([
    [
      "the name of a transaction and a destructive tool",
      "refund_order",
      { order_id: "A1" },
      `\${order_id}`,
      0.9,
    ],
    ["a tool of which nothing is known", "open_case", { order_id: "A1" }, `\${order_id}`, 0.8],
    ["the name of some thing", "refund_it", { ticket_id: 7 }, `\${ticket_id}`, 0.75],
    ["a value that looks like an id", "refund_it", { what: "A-1001" }, `\${what}`, 0.65],
    ["a person", "refund_it", { user_id: "U1" }, `\${user_id}`, 0.5],
    ["the better of two", "refund_it", { user_id: "U1", orderId: "A1" }, `\${orderId}`, 0.9],
    ["a Chinese name", "退款", { 退款单编号: "A1" }, `\${退款单编号}`, 0.9],
  ])("is so sure of %s", (_what, tool, given, key, confidence) => {
    expect(learnt(tool, given, given)).toEqual([key, confidence]);
  });

  it.each([
    ["a tool that only reads", "get_refund", { order_id: "A1" }],
    ["an amount", "refund_it", { amount: 5 }],
    ["a plain word", "refund_it", { reason: "damaged" }],
    ["a date", "refund_it", { day: "2024-05-01T10" }],
    ["the number of a page", "refund_it", { page_number: 2 }],
    ["a truth value", "refund_it", { order_id: true }],
    ["nothing", "refund_it", { order_id: "" }],
    // No key template can name it.
    ["a name with a brace", "refund_it", { "order}id": "A1" }],
  ])("finds no key in %s", (_what, tool, given) => {
    expect(learnt(tool, given, given)).toBeUndefined();
  });

  it("does not take different values for a repeat", () => {
    expect(learnt("refund_order", { order_id: "A1" }, { order_id: "A2" })).toBeUndefined();
  });

  it("takes the text 1 and the number 1 for the same, as a key does", () => {
    expect(learnt("refund_order", { order_id: "1" }, { order_id: 1 })).toEqual([`\${order_id}`, 0.9]);
  });

  it("does not count a call that did nothing, and is less sure after one that may have done nothing", () => {
    const given = { order_id: "A1" };
    expect(learnt("refund_order", given, given, "nothing_happened", "done")).toBeUndefined();
    expect(learnt("refund_order", given, given, "done", "nothing_happened")).toBeUndefined();
    expect(learnt("refund_order", given, given, "unknown", "done")).toEqual([`\${order_id}`, 0.8]);
  });

  it.each([
    ["another amount", { order_id: "A1", amount: 1 }, { order_id: "A1", amount: 2 }, 0.8],
    ["another item", { order_id: "A1", item_id: 1 }, { order_id: "A1", item_id: 2 }, 0.6],
    // Neither words nor the name of the attempt make another transaction.
    ["another reason", { order_id: "A1", reason: "late" }, { order_id: "A1", reason: "lost" }, 0.9],
    ["a new request id", { order_id: "A1", request_id: "r1" }, { order_id: "A1", request_id: "r2" }, 0.9],
  ])("of a destructive tool: %s", (_what, first, second, confidence) => {
    expect(learnt("refund_order", first, second)).toEqual([`\${order_id}`, confidence]);
  });

  it("is not sure where another tool got anything else the second time", () => {
    expect(learnt("send_note", { order_id: "A1", text: "hi" }, { order_id: "A1", text: "ho" })).toEqual([
      `\${order_id}`,
      0.5,
    ]);
  });

  it("does not take one person with two orders for a repeat", () => {
    const [first, second] = [
      { user_id: "U1", order_id: "A1" },
      { user_id: "U1", order_id: "A2" },
    ];
    expect(learnt("refund_order", first, second)).toBeUndefined();
  });

  it("compares within a conversation only, and is surer where a second one shows the same", () => {
    const one = call("refund_order", { order_id: "A1" });
    const options = { hints: { destructive: [], readonly: [] }, rules: [] };
    expect(learn([conversation("1", ["hi", one]), conversation("2", ["hi", one])], options)).toEqual([]);
    const twice = ["1", "2"].map((name) => conversation(name, ["hi", one, one]));
    expect(learn(twice, options)).toMatchObject([{ confidence: 0.93, evidence: [{}, {}] }]);
  });
});
