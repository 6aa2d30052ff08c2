import { describe, expect, it } from "vitest";
import type { Happening, ReservationState, RuleSetting } from "../../../../src/model/vocabulary.js";
import { atMost, forbidden, once, others, rule } from "../../../model/ruled/fixture.js";
import { invalid, observed, otherKey, store } from "../../history.js";
import { expectPass, expectRefusal, gateEqualsGuard as promise } from "../guard.js";
import {
  begins,
  breach,
  endsAtOnce,
  holding,
  lastOf,
  outcome,
  passes,
  refuses,
  row,
  rulesSet,
} from "../history.js";

describe("gate-equals-guard, of the code of a refusal", () => {
  const all = [once, forbidden, others, atMost(0)];

  it.each<[string, RuleSetting, readonly ReservationState[]]>([
    ["ledger_unreadable", all, ["unreadable"]],
    ["duplicate_transaction", all, ["reserved"]],
    ["duplicate_transaction", all, ["done"]],
    ["duplicate_transaction", all, ["unknown"]],
    ["forbidden_tool", all, []],
    ["tool_not_allowed", [once, atMost(0), others], []],
    ["too_many_calls", [once, atMost(0)], []],
    // The order in which the rules are written does not matter.
    ["forbidden_tool", all.toReversed(), []],
    ["ledger_unreadable", all.toReversed(), ["unreadable"]],
  ])("is %s", (code, rules, states) => {
    expectRefusal(code, begins, rulesSet(rules), holding(...states.map((state) => row(state))));
  });

  it.each<[string, RuleSetting, Happening]>([
    ["no rule is about keys", [], holding(row("unreadable"))],
    ["the rule about keys is not active", [rule(once.claim, { fromTurn: 1 })], holding(row("done"))],
    ["the row is of another key", [once], holding(row("done", { key: "JOB-002" }))],
    ["the row is of another tenant", [once], holding(row("unreadable", { tenant: "t2" }))],
    ["no reservations are shown", [once], observed(store())],
  ])("is none of the ledger's where %s", (_, rules, shown) => {
    expectPass("duplicate_transaction", begins, rulesSet(rules), shown);
    expectPass("ledger_unreadable", begins, rulesSet(rules), shown);
  });

  it("is the one that the rules give, and no other", () => {
    const history = [begins, rulesSet([forbidden]), refuses("a1", "tool_not_allowed")];
    expect(breach(promise, ...history)).toEqual({
      at: lastOf(...history),
      sentence: "a1 was refused for another reason than the rules give.",
      expected: "forbidden_tool",
      seen: "completed blocked/tool_not_allowed",
    });
    // A duplicate of what cannot be read is a guess.
    const guess = [
      begins,
      rulesSet([once]),
      holding(row("unreadable")),
      refuses("a1", "duplicate_transaction"),
    ];
    expect(breach(promise, ...guess)).toMatchObject({ expected: "ledger_unreadable" });
  });

  it("is told by a status of the rules: another stage does not stand in for them", () => {
    const before = [begins, rulesSet([forbidden])];
    const rejected = endsAtOnce("a1", outcome("a1", "input_rejected", "forbidden_tool", []));
    expect(breach(promise, ...before, rejected)).toMatchObject({
      expected: "forbidden_tool",
      seen: "completed input_rejected/forbidden_tool",
    });
  });
});

describe("gate-equals-guard, of a budget", () => {
  const five = [
    begins,
    rulesSet([forbidden]),
    refuses("a2", "forbidden_tool"),
    refuses("a3", "forbidden_tool"),
  ];

  it("counts the calls before the rules, and those that were refused", () => {
    expectRefusal("too_many_calls", ...five, rulesSet([atMost(2)]));
    expectRefusal("too_many_calls", ...five, rulesSet([atMost(9), atMost(1)]));
    expectPass("too_many_calls", ...five, rulesSet([atMost(3)]));
  });

  it("counts calls that a budget refused, and those of every key and tenant", () => {
    const before = [begins, rulesSet([atMost(1)]), passes("a2", { tenant: "t2", contract: otherKey })];
    expectRefusal("too_many_calls", ...before);
    expectRefusal("too_many_calls", ...before, refuses("a3", "too_many_calls"), rulesSet([atMost(2)]));
    expectPass("too_many_calls", ...before, refuses("a3", "too_many_calls"), rulesSet([atMost(3)]));
  });

  it("refuses the first call where none is allowed", () => {
    expectRefusal("too_many_calls", begins, rulesSet([atMost(0)]));
    expectPass("too_many_calls", begins, rulesSet([atMost(1)]));
  });

  it("counts no call that an earlier stage refuses", () => {
    const rejected = outcome("a2", "input_rejected", "copies", []);
    const before = [begins, rulesSet([atMost(1)]), endsAtOnce("a2", rejected, { contract: invalid })];
    expectPass("too_many_calls", ...before);
  });
});
