import { describe, expect, it } from "vitest";
import type { RuleSetting, RuleWord } from "../../../../src/model/vocabulary.js";
import { createAccount } from "../../../../src/properties/account.js";
import { forbidden, once, others, rule, ruled } from "../../../model/ruled/fixture.js";
import {
  auditUnavailable,
  ended,
  happened,
  invalid,
  noPolicy,
  observed,
  policy,
  store,
  valid,
} from "../../history.js";
import { expectPass, expectRefusal, gateEqualsGuard as promise, refusedWrongly, wentOn } from "../guard.js";
import {
  begins,
  breach,
  endsAtOnce,
  enters,
  gated,
  lastOf,
  occurs,
  outcome,
  passage,
  passes,
  refuses,
  rulesSet,
  said,
  type Telling,
} from "../history.js";

const banned = (condition: Partial<Pick<RuleWord, "saidAny" | "fromTurn">>) =>
  rule({ kind: "forbid" }, condition);

describe("gate-equals-guard, of when a rule is active", () => {
  it.each<[string, RuleSetting, readonly string[]]>([
    ["it has no condition", [forbidden], []],
    ["its word was said", [banned({ saidAny: ["order"] })], ["where is my order?"]],
    ["its word was said in capitals", [banned({ saidAny: ["order"] })], ["MY ORDER"]],
    ["its word is written in capitals and was said without", [banned({ saidAny: ["ORDER"] })], ["my Order"]],
    ["its word is no Latin one", [banned({ saidAny: ["订单"] })], ["我想查订单物流"]],
    ["another of its words was said", [banned({ saidAny: ["refund", "order"] })], ["my order"]],
    // It stays on: nothing said later takes back what was said.
    ["its word was said turns ago", [banned({ saidAny: ["order"] })], ["my order", "thanks", "the weather?"]],
    ["its turn has come", [banned({ fromTurn: 2 })], ["one", "two"]],
    ["its turn is past", [banned({ fromTurn: 2 })], ["one", "two", "three"]],
    // Both conditions hold, each for itself: the word need not be said in that turn.
    [
      "its word was said and its turn has come",
      [banned({ saidAny: ["order"], fromTurn: 2 })],
      ["my order", "so?"],
    ],
    ["one of two rules is", [banned({ saidAny: ["refund"] }), banned({ fromTurn: 1 })], ["one"]],
  ])("refuses where %s", (_, rules, texts) => {
    expectRefusal("forbidden_tool", begins, rulesSet(rules), ...texts.map(said));
    // The order does not matter: new rules are asked of the whole conversation.
    expectRefusal("forbidden_tool", begins, ...texts.map(said), rulesSet(rules));
  });

  it.each<[string, RuleSetting, readonly string[]]>([
    ["there is no rule", [], ["my order"]],
    ["nothing was said", [banned({ saidAny: ["order"] })], []],
    ["another word was said", [banned({ saidAny: ["order"] })], ["how is the weather?"]],
    // "ord" at the end of one text and "er" at the beginning of the next make no word.
    ["its word lies across two texts", [banned({ saidAny: ["order"] })], ["my ord", "er, please"]],
    ["its turn has not come", [banned({ fromTurn: 2 })], ["one"]],
    ["no turn has come", [banned({ fromTurn: 1 })], []],
    ["its word was said before its turn", [banned({ saidAny: ["order"], fromTurn: 2 })], ["my order"]],
    ["its turn has come without its word", [banned({ saidAny: ["order"], fromTurn: 1 })], ["hello"]],
  ])("lets pass where %s", (_, rules, texts) => {
    expectPass("forbidden_tool", begins, rulesSet(rules), ...texts.map(said));
  });

  it("asks the rules that were set last", () => {
    expectPass("forbidden_tool", begins, rulesSet([forbidden]), rulesSet([]));
    expectRefusal("tool_not_allowed", begins, rulesSet([forbidden]), rulesSet([others]));
  });

  it.each(["taken", "refused"] as const)(
    "heeds a sound set and no flawed one, also where it is %s",
    (answer) => {
      const { account, add } = createAccount(ruled, "draft", { kind: "limit", maxCopies: 3 });
      const sets = [rulesSet([forbidden], "none", answer), rulesSet([], "unknown_key", answer)];
      for (const event of happened(begins, sets)) add(event);
      expect(account.rules.setting).toEqual([forbidden]);
    },
  );

  it("keeps the rules before where a new set has a mistake", () => {
    expectRefusal("forbidden_tool", begins, rulesSet([forbidden]), rulesSet([], "unknown_key"));
    expectPass("forbidden_tool", begins, rulesSet([forbidden], "broken_file"));
  });
});

