import { describe, expect, it } from "vitest";
import type { Code, Outcome, RuleSetting, TraceFlaw } from "../../../../src/model/vocabulary.js";
import { atMost, forbidden, once, others, rule } from "../../../model/ruled/fixture.js";
import {
  auditUnavailable,
  cancelled,
  crashedAt,
  crashedAtRest,
  ended,
  firstRequest,
  invalid,
  otherKey,
  receipt,
  store,
  unknown,
} from "../../history.js";
import {
  begins,
  breach,
  endsAtOnce,
  type enters,
  gated,
  lastOf,
  outcome,
  passage,
  passes,
  refuses,
  rulesSet,
  said,
  type Telling,
} from "../history.js";

const promise = "gate-equals-guard";

/** The gate of the guard's own rules: what it may say of the calls before, and what is broken if it says this. */
function saysOf(before: Telling, verdicts: readonly Code[], flaw: TraceFlaw = "none") {
  return breach(promise, begins, ...before, gated(verdicts, flaw));
}

function otherwise(before: Telling, call: number, expected: string, seen: string) {
  const sentence = `The gate judges call ${call} of the trace otherwise than the rules say.`;
  return { at: lastOf(begins, ...before, gated([])), sentence, expected, seen };
}

/** The gate has to say this of the last call before, and nothing else. */
function expectOfLast(
  before: Telling,
  earlier: readonly Code[],
  verdict: Code,
  flaw: TraceFlaw = "none",
): void {
  expect(saysOf(before, [...earlier, verdict], flaw)).toBe("nothing");
  const other = verdict === "allow" ? "forbidden_tool" : "allow";
  expect(saysOf(before, [...earlier, other], flaw)).toEqual(
    otherwise(before, earlier.length + 1, verdict, other),
  );
}

describe("the gate, held against the guard's rules", () => {
  it("has a verdict for each call that came to the rules, and for no other", () => {
    expect(saysOf([], [])).toBe("nothing");
    const rejected = outcome("a1", "input_rejected", "copies", []);
    const calls = [endsAtOnce("a1", rejected, { contract: invalid }), passes("a2"), passes("a3")];
    expect(saysOf(calls, ["allow", "allow"])).toBe("nothing");
    expect(saysOf(calls, ["allow"])).toEqual(
      otherwise(calls, 2, "allow", "no verdict: the call is not among those judged"),
    );
    expect(saysOf(calls, ["allow", "allow", "allow"])).toEqual({
      at: lastOf(begins, ...calls, gated([])),
      sentence: "The gate judges calls that were never made.",
      expected: "2 calls",
      seen: "3",
    });
  });

  it("judges by the rules as they are now", () => {
    const calls = [rulesSet([forbidden]), refuses("a1", "forbidden_tool"), rulesSet([])];
    expectOfLast(calls, [], "allow");
    expectOfLast([passes("a1"), rulesSet([others])], [], "tool_not_allowed");
    expectOfLast([passes("a1"), rulesSet([forbidden], "unknown_key")], [], "allow");
  });

  it("knows at a call only what had been said by then", () => {
    const rules = rulesSet([rule(forbidden.claim, { saidAny: ["Order"] })]);
    expectOfLast([passes("a1"), said("my order"), rules], [], "allow");
    expectOfLast([said("my order"), passes("a1"), rules], [], "forbidden_tool");
    const turns = [said("hello"), passes("a1"), said("MY ORDER"), passes("a2"), said("thanks"), passes("a3")];
    expect(saysOf([...turns, rules], ["allow", "forbidden_tool", "forbidden_tool"])).toBe("nothing");
    const late = rulesSet([rule(forbidden.claim, { fromTurn: 2 })]);
    expect(saysOf([...turns, late], ["allow", "forbidden_tool", "forbidden_tool"])).toBe("nothing");
    expect(saysOf([...turns, late], ["allow", "allow", "forbidden_tool"])).toEqual(
      otherwise([...turns, late], 2, "forbidden_tool", "allow"),
    );
  });

  it("counts every call of the trace, also a refused one", () => {
    const calls = [rulesSet([forbidden]), refuses("a1", "forbidden_tool"), refuses("a2", "forbidden_tool")];
    expectOfLast([...calls, rulesSet([atMost(1)])], ["allow"], "too_many_calls");
    expectOfLast([...calls, rulesSet([atMost(2)])], ["allow"], "allow");
  });

  it("gives the first code in the order in which the guard gives them", () => {
    const committed = endsAtOnce("a1", outcome("a1", "accepted", "ok", passage.committed));
    const judgedBy = (...rules: RuleSetting) => [committed, passes("a2"), rulesSet(rules)];
    expect(
      saysOf(judgedBy(others, atMost(0), forbidden, once), ["forbidden_tool", "duplicate_transaction"]),
    ).toBe("nothing");
    expectOfLast(judgedBy(others, atMost(0), forbidden), ["forbidden_tool"], "forbidden_tool");
    expectOfLast(judgedBy(others, atMost(0)), ["tool_not_allowed"], "tool_not_allowed");
    expectOfLast(judgedBy(atMost(0)), ["too_many_calls"], "too_many_calls");
  });
});

