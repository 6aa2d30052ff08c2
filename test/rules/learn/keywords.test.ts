import { describe, expect, it } from "vitest";
import { keywords } from "../../../src/rules/learn/keywords.js";
import { wordLists } from "../../../src/rules/learn/word-lists.js";

const lists = wordLists({ destructive: ["核销"], readonly: [] });
const words = keywords(lists);

describe("keywords", () => {
  it.each([
    // The two examples of the article.
    ["我上周那单还没到，帮我看下物流", ["物流"]],
    ["对，就是那个蓝色的", ["蓝色"]],
    ["我的订单到哪了", ["订单"]],
    // An id never comes again.
    ["查询订单 A1001 的物流信息", ["订单", "物流"]],
    ["Where is my order status? It's #A1001, please", ["order", "status"]],
    ["WHERE is the Parcel’s tracking", ["parcel", "tracking"]],
    ["see https://example.org/order/delivery or mail shop@example.org", ["mail"]],
    // Words that a dictionary does not have, put together again.
    ["想看看余额", ["余额"]],
    // 的 and 到 inside a word do not cut it.
    ["目的地在哪", ["目的地"]],
    ["ok, thanks!", []],
    ["怎么还没到啊", []],
    ["", []],
  ])("finds in %j the words %j", (text, found) => {
    expect(words(text)).toEqual(found);
  });

  it.each([
    ["帮我查一下退款进度", ["进度"]],
    ["我要退款", []],
    ["Was the parcel refunded?", ["parcel"]],
    // A word inside a destructive one would meet whoever says that one.
    ["is the fund there", []],
    ["看下核销渠道", ["渠道"]],
  ])("never takes a destructive word: %j gives %j", (text, found) => {
    expect(words(text)).toEqual(found);
  });

  it("gives the first five words, each once", () => {
    expect(words("apple pear apple plum cherry grape melon")).toEqual([
      "apple",
      "pear",
      "plum",
      "cherry",
      "grape",
    ]);
  });

  it("finds composed and decomposed letters to be the same word", () => {
    expect(words("caf\u00e9 cafe\u0301")).toEqual(["caf\u00e9"]);
  });
});
