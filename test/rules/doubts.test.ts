// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { ask, begin, call, callWith, free, reasons } from "./asking.js";
import { allowOnly, atMost, forbid, intent, malformed, missing, needed, once, rule } from "./rule-fixture.js";

describe("a doubt", () => {
  const keyed = [rule("r", [once("t", "${id}")])];

  it.each([
    ["no_arguments", callWith("t", missing)],
    ["malformed_arguments", callWith("t", malformed)],
    ["no_key", call("t", { order: 1 })],
  ])("%s stands where an idempotent rule cannot read its key", (because, asked) => {
    const decision = begin(keyed).decide(asked, () => "done");
    expect(decision).toMatchObject({ verdict: "inconclusive", code: because, first: { rule: "r" } });
  });

  it("is none where the rule is about another tool or off", () => {
    expect(ask(keyed, callWith("u", missing))).toEqual([]);
    expect(ask([rule("r", [once("t", "${id}")], intent("x"))], callWith("t", missing))).toEqual([]);
  });

  it("meets an unnamed call once for every rule on that goes by names", () => {
    const rules = [
      rule("w", [forbid("t")], { severity: "warning" }),
      rule("both", [forbid("t"), allowOnly("u")]),
      rule("key", [once("t", "${id}")]),
      rule("limit", [atMost(9)]),
      rule("off", [forbid("t")], intent("x")),
      rule("end", [needed("t")]),
    ];
    const expected = ["unnamed_call both", "unnamed_call key", "unnamed_call w"];
    expect(ask(rules, call(undefined))).toEqual(expected);
    expect(ask([rule("limit", [atMost(9)])], call(undefined))).toEqual([]);
  });

  it.each([
    ["of the tool without arguments", callWith("t", missing), "happened"],
    ["of the tool with a broken text", callWith("t", malformed), "may_have_happened"],
    ["of the tool without the key's argument", call("t"), "happened"],
    ["without a name", call(undefined, { id: 1 }), "happened"],
  ] as const)("stays after an earlier call %s", (_name, earlier, fate) => {
    const session = begin(keyed);
    session.note(earlier, fate);
    const asked = call("t", { id: 1 });
    expect(reasons(session.decide(asked, free))).toEqual(["unread_call_before r"]);
    expect(reasons(session.decide(asked, () => "unknown"))).toEqual(["duplicate_transaction r"]);
  });

  it.each([
    ["did nothing", callWith("t", missing), "nothing_happened"],
    ["was refused", call(undefined), "refused"],
    ["was of another tool", callWith("u", missing), "happened"],
    ["could be read", call("t", { id: 2 }), "happened"],
  ] as const)("does not stay after an earlier call that %s", (_name, earlier, fate) => {
    const session = begin(keyed);
    session.note(earlier, fate);
    expect(reasons(session.decide(call("t", { id: 1 }), free))).toEqual([]);
  });

  it("does not stay after a call that was made while its rule was off", () => {
    const session = begin([rule("late", [once("t", "${id}")], intent("x")), ...keyed]);
    session.user("hello");
    session.note(call(undefined), "happened");
    session.user("x");
    const asked = call("t", { id: 1 });
    expect(reasons(session.decide(asked, free))).toEqual(["unread_call_before r"]);
    session.note(call(undefined), "happened");
    expect(reasons(session.decide(asked, free))).toEqual(["unread_call_before late", "unread_call_before r"]);
  });
});

describe("a decision without history", () => {
  const onOrders = intent("order");
  const rules = [
    rule("forbid", [forbid("t")], onOrders),
    rule("list", [allowOnly("u")], onOrders),
    rule("key", [once("t", "${id}")], onOrders),
    rule("harmless", [allowOnly("t"), forbid("u")], onOrders),
    rule("end", [needed("t")], onOrders),
  ];

  it("doubts every rule that is off, as far as one knows, and would refuse the call", () => {
    const session = begin(rules, "unknown");
    session.user("the weather");
    const asked = call("t", { id: 1 });
    expect(reasons(session.decide(asked, free))).toEqual([
      "no_history forbid",
      "no_history list",
      "no_history key",
    ]);
    expect(reasons(session.decide(call("u"), free))).toEqual(["no_history harmless"]);
    expect(reasons(begin(rules, "unknown").decide(asked, free))).toContain("no_history forbid");
  });

  it("refuses by what is known, and then doubts no more what it refused", () => {
    const session = begin([...rules, rule("limit", [atMost(0)])], "unknown");
    session.user("my ORDER");
    const decision = session.decide(call("t", { id: 1 }), () => "done");
    expect(reasons(decision)).toEqual([
      "duplicate_transaction key",
      "forbidden_tool forbid",
      "tool_not_allowed list",
      "too_many_calls limit",
    ]);
  });

  it("doubts every limit of calls, since nobody knows their number", () => {
    const limits = [rule("always", [atMost(5)]), rule("off", [atMost(5)], onOrders)];
    const decision = begin(limits, "unknown").decide(call("t"), free);
    expect(reasons(decision)).toEqual(["no_history always", "no_history off"]);
  });

  it("is clean where nothing of the past could matter", () => {
    const unconditional = [rule("a", [forbid("u")]), rule("b", [once("t", "${id}")])];
    expect(reasons(begin(unconditional, "unknown").decide(call("t", { id: 1 }), free))).toEqual([]);
  });

  it("doubts an unnamed call under a rule that may be on", () => {
    const decision = begin([rule("a", [forbid("u")], onOrders)], "unknown").decide(call(undefined), free);
    expect(reasons(decision)).toEqual(["no_history a"]);
  });

  it("knows that the first turn was reached, and of no later one", () => {
    const range = (first: number) => ({ when: { intentAny: [], turnRange: { first, last: 9 } } });
    const ranged = [rule("first", [forbid("t")], range(1)), rule("second", [forbid("t")], range(2))];
    const session = begin(ranged, "unknown");
    session.user("hello");
    expect(reasons(session.decide(call("t"), free))).toEqual(["forbidden_tool first", "no_history second"]);
  });
});
