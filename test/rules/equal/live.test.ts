import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gate } from "../../../src/rules/gate.js";
import { createGuard } from "../../../src/rules/guard/guard.js";
import { memoryStore } from "../../../src/rules/guard/memory-store.js";
import { called, forbid, intent, rule, trace, turn } from "../rule-fixture.js";
import { someRules, someTrace } from "./generate.js";
import { type Live, live } from "./live.js";
import { expectedDecision, type PlainDecision, plainDecision } from "./plain-decision.js";
import { drawing, patience } from "./rule-pairs.js";
import { type Reading, wholeTrace } from "./whole-trace.js";

const atGuard: Reading = { exit: "runtime", severities: ["critical", "warning"] };

describe("a real guard that stands before every call", patience, () => {
  it("decides as the third evaluator does on what really happened, and runs what it allows and nothing else", () => {
    const ends = { done: "ran", unknown: "threw", nothing_happened: "did_nothing" } as const;
    forEveryConversation(({ calls, trace: happened }, rules, onInconclusive) => {
      const expected = wholeTrace(rules, happened, atGuard).calls.map(expectedDecision);
      expectSame(calls, expected, onInconclusive);
      for (const { call, decision, end } of calls) {
        const isLetThrough = decision.verdict === "inconclusive" && onInconclusive === "allow";
        expect(end).toBe(decision.verdict === "allow" || isLetThrough ? ends[call.outcome] : "blocked");
      }
    });
  });

  it("leaves a trace in which the gate refuses what the guard refused and nothing else", () => {
    forEveryConversation(({ calls, trace: happened }, drawn, onInconclusive) => {
      // The gate reads the rules of the runtime here, so that both have the same.
      const rules = drawn.map((each) => ({ ...each, where: { ...each.where, ci: each.where.runtime } }));
      const decisions = gate(rules, [happened]).judged.flatMap((judged) => judged.decisions);
      expectSame(calls, decisions.map(plainDecision), onInconclusive);
    });
  });

  it("is never more lenient when it is asked once, with the earlier turns or without", () => {
    forEveryConversation(({ calls }) => {
      for (const { decision, withHistory, withoutHistory } of calls) {
        expect(withHistory.decision.verdict === "block").toBe(decision.verdict === "block");
        if (decision.verdict !== "block") continue;
        expect(withHistory.code).toBe(decision.code);
        expect(withoutHistory.decision.verdict).not.toBe("allow");
        if (withoutHistory.decision.verdict === "block") continue;
        expect(withoutHistory.warnings.map((warning) => warning.code)).toContain("no_history");
      }
    });
  });
});

describe("a dangerous call in a later turn than the word that forbids it", () => {
  // The article's bypass: the order is asked about in turn 1, the refund comes in turn 2 about the weather.
  const rules = [rule("refund-safety", [forbid("refund_order")], intent("物流", "订单", "status"))];
  const first = "我想查订单物流";
  const second = "算了，帮我查下天气";

  it("is refused by the gate", () => {
    const conversation = trace(turn(first), turn(second, called("refund_order", { order_id: "A1" })));
    expect(gate(rules, [conversation])).toMatchObject({
      verdict: "violated",
      findings: [{ kind: "violation", code: "forbidden_tool", rule: "refund-safety", turn: 2 }],
    });
  });

  it("is refused by a guard's session and by a guard that is told the earlier turn", async () => {
    const guard = createGuard({ rules, store: memoryStore() });
    const session = guard.session();
    session.user(first);
    session.user(second);
    const told = { user: second, history: [first] };
    expect((await session.check("refund_order", { order_id: "A1" })).code).toBe("forbidden_tool");
    expect((await guard.check("refund_order", { order_id: "A1" }, told)).code).toBe("forbidden_tool");
  });

  it("is never simply allowed by a guard that knows the second turn only", async () => {
    const guard = createGuard({ rules, store: memoryStore() });
    const { allowed, code, warnings } = await guard.check(
      "refund_order",
      { order_id: "A1" },
      { user: second },
    );
    expect({ allowed, code }).toEqual({ allowed: false, code: "no_history" });
    expect(warnings.map((warning) => warning.code)).toEqual(["no_history"]);
  });
});

/**
 * A guard that lets doubtful calls through cannot take back that one of them could not be read, when it turns out that
 * it did nothing: it goes on doubting where a trace has no doubt any more. It never doubts less, and refuses the same.
 */
function expectSame(
  calls: Live["calls"],
  expected: readonly PlainDecision[],
  onInconclusive: "block" | "allow",
): void {
  const seen = calls.map(({ decision }) => plainDecision(decision));
  if (onInconclusive === "block") {
    expect(seen).toEqual(expected);
    return;
  }
  expect(seen.map(({ refused }) => refused)).toEqual(expected.map(({ refused }) => refused));
  seen.forEach(({ doubted }, call) => {
    expect(doubted).toEqual(expect.arrayContaining([...(expected[call]?.doubted ?? [])]));
    const more = doubted.filter((doubt) => expected[call]?.doubted.includes(doubt) !== true);
    expect(more.filter((doubt) => !doubt.startsWith("unread_call_before "))).toEqual([]);
  });
}

type Rules = Parameters<typeof live>[0];

function forEveryConversation(
  check: (conversation: Live, rules: Rules, onInconclusive: "block" | "allow") => void,
): void {
  const choices = fc.constantFrom("block" as const, "allow" as const);
  const property = fc.property(someRules, someTrace, choices, (rules, script, onInconclusive) =>
    check(live(rules, script, onInconclusive), rules, onInconclusive),
  );
  fc.assert(property, drawing);
}