describe("the gate, of a call on the key of an earlier one", () => {
  const now = rulesSet([once]);

  it.each<[string, Outcome]>([
    ["committed", outcome("a1", "accepted", "ok", passage.committed)],
    ["met its effect again", outcome("a1", "accepted", "ok", passage.reused)],
    ["threw right after its commit", outcome("a1", "error", "after_commit", passage.committed)],
    ["was rejected on its way out", outcome("a1", "output_rejected", "format", passage.committed)],
    ["committed, though its audit failed", auditUnavailable(passage.committed)],
  ])("says that it is a duplicate where that %s", (_, end) => {
    expectOfLast([endsAtOnce("a1", end), passes("a2"), now], ["allow"], "duplicate_transaction");
  });

  it.each<[string, Outcome]>([
    ["was rolled back", outcome("a1", "error", "inside_transaction", passage.begun)],
    ["met a policy that had changed", outcome("a1", "policy_changed", "policy_changed", passage.begun)],
    ["gave its key back", outcome("a1", "error", "after_reserve", passage.reserved)],
  ])("allows it where that %s", (_, end) => {
    expectOfLast([endsAtOnce("a1", end), passes("a2"), now], ["allow"], "allow");
  });

  it("allows it where that was refused by the rules", () => {
    const before = [rulesSet([forbidden]), refuses("a1", "forbidden_tool"), rulesSet([]), passes("a2"), now];
    expectOfLast(before, ["allow"], "allow");
  });

  it.each<[string, Parameters<typeof enters>[1]]>([
    ["key", { contract: otherKey }],
    ["tenant", { tenant: "t2" }],
  ])("allows it under another %s", (_, more) => {
    const committed = endsAtOnce("a1", outcome("a1", "accepted", "ok", passage.committed));
    expectOfLast([committed, passes("a2", more), now], ["allow"], "allow");
  });

  it("allows it where the rule was not active at the earlier one", () => {
    const committed = endsAtOnce("a1", outcome("a1", "accepted", "ok", passage.committed));
    const later = rulesSet([rule(once.claim, { fromTurn: 1 })]);
    expectOfLast([committed, said("hello"), passes("a2"), later], ["allow"], "allow");
    expectOfLast([said("hello"), committed, passes("a2"), later], ["allow"], "duplicate_transaction");
  });

  // The harness does not know what became of them, and does not pretend to.
  it.each<[string, Telling]>([
    ["is under way", [passes("a1")]],
    ["was lost where it stood", [passes("a1"), crashedAtRest("a1")]],
    ["was killed behind its commit", [passes("a1"), crashedAt("after_commit", "a1")]],
    ["has an answer that tells nothing, and no receipt", [passes("a1"), ended("a1", unknown(), store())]],
    [
      "could not write down how it ended",
      [passes("a1"), ended("a1", auditUnavailable(passage.begun), store())],
    ],
    ["was cancelled without a receipt", [passes("a1"), ended("a1", cancelled, store())]],
  ])("may judge it either way where that %s", (_, first) => {
    const before = [...first, passes("a2"), now];
    expect(saysOf(before, ["allow", "allow"])).toBe("nothing");
    expect(saysOf(before, ["allow", "duplicate_transaction"])).toBe("nothing");
    expect(saysOf(before, ["allow", "forbidden_tool"])).toEqual(
      otherwise(before, 2, "duplicate_transaction or allow", "forbidden_tool"),
    );
  });

  it.each([
    [passage.committed, "duplicate_transaction"],
    [passage.ruledIn, "allow"],
  ] as const)("believes the receipt of a call that was cancelled: %s", (events, verdict) => {
    const receipts = [receipt(1, "a1", { status: "cancelled", code: "cancelled", events })];
    const first = [passes("a1"), ended("a1", cancelled, store({ receipts }))];
    expectOfLast([...first, passes("a2"), now], ["allow"], verdict);
  });

  it("looks at what a lost call leaves open only where its key is met again", () => {
    const before = [passes("a1"), crashedAtRest("a1"), passes("a2", { contract: otherKey }), now];
    expectOfLast(before, ["allow"], "allow");
  });
});

