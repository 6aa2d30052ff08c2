import { describe, expect, it } from "vitest";
import { intentReader } from "../../../src/rules/learn/user-intent.js";
import { wordLists } from "../../../src/rules/learn/word-lists.js";

const intent = intentReader(wordLists({ destructive: [], readonly: [] }));

describe("intentReader", () => {
  it.each([
    ["我上周那单还没到，帮我看下物流", "reads"],
    ["Where is my order?", "reads"],
    ["Any update on my parcel?", "reads"],
    // The act is the thing asked about.
    ["Where's my refund?", "reads"],
    ["帮我查一下退款进度", "reads"],
    ["退款到哪了", "reads"],
    // The act is ruled out.
    ["please don't refund it, just tell me where it is", "reads"],
    ["不要给我退款，只查快递", "reads"],
    ["我要退款", "acts"],
    ["Cancel my order, where is it anyway?", "acts"],
    ["It was cancelled? Show me", "acts"],
    ["对，就是那个蓝色的", "neither"],
    ["Thanks, bye", "neither"],
    // `buy` in `buyer`, `pay` in `display`.
    ["see the display for the buyer", "reads"],
  ])("takes %j as one that %s", (text, expected) => {
    expect(intent(text)).toBe(expected);
  });
});
