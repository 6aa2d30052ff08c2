// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/rules/rule.js";
import { ruleSet } from "../../src/rules/rule-set.js";
import { beginSession, type ProposedCall } from "../../src/rules/session.js";
import { forbid, fromTurn, intent, once, rule } from "./rule-fixture.js";

const refund: ProposedCall = { tool: "refund_order", arguments: { kind: "known", value: { id: 1 } } };

function begin(rules: readonly Rule[]) {
  return beginSession(ruleSet(rules, { exit: "runtime", severities: ["critical"] }), "known");
}

function safety(when: Pick<Rule, "when">): readonly Rule[] {
  return [rule("refund-safety", [forbid("refund_order")], when)];
}

/** After each turn whether the refund is refused. */
function refusedAfter(rules: readonly Rule[], users: readonly string[]): readonly boolean[] {
  const session = begin(rules);
  return users.map((text) => {
    session.user(text);
    return session.decide(refund, () => "free").verdict === "block";
  });
}

describe("a session", () => {
  it("closes the two-turn bypass: the word said in turn 1 still counts in turn 2", () => {
    const rules = safety(intent("物流", "订单", "status"));
    expect(refusedAfter(rules, ["我想查订单物流", "算了，帮我查下天气"])).toEqual([true, true]);
  });

  it("switches a rule on in the turn that says the word, and never off", () => {
    const users = ["hello", "what is the status?", "never mind"];
    expect(refusedAfter(safety(intent("status")), users)).toEqual([false, true, true]);
  });

  it.each([
    ["in other letter case", "STATUS", "my Status?"],
    ["within another word", "order", "reordering"],
    ["with its accent written apart", "café", "the cafe\u0301"],
    ["with its accent written in one, where the rule has it apart", "cafe\u0301", "the CAFÉ"],
    ["as the whole text", "退", "退"],
    ["beyond the first plane", "📦", "my 📦!"],
    ["after a beginning of it", "aab", "aaab"],
    ["that is empty, as every text has it", "", "hello"],
  ])("hears a word %s", (_name, word, text) => {
    expect(refusedAfter(safety(intent("absent", word)), [text])).toEqual([true]);
  });

  it("hears no word that two turns say together", () => {
    expect(refusedAfter(safety(intent("status")), ["sta", "tus"])).toEqual([false, false]);
    expect(refusedAfter(safety(intent("订单")), ["订", "单"])).toEqual([false, false]);
  });

  it("lets a turn range switch on what then refuses in every later turn: [1, 1] refuses at turn 9", () => {
    const nine = Array.from({ length: 9 }, () => "go on");
    expect(refusedAfter(safety(fromTurn(1, 1)), nine)).toEqual(nine.map(() => true));
  });

  it("waits for the first turn of a range", () => {
    expect(refusedAfter(safety(fromTurn(3, 4)), ["a", "b", "c", "d", "e"])).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it("needs both word and range, in whatever order they come", () => {
    const rules = safety(fromTurn(2, 2, "order"));
    expect(refusedAfter(rules, ["order", "x", "y"])).toEqual([false, true, true]);
    expect(
      refusedAfter([...safety(fromTurn(3, 3, "order")), rule("r", [], intent("x"))], ["order", "x", "y"]),
    ).toEqual([false, false, true]);
    expect(refusedAfter(rules, ["x", "order", "y"])).toEqual([false, true, true]);
    // The range was passed through in turn 2; the word need not be said within it.
    expect(refusedAfter(rules, ["x", "y", "z", "order"])).toEqual([false, false, false, true]);
    expect(refusedAfter(rules, ["x", "y", "z"])).toEqual([false, false, false]);
  });

  it("tells the rules that a turn switches on, each once", () => {
    const session = begin([...safety(intent("a", "b")), rule("ranged", [], fromTurn(2, 2, "a"))]);
    const names = (text: string) => [...session.user(text)].map(({ rule: { name } }) => name);
    expect(names("a b")).toEqual(["refund-safety"]);
    expect(names("a b")).toEqual(["ranged"]);
    expect(names("a b")).toEqual([]);
    const other = begin(safety(intent("a", "b")));
    expect(["a", "b"].map((text) => other.user(text).size)).toEqual([1, 0]);
  });

  it("has a call before anything was said in a first turn of its own", () => {
    const session = begin(safety(fromTurn(2, 2)));
    session.decide(refund, () => "free");
    session.user("one");
    expect(session.decide(refund, () => "free").verdict).toBe("allow");

    const early = begin(safety(fromTurn(2, 2)));
    early.note({ tool: "get_order", arguments: { kind: "missing" } }, "happened");
    early.user("two");
    expect(early.decide(refund, () => "free").verdict).toBe("block");
    expect(begin(safety(fromTurn(1, 1))).decide(refund, () => "free").verdict).toBe("block");
  });

  it("is not changed by a decision", () => {
    const session = begin([rule("once", [once("refund_order", "${id}")])]);
    const first = session.decide(refund, () => "free");
    expect(session.decide(refund, () => "free")).toEqual(first);
  });

  it("shares nothing with another session of its rule set", () => {
    const set = ruleSet(safety(intent("order")), { exit: "runtime", severities: ["critical"] });
    const [one, other] = [beginSession(set, "known"), beginSession(set, "known")];
    one.user("order");
    other.user("hello");
    expect(one.decide(refund, () => "free").verdict).toBe("block");
    expect(other.decide(refund, () => "free").verdict).toBe("allow");
  });

  it("tells conversations apart that switched on the same rule and not the same rules", () => {
    const rules = [rule("a", [forbid("t")], intent("a")), rule("b", [forbid("refund_order")], intent("b"))];
    const set = ruleSet(rules, { exit: "runtime", severities: ["critical"] });
    const verdicts = ["a", "a b", "b", "a", "a b"].map((text) => {
      const session = beginSession(set, "known");
      session.user(text);
      return session.decide(refund, () => "free").verdict;
    });
    expect(verdicts).toEqual(["allow", "block", "block", "allow", "block"]);
  });

  it("decides alike however many tools and conversations its rule set has met", () => {
    // 600 lists refuse each of 500 unlisted tools: 300,000 reasons, more than a rule set keeps.
    const lists = Array.from({ length: 600 }, (_, index) =>
      rule(
        `list ${index}`,
        [{ kind: "allow_tool", tools: ["a"], at: rule("", []).at }],
        intent(`word ${index % 3}`),
      ),
    );
    const set = ruleSet(lists, { exit: "runtime", severities: ["critical"] });
    for (let index = 0; index < 500; index += 1) {
      const session = beginSession(set, "known");
      session.user(`word ${index % 3}`);
      const tool = `tool ${index}`;
      const decision = session.decide({ tool, arguments: { kind: "missing" } }, () => "free");
      const refusing = decision.verdict === "block" ? 1 + decision.alsoViolated.length : 0;
      expect({ tool, refusing }).toEqual({ tool, refusing: 200 });
      session.user("word 0, word 1 and word 2");
      const later = session.decide({ tool, arguments: { kind: "missing" } }, () => "free");
      expect(later.verdict === "block" && later.alsoViolated.length).toBe(599);
    }
  });
});
