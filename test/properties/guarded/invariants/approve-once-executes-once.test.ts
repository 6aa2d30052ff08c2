import { describe, expect, it } from "vitest";
import { forest1, page } from "../../../model/guarded/fixture.js";
import { accepted, effectRow, ended, receiptRow, useRow, waiting } from "../../../model/guarded/history.js";
import {
  asks,
  breach,
  broken,
  executes,
  lastOf,
  moves,
  occurs,
  paged,
  pages,
  read,
  type Stored,
  sameCall,
  starts,
} from "../history.js";

const promise = "approve-once-executes-once";

/** After c-a1 has paged, a3 comes with the same call and leaves these effects. */
function again(stored: Stored, intent = page) {
  return [
    ...pages,
    ...starts("a3", "before_business", paged, intent, sameCall),
    ...moves("a3", "after_business", { ...paged, ...stored }),
  ];
}

describe("approve-once-executes-once", () => {
  it("allows a call that was used to come again and leave nothing", () => {
    expect(breach(promise, again({}))).toBe("nothing");
    expect(occurs(promise, again({}))).toBe(true);
  });

  it("is vacuous until a call that was used is told how it ended", () => {
    expect(occurs(promise, asks)).toBe(false);
    expect(occurs(promise, executes)).toBe(false);
    expect(occurs(promise, pages)).toBe(true);
  });

  it("forbids a second effect of one call", () => {
    const history = again({ effects: [effectRow, effectRow] });
    const one = "notify_oncall  of t1: digest page-search, body slow, revision 1";
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "While a3 moved, call c-a1 executed a second time.",
      expected: "at most one effect of a call",
      seen: `${one}; ${one}`,
    });
  });

  it("forbids one of another tool and with other arguments, too", () => {
    const draft = { ...effectRow, tool: "draft", key: "JOB-002", digest: "forest-1", body: "F" };
    const history = again({ effects: [effectRow, draft] }, forest1);
    expect(breach(promise, history)).toEqual({
      at: lastOf(history),
      sentence: "While a3 moved, call c-a1 executed a second time.",
      expected: "at most one effect of a call",
      seen:
        "notify_oncall  of t1: digest page-search, body slow, revision 1; " +
        "draft JOB-002 of t1: digest forest-1, body F, revision 1",
    });
  });

  it("forbids two effects that appear at once", () => {
    const history = [
      read(),
      ...starts("a1", "before_business", {}),
      ...moves("a1", "after_business", { effects: [effectRow, effectRow] }),
    ];
    expect(breach(promise, history)).toMatchObject({
      at: lastOf(history),
      sentence: "While a1 moved, call c-a1 executed a second time.",
    });
  });

  it.each(["callId", "runId", "tenant"] as const)(
    "takes effects that differ in %s for those of two calls",
    (field) => {
      const other = { ...effectRow, [field]: "other" };
      expect(breach(promise, again({ effects: [effectRow, other] }))).toBe("nothing");
    },
  );

  it("does not mind the effect staying where it is", () => {
    const receipts = [
      receiptRow(1, "a1", waiting),
      receiptRow(2, "a2", accepted),
      receiptRow(3, "a3", accepted),
    ];
    const history = [...again({}), ended("a3", 3, accepted), read({ ...paged, receipts, uses: [useRow] })];
    expect(breach(promise, history)).toBe("nothing");
    expect(broken(again({ effects: [effectRow, effectRow] }))).toContain(promise);
  });
});
