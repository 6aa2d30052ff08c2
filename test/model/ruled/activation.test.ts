import { describe, expect, it } from "vitest";
import { activeClaims } from "../../../src/model/rule-set.js";
import type { Action, RuleSetting } from "../../../src/model/vocabulary.js";
import { worldAfter } from "../fixture.js";
import { change, empty, entering, forbidden, passed, rule, say, under } from "./fixture.js";

const refusedThere = "new submit ended blocked/forbidden_tool";

type Condition = { readonly saidAny?: readonly string[]; readonly fromTurn?: number };

/** Every sentence on when a rule is active, as a condition and what was said. */
const table: readonly {
  readonly why: string;
  readonly condition: Condition;
  readonly turns: readonly string[];
  readonly active: boolean;
}[] = [
  { why: "no condition, nothing said", condition: {}, turns: [], active: true },
  { why: "no condition, something said", condition: {}, turns: ["hello"], active: true },
  { why: "a word, nothing said", condition: { saidAny: ["refund"] }, turns: [], active: false },
  { why: "a word, another said", condition: { saidAny: ["refund"] }, turns: ["hello"], active: false },
  { why: "the word said", condition: { saidAny: ["refund"] }, turns: ["refund"], active: true },
  { why: "the word inside a text", condition: { saidAny: ["refund"] }, turns: ["my refund!"], active: true },
  { why: "the word inside a word", condition: { saidAny: ["fun"] }, turns: ["refund"], active: true },
  {
    why: "the word in a later turn",
    condition: { saidAny: ["refund"] },
    turns: ["hi", "refund"],
    active: true,
  },
  {
    why: "the word in an earlier turn",
    condition: { saidAny: ["refund"] },
    turns: ["refund", "hi"],
    active: true,
  },
  {
    why: "the second of two words",
    condition: { saidAny: ["refund", "cancel"] },
    turns: ["cancel"],
    active: true,
  },
  { why: "none of two words", condition: { saidAny: ["refund", "cancel"] }, turns: ["keep"], active: false },
  { why: "the word in capitals", condition: { saidAny: ["refund"] }, turns: ["REFUND"], active: true },
  { why: "the rule in capitals", condition: { saidAny: ["ReFund"] }, turns: ["refund"], active: true },
  { why: "a word over two turns", condition: { saidAny: ["refund"] }, turns: ["ref", "und"], active: false },
  {
    why: "two words over two turns",
    condition: { saidAny: ["a refund"] },
    turns: ["a", " refund"],
    active: false,
  },
  {
    why: "the same letter composed otherwise",
    condition: { saidAny: ["caf\u00e9"] },
    turns: ["cafe\u0301"],
    active: true,
  },
  { why: "turn 1, no turn yet", condition: { fromTurn: 1 }, turns: [], active: false },
  { why: "turn 1 of one", condition: { fromTurn: 1 }, turns: ["hi"], active: true },
  { why: "turn 2 of one", condition: { fromTurn: 2 }, turns: ["hi"], active: false },
  { why: "turn 2 of two", condition: { fromTurn: 2 }, turns: ["hi", "hi"], active: true },
  { why: "turn 2 of three", condition: { fromTurn: 2 }, turns: ["hi", "hi", "hi"], active: true },
  {
    why: "both, neither holds",
    condition: { saidAny: ["refund"], fromTurn: 2 },
    turns: ["hi"],
    active: false,
  },
  {
    why: "both, only the word",
    condition: { saidAny: ["refund"], fromTurn: 2 },
    turns: ["refund"],
    active: false,
  },
  {
    why: "both, only the turn",
    condition: { saidAny: ["refund"], fromTurn: 2 },
    turns: ["hi", "ho"],
    active: false,
  },
  {
    why: "both, at different turns",
    condition: { saidAny: ["refund"], fromTurn: 2 },
    turns: ["refund", "hi"],
    active: true,
  },
];

describe("when a rule is active", () => {
  it.each(table)("$why: $active", ({ condition, turns, active }) => {
    const world = worldAfter(under(rule({ kind: "forbid" }, condition)), ...turns.map(say));
    expect(entering(world)).toBe(active ? refusedThere : passed);
    expect(activeClaims(world)).toEqual(active ? [{ kind: "forbid" }] : []);
  });

  it("is judged for each rule on its own, in the order of the set", () => {
    const rules: RuleSetting = [
      rule({ kind: "budget", most: 1 }, { saidAny: ["refund"] }),
      rule({ kind: "allow_others" }, { saidAny: ["cancel"] }),
      rule({ kind: "idempotent" }),
    ];
    expect(activeClaims({ rules, turns: [] })).toEqual([{ kind: "idempotent" }]);
    expect(activeClaims({ rules, turns: ["refund"] })).toEqual([
      { kind: "budget", most: 1 },
      { kind: "idempotent" },
    ]);
  });

  it("never ends with what is said later", () => {
    const texts = ["hi", "no refund after all", "forget it", "thanks", ""];
    const conditions: readonly Condition[] = [
      {},
      { saidAny: ["refund"] },
      { fromTurn: 3 },
      { saidAny: ["refund"], fromTurn: 4 },
    ];
    for (const condition of conditions) {
      const rules = [rule({ kind: "forbid" }, condition)];
      const byTurn = texts.map((_, index) => activeClaims({ rules, turns: texts.slice(0, index) }).length);
      // 0 … 0 1 … 1
      expect(byTurn).toEqual([...byTurn].sort());
      expect(activeClaims({ rules, turns: texts })).toHaveLength(1);
    }
  });
});

describe("a change of the rules", () => {
  const onRefund = rule({ kind: "forbid" }, { saidAny: ["refund"] });

  it.each<readonly [string, readonly Action[], string]>([
    ["judges what was said before it", [say("refund"), change([onRefund])], refusedThere],
    ["judges what is said after it", [change([onRefund]), say("refund")], refusedThere],
    [
      "counts the turns before it",
      [say("a"), say("b"), change([rule({ kind: "forbid" }, { fromTurn: 2 })])],
      refusedThere,
    ],
    ["takes the place of the whole set", [change([forbidden]), change([])], passed],
    [
      "takes back what another set had switched on",
      [change([onRefund]), say("refund"), change([rule({ kind: "forbid" }, { saidAny: ["gift"] })])],
      passed,
    ],
    ["is not made by a text that has an unknown key", [change([forbidden], "unknown_key")], passed],
    ["is not made by a text with a broken file", [change([forbidden], "broken_file")], passed],
    ["takes nothing away with a flawed text", [change([forbidden]), change([], "unknown_key")], refusedThere],
    [
      "takes nothing away with a broken empty set",
      [change([forbidden]), change([], "broken_file")],
      refusedThere,
    ],
  ])("%s", (_, actions, there) => {
    expect(entering(worldAfter(empty, ...actions))).toBe(there);
  });
});
