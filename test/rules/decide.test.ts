// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys

import { describe, expect, it } from "vitest";
import { ruleSet } from "../../src/rules/rule-set.js";
import { beginSession } from "../../src/rules/session.js";
import { ask, begin, call, callWith, free, reasons } from "./asking.js";
import { allowOnly, atMost, forbid, intent, missing, needed, once, rule } from "./rule-fixture.js";

describe("a decision about one call", () => {
  it("refuses a forbidden tool and names it", () => {
    const decision = begin([rule("refund-safety", [forbid("refund_order")])]).decide(
      call("refund_order"),
      free,
    );
    expect(decision).toEqual({
      verdict: "block",
      code: "forbidden_tool",
      first: {
        code: "forbidden_tool",
        rule: "refund-safety",
        severity: "critical",
        detail: { tool: "refund_order" },
      },
      alsoViolated: [],
      doubts: [],
    });
  });

  it("refuses a tool outside a closed list, and not one inside", () => {
    const rules = [rule("r", [allowOnly("get_order", "退款")])];
    expect(ask(rules, call("get_refund"))).toEqual(["tool_not_allowed r"]);
    expect(ask(rules, call("退款"))).toEqual([]);
    expect(ask(rules, call("Get_order"))).toEqual(["tool_not_allowed r"]);
  });

  it("lets each of several closed lists judge on its own", () => {
    const rules = [rule("a", [allowOnly("x", "y")]), rule("b", [allowOnly("y", "z")])];
    expect(ask(rules, call("x"))).toEqual(["tool_not_allowed b"]);
    expect(ask(rules, call("z"))).toEqual(["tool_not_allowed a"]);
    expect(ask(rules, call("y"))).toEqual([]);
  });

  it("refuses a repeated key by what the ledger says of it", () => {
    const rules = [rule("r", [once("refund_order", "${order_id}")])];
    const asked = call("refund_order", { order_id: "A1001" });
    const detail = (outcome: string) => ({
      tool: "refund_order",
      template: "${order_id}",
      key: "A1001",
      outcome,
    });
    for (const outcome of ["done", "unknown"] as const) {
      const decision = begin(rules).decide(asked, () => outcome);
      expect(decision).toMatchObject({
        code: "duplicate_transaction",
        first: { detail: detail(outcome) },
      });
    }
    expect(ask(rules, call("get_order", { order_id: "A1001" }), () => "done")).toEqual([]);
  });

  it("lists reasons by code, then severity, then as the rule set has them", () => {
    const rules = [
      rule("w-names", [forbid("t"), allowOnly("u")], { severity: "warning" }),
      rule("c-limit", [atMost(0)]),
      rule("c-forbid-1", [forbid("t")]),
      rule("w-once", [once("t", "${id}")], { severity: "warning" }),
      rule("c-forbid-2", [forbid("t")]),
      rule("c-once", [once("t", "order ${id}")]),
      rule("c-list", [allowOnly("u")]),
    ];
    expect(ask(rules, call("t", { id: 1 }), () => "done")).toEqual([
      "duplicate_transaction c-once",
      "duplicate_transaction w-once",
      "forbidden_tool c-forbid-1",
      "forbidden_tool c-forbid-2",
      "forbidden_tool w-names",
      "tool_not_allowed c-list",
      "tool_not_allowed w-names",
      "too_many_calls c-limit",
    ]);
  });

  it("keeps the rule set's order where rules of one key stand around another", () => {
    const rules = ["${a}", "${b}", "${a}"].map((key, index) => rule(`r${index}`, [once("t", key)]));
    const asked = call("t", { a: 1, b: 2 });
    const codes = (code: string) => ["r0", "r1", "r2"].map((name) => `${code} ${name}`);
    expect(ask(rules, asked, () => "done")).toEqual(codes("duplicate_transaction"));
    expect(ask(rules, callWith("t", missing))).toEqual(codes("no_arguments"));
    const session = begin(rules);
    session.note(call(undefined), "happened");
    expect(reasons(session.decide(asked, free))).toEqual(codes("unread_call_before"));
  });

  it("refuses rather than doubts, and keeps the doubts beside the refusal", () => {
    const rules = [rule("key", [once("t", "${id}")]), rule("name", [forbid("t")])];
    const decision = begin(rules).decide(callWith("t", missing), free);
    expect(decision.verdict).toBe("block");
    expect(reasons(decision)).toEqual(["forbidden_tool name", "no_arguments key"]);
  });

  it("hints where no rule of the exit names the tool, on or off, enforced or not", () => {
    const rules = [
      rule("off", [forbid("a")], intent("never said")),
      rule("info", [allowOnly("b")], { severity: "info" }),
      rule("at the end", [needed("c")]),
      rule("ci only", [forbid("d")], { where: { ci: true, runtime: false } }),
      rule("key", [once("e", "${id}")]),
    ];
    const hint = (tool: string | undefined) => begin(rules).decide(call(tool, { id: 1 }), free);
    for (const tool of ["a", "b", "c", "e"]) {
      expect(hint(tool)).toEqual({ verdict: "allow", code: "allowed", hint: "none" });
    }
    expect(hint("d")).toMatchObject({ verdict: "allow", hint: "no_rule_names_this_tool" });
    expect(hint("f")).toMatchObject({ verdict: "allow", hint: "no_rule_names_this_tool" });
  });

  it("goes by the rules of its exit and the enforced severities alone", () => {
    const rules = [
      rule("ci", [forbid("t")], { where: { ci: true, runtime: false } }),
      rule("runtime", [forbid("t")], { where: { ci: false, runtime: true } }),
      rule("info", [forbid("t")], { severity: "info" }),
    ];
    expect(reasons(begin(rules, "known", "runtime").decide(call("t"), free))).toEqual([
      "forbidden_tool runtime",
    ]);
    expect(reasons(begin(rules, "known", "ci").decide(call("t"), free))).toEqual(["forbidden_tool ci"]);
    const all = ruleSet(rules, { exit: "ci", severities: ["info"] });
    expect(reasons(beginSession(all, "known").decide(call("t"), free))).toEqual(["forbidden_tool info"]);
  });
});

describe("a limit of calls", () => {
  it("refuses the call after the last one allowed, counting refused and unnamed calls and those that did nothing", () => {
    const session = begin([rule("r", [atMost(3)])]);
    session.note(call("a"), "refused");
    session.note(call(undefined), "happened");
    expect(session.decide(call("b"), free).verdict).toBe("allow");
    session.note(call("b"), "nothing_happened");
    const detail = { tool: "c", calls: 4, most: 3 };
    expect(session.decide(call("c"), free)).toMatchObject({ code: "too_many_calls", first: { detail } });
    expect(reasons(session.decide(call(undefined), free))).toEqual(["too_many_calls r"]);
  });

  it("is judged for itself where another one is passed: call 3 is too many for 2, not for 3", () => {
    const session = begin([rule("two", [atMost(2)]), rule("three", [atMost(3)])]);
    session.note(call("a"), "happened");
    session.note(call("a"), "happened");
    expect(reasons(session.decide(call("a"), free))).toEqual(["too_many_calls two"]);
    session.note(call("a"), "happened");
    expect(reasons(session.decide(call("a"), free))).toEqual(["too_many_calls two", "too_many_calls three"]);
  });

  it("counts calls made before its rule switched on", () => {
    const session = begin([rule("r", [atMost(1)], intent("stop"))]);
    session.user("go");
    session.note(call("a"), "happened");
    expect(session.decide(call("a"), free).verdict).toBe("allow");
    session.user("stop");
    expect(session.decide(call("a"), free).code).toBe("too_many_calls");
  });
});