describe("gate-equals-guard, of a call that does not come to the rules", () => {
  const tooHeavy = valid("JOB-001", "D9", 4);
  const hangs = { kind: "checker_hangs", stage: "check" } as const;

  it.each<[string, Telling, Parameters<typeof enters>[1]]>([
    ["has no shape", [], { contract: invalid }],
    ["is above the limit", [], { contract: tooHeavy }],
    ["is above a limit that was lowered", [observed(store({ policy: policy(2, 1) }))], {}],
    ["meets no policy", [observed(store({ policy: noPolicy }))], {}],
    ["is not answered by the check", [], { faults: [hangs] }],
  ])("says that the rules refuse no call that %s", (_, before, more) => {
    const history = [begins, rulesSet([forbidden]), ...before];
    expect(
      breach(promise, ...history, endsAtOnce("a1", outcome("a1", "input_rejected", "no", []), more)),
    ).toBe("nothing");
    const refused = [...history, refuses("a1", "forbidden_tool", more)];
    expect(breach(promise, ...refused)).toEqual({
      ...refusedWrongly("blocked/forbidden_tool", ...refused),
      expected: "not_reached",
    });
    expect(occurs(promise, ...refused)).toBe(true);
  });

  it("says so of no other fault", () => {
    const faults = [{ kind: "checker_hangs", stage: "output" }] as const;
    const history = [begins, rulesSet([forbidden]), passes("a1", { faults })];
    expect(breach(promise, ...history)).toEqual(wentOn("forbidden_tool", ...history));
  });
});

describe("gate-equals-guard, of a call that ends in another way", () => {
  const before = [begins, rulesSet([forbidden])];
  const thrown = outcome("a1", "error", "after_reserve", passage.reserved);

  it("sees by its passage that it was let pass", () => {
    const history = [...before, endsAtOnce("a1", thrown)];
    expect(breach(promise, ...history)).toEqual({
      at: lastOf(...history),
      sentence: "a1 passed the rules although they refuse it.",
      expected: "forbidden_tool",
      seen: "completed error/after_reserve",
    });
    expect(breach(promise, begins, endsAtOnce("a1", thrown))).toBe("nothing");
  });

  it("does not ask a caller who was told nothing for a code", () => {
    expect(breach(promise, ...before, endsAtOnce("a1", auditUnavailable(passage.refused)))).toBe("nothing");
    const passed = [...before, endsAtOnce("a1", auditUnavailable(passage.ruledIn))];
    expect(breach(promise, ...passed)).toMatchObject({
      sentence: "a1 passed the rules although they refuse it.",
      seen: "audit_unavailable (receipt_write)",
    });
  });
});

describe("gate-equals-guard, of a rule set", () => {
  it("forbids to refuse a sound one", () => {
    const history = [begins, rulesSet([once], "none", "refused")];
    expect(breach(promise, ...history)).toEqual({
      at: lastOf(...history),
      sentence: "A rule set without a mistake was refused.",
      expected: "taken",
      seen: "refused",
    });
    expect(breach(promise, begins, rulesSet([once]))).toBe("nothing");
  });

  it.each(["unknown_key", "broken_file"] as const)("forbids to take one with a mistake: %s", (flaw) => {
    const history = [begins, rulesSet([], flaw, "taken")];
    expect(breach(promise, ...history)).toEqual({
      at: lastOf(...history),
      sentence: "A rule set with a mistake was taken instead of being refused.",
      expected: "refused",
      seen: "taken",
    });
    expect(breach(promise, begins, rulesSet([], flaw))).toBe("nothing");
  });
});

describe("gate-equals-guard", () => {
  it("is vacuous without a rule, a call that comes to the rules, or a verdict of the gate", () => {
    expect(occurs(promise, begins, passes("a1"))).toBe(false);
    expect(occurs(promise, begins, rulesSet([forbidden]), said("hello"))).toBe(false);
    expect(occurs(promise, begins, rulesSet([forbidden], "broken_file"), passes("a1"))).toBe(false);
    const rejected = outcome("a1", "input_rejected", "copies", []);
    const unreached = endsAtOnce("a1", rejected, { contract: invalid });
    expect(occurs(promise, begins, rulesSet([forbidden]), unreached)).toBe(false);
    expect(occurs(promise, begins, rulesSet([forbidden]), gated([]))).toBe(false);
    expect(occurs(promise, begins, rulesSet([forbidden]), enters("a1"))).toBe(false);
  });

  it("occurs where a call meets rules at its checkpoint or its end, and where the gate judges one", () => {
    expect(occurs(promise, begins, rulesSet([once]), passes("a1"))).toBe(true);
    expect(occurs(promise, begins, rulesSet([forbidden]), refuses("a1", "forbidden_tool"))).toBe(true);
    expect(occurs(promise, begins, passes("a1"), gated(["allow"]))).toBe(true);
    // What ended before there was a rule was not asked about one.
    const thrown = ended("a1", outcome("a1", "error", "busy", passage.begun), store());
    expect(occurs(promise, begins, enters("a1"), thrown, rulesSet([once]))).toBe(false);
  });
});