describe("the gate, of a trace that does not show all of its last call", () => {
  const committed = endsAtOnce("a1", outcome("a1", "accepted", "ok", passage.committed));

  it.each<[string, RuleSetting, Code]>([
    ["no rule", [], "allow"],
    ["a rule that forbids", [forbidden], "unnamed_call"],
    ["a closed list", [others], "unnamed_call"],
    ["a rule about keys", [once], "unnamed_call"],
    ["a budget that holds", [atMost(2)], "allow"],
    // It counts whatever is called.
    ["a budget that is spent", [atMost(1)], "too_many_calls"],
    ["a spent budget beside a rule that forbids", [forbidden, atMost(1)], "too_many_calls"],
    ["a rule that is not active", [rule(forbidden.claim, { fromTurn: 1 })], "allow"],
  ])("says of one without a name, under %s", (_, rules, verdict) => {
    const before = [
      endsAtOnce("a1", outcome("a1", "error", "busy", passage.begun)),
      passes("a2"),
      rulesSet(rules),
    ];
    const first = rules.includes(forbidden)
      ? "forbidden_tool"
      : rules.includes(others)
        ? "tool_not_allowed"
        : "allow";
    expectOfLast(before, [first], verdict, "unnamed_call");
  });

  it.each<[string, RuleSetting, Code, Code]>([
    ["no rule", [], "allow", "allow"],
    // Whether it repeats a1 cannot be seen.
    ["a rule about keys", [once], "allow", "no_arguments"],
    ["a rule that forbids", [once, forbidden], "forbidden_tool", "forbidden_tool"],
    ["a closed list", [once, others], "tool_not_allowed", "tool_not_allowed"],
    ["a spent budget", [once, atMost(1)], "allow", "too_many_calls"],
    ["a budget that holds", [atMost(2)], "allow", "allow"],
    ["a rule about keys that is not active", [rule(once.claim, { saidAny: ["x"] })], "allow", "allow"],
  ])("says of one without arguments, under %s", (_, rules, first, verdict) => {
    expectOfLast([committed, passes("a2"), rulesSet(rules)], [first], verdict, "no_arguments");
  });

  it("knows an earlier call whole, and takes no hidden one for a duplicate", () => {
    const before = [committed, passes("a2"), passes("a3", { contract: firstRequest }), rulesSet([once])];
    expect(saysOf(before, ["allow", "duplicate_transaction", "no_arguments"], "no_arguments")).toBe(
      "nothing",
    );
    expect(saysOf(before, ["allow", "duplicate_transaction", "unnamed_call"], "unnamed_call")).toBe(
      "nothing",
    );
    expect(
      saysOf(before, ["allow", "duplicate_transaction", "duplicate_transaction"], "unnamed_call"),
    ).toEqual(otherwise(before, 3, "unnamed_call", "duplicate_transaction"));
  });

  it("has nothing to hide where nothing was called", () => {
    expect(saysOf([rulesSet([forbidden])], [], "unnamed_call")).toBe("nothing");
    expect(saysOf([rulesSet([once])], [], "no_arguments")).toBe("nothing");
  });
});
