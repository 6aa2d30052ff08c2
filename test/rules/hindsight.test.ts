// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { gate } from "../../src/rules/gate.js";
import type { Rule } from "../../src/rules/rule.js";
import type { Trace } from "../../src/rules/trace.js";
import { allowOnly, atMost, called, forbid, intent, once, rule, trace, turn } from "./rule-fixture.js";

function found(rules: readonly Rule[], judged: Trace): readonly string[] {
  return gate(rules, [judged]).findings.map(({ kind, code, at }) => `${kind} ${code} @${at.line}`);
}

const later = intent("later");
const order = { id: 1 };

describe("hindsight", () => {
  it("warns of a call before the word that switches its rule on, and fails nothing", () => {
    const judged = trace(turn("hello", called("t")), turn("later"));
    const report = gate([rule("r", [forbid("t")], later)], [judged]);
    expect(report.verdict).toBe("holds");
    expect(report.counts).toMatchObject({ hindsight: 1, violations: 0 });
    expect(report.findings[0]).toMatchObject({
      kind: "hindsight",
      code: "forbidden_tool",
      turn: 1,
      tool: "t",
    });
  });

  it("has nothing to say of a rule that never switches on, and of calls that it refuses at once", () => {
    expect(found([rule("r", [forbid("t")], later)], trace(turn("hello", called("t"))))).toEqual([]);
    const judged = trace(turn("hello", called("t")), turn("later", called("t")));
    expect(found([rule("r", [forbid("t")], later)], judged)).toEqual([
      "hindsight forbidden_tool @2",
      "violation forbidden_tool @4",
    ]);
  });

  it("knows closed lists, and judges no call without a name", () => {
    const judged = trace(turn("a", called("t"), called("u"), called(undefined)), turn("later"));
    expect(found([rule("r", [allowOnly("u")], later)], judged)).toEqual(["hindsight tool_not_allowed @2"]);
  });

  it("knows limits: of two calls too many the later one is refused in time", () => {
    const judged = trace(turn("a", called("t"), called(undefined), called("t")), turn("later", called("t")));
    expect(found([rule("r", [atMost(1)], later)], judged)).toEqual([
      "hindsight too_many_calls @3",
      "hindsight too_many_calls @4",
      "violation too_many_calls @6",
    ]);
  });

  it("knows repeated transactions before its rule was on, and forgives those that did nothing", () => {
    const rules = [rule("r", [once("t", "${id}")], later)];
    const twice = trace(
      turn("a", called("t", order), called("t", { id: 2 }), called("t", order)),
      turn("later"),
    );
    expect(found(rules, twice)).toEqual(["hindsight duplicate_transaction @4"]);
    const nothing = trace(
      turn("a", called("t", order, "nothing_happened"), called("t", "missing"), called("t", order)),
      turn("later"),
    );
    expect(found(rules, nothing)).toEqual([]);
  });

  it("tells what became of the earlier calls: one done is enough", () => {
    const call = (outcome: "done" | "unknown") => called("t", order, outcome);
    const outcomes = (...calls: readonly ReturnType<typeof call>[]) => {
      const { findings } = gate(
        [rule("r", [once("t", "${id}")], later)],
        [trace(turn("a", ...calls), turn("later"))],
      );
      return findings.map(({ detail }) => detail);
    };
    const detail = (outcome: string) => ({ tool: "t", template: "${id}", key: "1", outcome });
    expect(outcomes(call("unknown"), call("done"), call("done"))).toEqual([
      detail("unknown"),
      detail("done"),
    ]);
    expect(outcomes(call("done"), call("unknown"), call("done"))).toEqual([detail("done"), detail("done")]);
  });

  it("stands beside what other rules refuse at the same call", () => {
    const rules = [rule("late", [forbid("t")], later), rule("now", [forbid("t")])];
    const judged = trace(turn("a", called("t")), turn("later"));
    expect(found(rules, judged)).toEqual(["violation forbidden_tool @2", "hindsight forbidden_tool @2"]);
  });
});
