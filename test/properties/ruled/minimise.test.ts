import { describe, expect, it } from "vitest";
import { draftContract } from "../../../src/contract/draft.js";
import type { Action, RuleWord } from "../../../src/model/vocabulary.js";
import { chooserOf, wordsOf } from "../../../src/properties/chooser.js";
import { isOneMinimal, minimise } from "../../../src/properties/minimise.js";
import { repaired } from "../../../src/properties/minimise-repair.js";
import { type Simpler, simplerActions } from "../../../src/properties/minimise-simplify.js";
import { planRulesAction } from "../../../src/properties/planned-rules-action.js";
import { finish, retry, river2, submit } from "../../model/fixture.js";
import {
  atMost,
  change,
  damage,
  forbidden,
  gate,
  once,
  reconcile,
  rule,
  say,
} from "../../model/ruled/fixture.js";

const none: Simpler = () => [];

describe("a simpler action about rules", () => {
  it.each<[string, Action, readonly Action[]]>([
    ["one that says nothing, of one that says something", say("my order"), [say("")]],
    ["nothing, of one that says nothing", say(""), []],
    ["nothing, of an empty rule set", change([]), []],
    ["a sound rule set, of a flawed one", change([], "broken_file"), [change([])]],
    ["one without the rule, of one with one", change([once]), [change([])]],
    ["one without either, of two rules", change([once, forbidden]), [change([forbidden]), change([once])]],
    [
      "one with a word less, of a rule with words",
      change([rule({ kind: "forbid" }, { saidAny: ["a", "b"] })]),
      [
        change([]),
        change([rule({ kind: "forbid" }, { saidAny: ["b"] })]),
        change([rule({ kind: "forbid" }, { saidAny: ["a"] })]),
      ],
    ],
    [
      "one without the condition, of a rule with one word",
      change([rule({ kind: "forbid" }, { saidAny: ["a"] })]),
      [change([]), change([forbidden])],
    ],
    [
      "one a turn sooner, of a rule from a turn",
      change([rule({ kind: "forbid" }, { fromTurn: 2 })]),
      [change([]), change([rule({ kind: "forbid" }, { fromTurn: 1 })])],
    ],
    [
      "one at once, of a rule from the first turn",
      change([rule({ kind: "forbid" }, { fromTurn: 1 })]),
      [change([]), change([forbidden])],
    ],
    ["one call less, of a budget", change([atMost(2)]), [change([]), change([atMost(1)])]],
    ["only none, of a budget of no call", change([atMost(0)]), [change([])]],
    [
      "each of these alone, where all apply",
      change([once, rule({ kind: "budget", most: 1 }, { saidAny: ["a"], fromTurn: 1 })], "unknown_key"),
      [
        change([rule({ kind: "budget", most: 1 }, { saidAny: ["a"], fromTurn: 1 })], "unknown_key"),
        change([once], "unknown_key"),
        change([once, rule({ kind: "budget", most: 1 }, { fromTurn: 1 })], "unknown_key"),
        change([once, rule({ kind: "budget", most: 1 }, { saidAny: ["a"] })], "unknown_key"),
        change([once, rule({ kind: "budget", most: 0 }, { saidAny: ["a"], fromTurn: 1 })], "unknown_key"),
        change([once, rule({ kind: "budget", most: 1 }, { saidAny: ["a"], fromTurn: 1 })]),
      ],
    ],
    ["a look at the whole trace, of one at a flawed trace", { kind: "gate", flaw: "unnamed_call" }, [gate]],
    ["nothing, of a look at the whole trace", gate, []],
    ["nothing, of a reconciling", reconcile, []],
    ["nothing, of a damage", damage, []],
  ])("is %s", (_, action, simpler) => {
    expect(simplerActions(action, none)).toEqual(simpler);
  });

  /** What has to fall with each step, so that every chain of steps ends. */
  function measureOf(action: Action): number {
    switch (action.kind) {
      case "say":
        return action.text.length;
      case "gate":
        return action.flaw === "none" ? 0 : 1;
      case "change_rules":
        return (
          (action.flaw === "none" ? 0 : 1) + action.to.reduce((sum, each) => sum + measureOfRule(each), 0)
        );
      default:
        return 0;
    }
  }

  function measureOfRule({ saidAny, fromTurn, claim }: RuleWord): number {
    return 1 + saidAny.length + fromTurn + (claim.kind === "budget" ? claim.most : 0);
  }

  it("has a smaller measure, whatever was planned", () => {
    const next = wordsOf(7);
    const kinds = ["say", "change_rules", "gate", "reconcile", "damage_ledger"] as const;
    for (const kind of kinds.flatMap((each) => Array.from({ length: 200 }, () => each))) {
      const action = planRulesAction(kind, chooserOf(next()));
      for (const one of simplerActions(action, draftContract.requests.simpler)) {
        expect(one.kind).toBe(kind);
        expect(measureOf(one), JSON.stringify([action, one])).toBeLessThan(measureOf(action));
      }
    }
  });
});

describe("a repaired ruled list", () => {
  it("keeps what is about rules, the conversation and reservations, whatever attempt is gone", () => {
    const about = [change([once]), say("my order"), reconcile, damage, gate];
    expect(repaired([...about, finish("a1"), retry("a2", "a1")])).toEqual(about);
  });
});

describe("minimising a ruled list", () => {
  /** Fails as long as a rule about keys is set and two calls are made under it. */
  const fails = async (actions: readonly Action[]) => {
    const at = actions.findIndex(
      (action) =>
        action.kind === "change_rules" && action.to.some(({ claim }) => claim.kind === "idempotent"),
    );
    const calls = actions.slice(at + 1).filter(({ kind }) => kind === "submit" || kind === "retry");
    return at >= 0 && calls.length > 1 ? "same" : "none";
  };

  it("leaves what the failure needs, in its plainest form", async () => {
    const actions = [
      say("where is my order"),
      change(
        [atMost(3), rule({ kind: "idempotent" }, { saidAny: ["order", "订单"], fromTurn: 1 })],
        "broken_file",
      ),
      submit("a1", river2),
      damage,
      say("thanks"),
      finish("a1"),
      reconcile,
      retry("a2", "a1"),
      { kind: "gate", flaw: "no_arguments" } as const,
      finish("a2"),
    ];
    const minimal = [change([once]), submit("a1", river2), retry("a2", "a1")];
    const { kind, actions: left } = await minimise({
      actions,
      fails,
      simpler: none,
      budget: { candidates: 500 },
    });
    expect(kind).toBe("one_minimal");
    expect(left).toEqual(minimal);
    expect(await isOneMinimal({ actions: left, fails, simpler: none })).toEqual({ kind: "one_minimal" });
  });

  it.each<[string, Action]>([
    ["a word", change([rule({ kind: "idempotent" }, { saidAny: ["order"] })])],
    ["a turn", change([rule({ kind: "idempotent" }, { fromTurn: 1 })])],
    ["a flaw", change([once], "unknown_key")],
    ["a rule", change([once, forbidden])],
  ])("does not take a list for minimal that can do without %s", async (_, first) => {
    const calls = [submit("a1", river2), retry("a2", "a1")];
    const answer = await isOneMinimal({ actions: [first, ...calls], fails, simpler: none });
    expect(answer).toEqual({ kind: "smaller", actions: [change([once]), ...calls] });
  });
});
