// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/rules/finding.js";
import { type GateOptions, gate } from "../../src/rules/gate.js";
import type { Rule } from "../../src/rules/rule.js";
import type { Trace } from "../../src/rules/trace.js";
import {
  allowOnly,
  atMost,
  called,
  forbid,
  fromTurn,
  intent,
  needed,
  once,
  rule,
  said,
  trace,
  turn,
} from "./rule-fixture.js";

/** Each finding as `kind code rule @line`. */
function found(rules: readonly Rule[], judged: Trace, options?: GateOptions): readonly string[] {
  return gate(rules, [judged], options).findings.map(
    ({ kind, code, rule: name, at }: Finding) => `${kind} ${code} ${name} @${at.line}`,
  );
}

const refundSafety = rule("refund-safety", [forbid("refund_order")], intent("物流", "订单", "status"));
const paymentOnce = rule("payment-idempotency", [once("refund_order", "${order_id}")]);
const order = { order_id: "A1001" };

describe("the gate", () => {
  it("holds on a trace that no rule objects to, and says what it has judged", () => {
    const clean = trace(turn("物流", called("get_order", order), said("on its way")), turn("thanks"));
    const report = gate([refundSafety, paymentOnce], [clean]);
    expect(report.verdict).toBe("holds");
    expect(report.counts).toEqual({
      traces: 1,
      calls: 1,
      violations: 0,
      inconclusive: 0,
      hindsight: 0,
      notes: 0,
    });
    expect(report.judged).toEqual([
      {
        trace: clean,
        decisions: [{ verdict: "allow", code: "allowed", hint: "no_rule_names_this_tool" }],
      },
    ]);
  });

  it("finds the call of the two-turn bypass at its turn and place", () => {
    const bypass = trace(turn("我想查订单物流"), turn("算了，帮我查下天气", called("refund_order", order)));
    expect(gate([refundSafety], [bypass]).findings).toEqual([
      {
        kind: "violation",
        code: "forbidden_tool",
        rule: "refund-safety",
        severity: "critical",
        trace: { file: "trace.json", name: "1" },
        turn: 2,
        tool: "refund_order",
        // Turn 1 is line 1, turn 2 line 2, its call line 3.
        at: { file: "trace.json", line: 3, column: 1, endLine: 3, endColumn: 9 },
        detail: { tool: "refund_order" },
      },
    ]);
  });

  it("tells all reasons of a call, doubts too, in the order of the decision", () => {
    const rules = [
      rule("list", [allowOnly("get_order")]),
      rule("limit", [atMost(1)]),
      rule("other key", [once("refund_order", "${tenant}")]),
      refundSafety,
      paymentOnce,
    ];
    const incident = trace(turn("status", called("refund_order", order), called("refund_order", order)));
    expect(found(rules, incident)).toEqual([
      "violation forbidden_tool refund-safety @2",
      "violation tool_not_allowed list @2",
      "inconclusive no_key other key @2",
      "violation duplicate_transaction payment-idempotency @3",
      "violation forbidden_tool refund-safety @3",
      "violation tool_not_allowed list @3",
      "violation too_many_calls limit @3",
      "inconclusive no_key other key @3",
    ]);
    expect(gate(rules, [incident]).verdict).toBe("violated");
  });

  it("never passes without evidence", () => {
    const unread = trace(turn("hello", called("refund_order", "missing")));
    const report = gate([paymentOnce], [unread]);
    expect(report.verdict).toBe("inconclusive");
    expect(report.counts).toMatchObject({ violations: 0, inconclusive: 1 });
    expect(gate([paymentOnce], []).verdict).toBe("inconclusive");
  });

  it("stays in doubt after a call that could not be read and may have happened", () => {
    const foundAfter = (outcome: Parameters<typeof called>[2]) =>
      found(
        [paymentOnce],
        trace(turn("go", called("refund_order", "malformed", outcome), called("refund_order", order))),
      );
    for (const outcome of ["done", "unknown"] as const) {
      expect(foundAfter(outcome)).toEqual([
        "inconclusive malformed_arguments payment-idempotency @2",
        "inconclusive unread_call_before payment-idempotency @3",
      ]);
    }
    expect(foundAfter("nothing_happened")).toEqual([
      "inconclusive malformed_arguments payment-idempotency @2",
    ]);
  });

  it("begins every trace anew, and keeps their order", () => {
    const one = trace(turn("status", called("refund_order", order)));
    const other = { ...trace(turn("hello", called("refund_order", order))), name: "2" };
    const report = gate([refundSafety, paymentOnce, rule("limit", [atMost(1)])], [other, one, other]);
    expect(report.findings.map(({ trace: { name }, code }) => `${name} ${code}`)).toEqual([
      "1 forbidden_tool",
    ]);
    expect(report.counts).toMatchObject({ traces: 3, calls: 3 });
  });

  describe("on repeated transactions", () => {
    const twice = (first: Parameters<typeof called>[2], second: Parameters<typeof called>[2] = "done") =>
      trace(
        turn("go", called("refund_order", order, first)),
        turn("on", called("refund_order", order, second)),
      );

    it("finds the second call of a key, and what is known of the first", () => {
      for (const outcome of ["done", "unknown"] as const) {
        const [finding, ...others] = gate([paymentOnce], [twice(outcome)]).findings;
        expect(finding).toMatchObject({ code: "duplicate_transaction", turn: 2, detail: { outcome } });
        expect(others).toEqual([]);
      }
    });

    it("forgives a first call that is known to have done nothing, and not a second one", () => {
      expect(found([paymentOnce], twice("nothing_happened"))).toEqual([]);
      expect(found([paymentOnce], twice("done", "nothing_happened"))).toHaveLength(1);
    });

    it("says that it was done if one of several earlier calls was", () => {
      const call = (outcome: Parameters<typeof called>[2]) => called("refund_order", order, outcome);
      const outcomes = (...calls: readonly ReturnType<typeof call>[]) =>
        gate([paymentOnce], [trace(turn("go", ...calls))]).findings.map(({ detail }) => detail.outcome);
      expect(outcomes(call("unknown"), call("done"), call("done"))).toEqual(["unknown", "done"]);
      expect(outcomes(call("done"), call("unknown"), call("done"))).toEqual(["done", "done"]);
    });

    it("counts calls that it refuses itself, for the trace says that they were made", () => {
      const rules = [rule("no refunds", [forbid("refund_order")]), paymentOnce];
      expect(found(rules, twice("done"))).toContain("violation duplicate_transaction payment-idempotency @4");
    });

    it("compares only with calls made while a rule of that tool and key was on", () => {
      const late = rule("late", [once("refund_order", "${order_id}")], fromTurn(2, 2));
      // The second charge is one too many for whoever reads the whole session: a warning, since no guard could know.
      expect(found([late], twice("done"))).toEqual(["hindsight duplicate_transaction late @4"]);
      const thrice = trace(...[1, 2, 3].map((id) => turn(`${id}`, called("refund_order", order))));
      expect(found([late], thrice)).toEqual([
        "hindsight duplicate_transaction late @4",
        "violation duplicate_transaction late @6",
      ]);
      // Rules of one tool and one template share their keys, as they do in a store: the second call repeats a key of
      // paymentOnce, and late, on by then, says so too.
      expect(found([late, paymentOnce], twice("done"))).toEqual([
        "violation duplicate_transaction late @4",
        "violation duplicate_transaction payment-idempotency @4",
      ]);
    });
  });

  describe("on severities and exits", () => {
    const made = trace(turn("go", called("refund_order", order)));

    it("fails by critical and warning unless told otherwise, and notes the rest", () => {
      const rules = (["critical", "warning", "info"] as const).map((severity) =>
        rule(severity, [forbid("refund_order"), needed("get_order")], { severity }),
      );
      expect(found(rules, made)).toEqual([
        "violation forbidden_tool critical @2",
        "violation forbidden_tool warning @2",
        "note forbidden_tool info @2",
        "violation missing_tool critical @1",
        "violation missing_tool warning @1",
        "note missing_tool info @1",
      ]);
      expect(gate(rules.slice(2), [made])).toMatchObject({ verdict: "holds", counts: { notes: 2 } });
      expect(gate(rules.slice(1), [made], { severities: ["critical"] }).verdict).toBe("holds");
      expect(gate(rules.slice(2), [made], { severities: ["info"] }).verdict).toBe("violated");
    });

    it("notes doubts of a rule that it does not enforce, and is decided by none", () => {
      const info = rule("info", [once("refund_order", "${tenant}")], { severity: "info" });
      expect(found([info], made)).toEqual(["note no_key info @2"]);
      expect(gate([info], [made]).verdict).toBe("holds");
    });

    it("lets no key of a noted rule fail an enforced one", () => {
      const info = rule("info", [once("refund_order", "${order_id}")], { severity: "info" });
      const late = rule("late", [once("refund_order", "${order_id}")], fromTurn(2, 2));
      const twice = trace(turn("1", called("refund_order", order)), turn("2", called("refund_order", order)));
      expect(found([info, late], twice)).toEqual([
        "note duplicate_transaction info @4",
        "hindsight duplicate_transaction late @4",
      ]);
    });

    it("leaves a rule out that is not for it", () => {
      const runtime = rule("r", [forbid("refund_order"), needed("x")], {
        where: { ci: false, runtime: true },
      });
      expect(found([runtime], made)).toEqual([]);
    });
  });

  it("finds the same in 300 calls of 40 turns as rule by rule", () => {
    // Each of 30 rules forbids one of ten tools from a turn of its own, so that caches are left and met again.
    const rules = Array.from({ length: 30 }, (_, index) =>
      rule(`r${index}`, [forbid(`t${index % 10}`)], fromTurn(1 + ((index * 7) % 40), 40)),
    );
    const turns = Array.from({ length: 40 }, (_, index) =>
      turn("", ...Array.from({ length: 7 + (index % 2) }, (_, call) => called(`t${(index + call) % 10}`))),
    );
    const alone = rules.flatMap((one) => found([one], trace(...turns)));
    expect(alone.length).toBeGreaterThan(300);
    expect([...found(rules, trace(...turns))].sort()).toEqual([...alone].sort());
  });
});
