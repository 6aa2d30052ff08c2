import { describe, expect, it } from "vitest";
import { toolEffect } from "../../../src/rules/learn/tool-effect.js";
import { wordLists } from "../../../src/rules/learn/word-lists.js";

const builtIn = toolEffect(wordLists({ destructive: [], readonly: [] }));

describe("toolEffect", () => {
  it.each([
    // The article: what looks a refund up reads, whatever else is in its name.
    ["get_refund_status", "read_only"],
    ["查询退款", "read_only"],
    ["退款查询", "read_only"],
    ["getRefundStatus", "read_only"],
    ["refund_status", "read_only"],
    ["退款进度", "read_only"],
    ["refunds.list", "read_only"],
    ["mcp__shop__get_refund", "read_only"],
    ["order_status", "read_only"],
    ["refund_order", "destructive"],
    ["refundOrder", "destructive"],
    ["issue_refund", "destructive"],
    ["mcp__shop__cancel-order", "destructive"],
    ["refund.create", "destructive"],
    ["退款", "destructive"],
    ["取消订单", "destructive"],
    // A status that is changed, a list that is deleted.
    ["update_status", "changing"],
    ["更新状态", "changing"],
    ["delete_list", "destructive"],
    ["cancel_status", "destructive"],
    // An act joined on is an act.
    ["check_and_refund", "destructive"],
    ["查询并退款", "destructive"],
    // Parts of words are not words.
    ["display_paywall", "unknown"],
    ["gettysburg_refundable", "unknown"],
    ["合并订单", "unknown"],
    ["核销", "unknown"],
    ["", "unknown"],
  ])("takes %s as %s", (tool, effect) => {
    expect(builtIn(tool)).toBe(effect);
  });

  it("merges the hints of a project with the built-in words", () => {
    const hinted = toolEffect(
      wordLists({ destructive: ["核销", "writeOff"], readonly: ["试运行", "dry_run"] }),
    );
    expect(
      [
        "核销",
        "write_off_debt",
        "WriteOffDebt",
        "试运行退款",
        "dryRun_refund",
        "refund_order",
        "核销记录预览",
      ].map(hinted),
    ).toEqual([
      "destructive",
      "destructive",
      "destructive",
      "read_only",
      "read_only",
      "destructive",
      "read_only",
    ]);
  });

  it("lets a hint outweigh the built-in list that has the word", () => {
    const hinted = toolEffect(wordLists({ destructive: ["fetch"], readonly: ["冻结"] }));
    expect(["fetch_money", "冻结"].map(hinted)).toEqual(["destructive", "read_only"]);
  });
});
