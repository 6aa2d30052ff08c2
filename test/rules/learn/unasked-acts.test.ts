import { describe, expect, it } from "vitest";
import { learn } from "../../../src/rules/learn/learn.js";
import type { Trace } from "../../../src/rules/trace.js";
import { call, conversation } from "./trace-fixture.js";

const refund = call("refund_order", { order_id: "A1" });
const change = call("update_address", {});

function learnt(...traces: readonly Trace[]) {
  return learn(traces, { hints: { destructive: [], readonly: [] }, rules: [] });
}

describe("unaskedActs", () => {
  it("forbids an act under the words of a user who only asked", () => {
    expect(learnt(conversation("1", ["Where is my parcel?", refund]))).toMatchObject([
      { rule: { when: { intentAny: ["parcel"] } }, confidence: 0.82 },
    ]);
  });

  it("is less sure of a tool that merely changes something", () => {
    expect(learnt(conversation("1", ["Where is my parcel?", change]))).toMatchObject([{ confidence: 0.62 }]);
  });

  it.each([
    ["asked for the act", ["Refund my parcel, where is it?", refund]],
    ["asked for nothing at all", ["Good morning to the whole team", refund]],
    ["was answered by a reader", ["Where is my parcel?", call("get_refund", {})]],
  ] as const)("has no candidate where the user %s", (_what, turn) => {
    expect(learnt(conversation("1", [...turn]))).toEqual([]);
  });

  it("looks at what was said up to the call, not after it", () => {
    expect(learnt(conversation("1", ["Hello there", refund], ["Where is my parcel?"]))).toEqual([]);
    expect(
      learnt(conversation("1", ["Where is my parcel?"], ["Please refund it"], ["Thanks", refund])),
    ).toEqual([]);
    expect(learnt(conversation("1", ["Where is my parcel?", refund], ["Please refund it"]))).toHaveLength(1);
  });

  it("takes an act that was asked for once as asked for from then on", () => {
    expect(learnt(conversation("1", ["Please refund my parcel"], ["When will it come?", refund]))).toEqual(
      [],
    );
  });

  it("takes the words of other turns where the question has none, and is less sure then", () => {
    const trace = conversation("1", ["A blue sofa"], ["Where is it?", refund]);
    expect(learnt(trace)).toMatchObject([
      { rule: { when: { intentAny: ["blue", "sofa"] } }, confidence: 0.7 },
    ]);
  });

  it("stays below 0.6 without words and says that the rule would apply always", () => {
    const [candidate] = learnt(conversation("1", ["Where's my refund?", refund]));
    expect(candidate).toMatchObject({ rule: { when: { intentAny: [] } }, confidence: 0.55 });
    expect(candidate?.rule.description).toContain("no `when`: it applies always");
  });

  it("has no destructive word in any condition", () => {
    const texts = [
      "查下退款进度和物流",
      "Where is the refund for my prepayment and the parcel?",
      "取消进度到哪了，看下快递",
    ];
    const candidates = learnt(...texts.map((text, index) => conversation(`${index}`, [text, refund])));
    const words = candidates.flatMap(({ rule }) => rule.when.intentAny);
    expect(words).toContain("物流");
    expect(words.filter((word) => /refund|pay|退款|取消/.test(word))).toEqual([]);
  });

  it("is less sure where the rule would also refuse a call that was asked for, and names it", () => {
    const bad = conversation("bad", ["Where is my parcel?", refund]);
    const good = conversation("good", ["My parcel is broken"], ["Refund it please", refund]);
    const [candidate] = learnt(bad, good);
    expect(candidate?.confidence).toBe(0.52);
    expect(candidate?.warnings.join(" ")).toContain('"good" turn 2');
    // Said only after the call: the rule would not have been active.
    const later = conversation("later", ["Refund it please", refund], ["My parcel is broken"]);
    expect(learnt(bad, later)).toMatchObject([{ confidence: 0.82 }]);
  });
});
