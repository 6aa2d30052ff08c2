import { describe, expect, it } from "vitest";
import { gate } from "../../src/rules/gate.js";
import type { Trace } from "../../src/rules/trace.js";
import { called, fromTurn, intent, needed, remember, rule, said, trace, turn } from "./rule-fixture.js";

function found(then: Parameters<typeof rule>[1], judged: Trace, when: Parameters<typeof rule>[2] = {}) {
  return gate([rule("r", then, when)], [judged]).findings.map(
    ({ kind, code, tool, turn: number, at }) => `${kind} ${code} ${tool ?? "-"} turn ${number} @${at.line}`,
  );
}

describe("a required tool", () => {
  it("is missed at the last turn, each of several for itself", () => {
    const judged = trace(turn("a", called("y")), turn("b", said("done")));
    // Lines: turn 1, its call, turn 2.
    expect(found([needed("x", "y", "z")], judged)).toEqual([
      "violation missing_tool x turn 2 @3",
      "violation missing_tool z turn 2 @3",
    ]);
  });

  it("is met by any call of it, before the rule switched on or of whatever outcome", () => {
    const judged = trace(turn("a", called("x", {}, "nothing_happened")), turn("now"));
    expect(found([needed("x")], judged, intent("now"))).toEqual([]);
  });

  it("is owed only by a rule that is on at the end", () => {
    const judged = trace(turn("a"), turn("b"));
    expect(found([needed("x")], judged, intent("b"))).toHaveLength(1);
    expect(found([needed("x")], judged, intent("c"))).toEqual([]);
    expect(found([needed("x")], judged, fromTurn(3, 3))).toEqual([]);
  });

  it("is undecided where a call has no name, unless it was called anyway", () => {
    expect(found([needed("x")], trace(turn("a", called(undefined))))).toEqual([
      "inconclusive unnamed_call x turn 1 @1",
    ]);
    expect(found([needed("x")], trace(turn("a", called(undefined), called("x"))))).toEqual([]);
  });

  it("is missed by a trace without turns", () => {
    expect(found([needed("x")], trace())).toEqual(["violation missing_tool x turn 0 @1"]);
  });
});

describe("a fact to be remembered", () => {
  const noNuts = [remember(["no nuts", "不吃坚果"], 2, 4)];
  const conversation = (users: readonly string[], ...answer: readonly Parameters<typeof said>[0][]) =>
    trace(...users.slice(0, -1).map((user) => turn(user)), turn(users.at(-1) ?? "", ...answer.map(said)));
  const told = ["hi", "no nuts please", "x", "what shall I eat?"];

  it("is kept by any spelling, in any one of the texts of its turn", () => {
    expect(found(noNuts, conversation(told, "well", "a cake, no nuts in it"))).toEqual([]);
    expect(found(noNuts, conversation(told, "好的，不吃坚果"))).toEqual([]);
  });

  it("is forgotten where the turn says other things, in other letter case, or in pieces", () => {
    for (const answer of [["almond cake"], ["No Nuts"], ["no ", "nuts"]]) {
      expect(found(noNuts, conversation(told, ...answer))).toEqual(["violation forgotten - turn 4 @4"]);
    }
  });

  it("is compared whatever way an accent is written", () => {
    const cafe = [remember(["café"], 1, 2)];
    const judged = trace(turn("the cafe\u0301"), turn("where?", said("at the cafe\u0301")));
    expect(found(cafe, judged)).toEqual([]);
  });

  it("is undecided where the user had not said it by then", () => {
    const late = ["hi", "hello", "no nuts please", "what shall I eat?"];
    const expected = ["inconclusive fact_never_said - turn 4 @4"];
    expect(found(noNuts, conversation(late, "no nuts"))).toEqual(expected);
    expect(found(noNuts, conversation(["hi", "NO NUTS", "x", "y"], "no nuts"))).toEqual(expected);
  });

  it("is undecided where the agent says nothing in that turn", () => {
    const expected = ["inconclusive nothing_said - turn 4 @4"];
    expect(found(noNuts, conversation(told))).toEqual(expected);
    expect(found(noNuts, conversation(told, " \n"))).toEqual(expected);
  });

  it("is no matter of a conversation that ends before, or of a rule that is off", () => {
    expect(found(noNuts, conversation(told.slice(0, 3), "almonds"))).toEqual([]);
    expect(found(noNuts, conversation(told, "almonds"), intent("never said"))).toEqual([]);
  });

  it("is judged by that one turn alone", () => {
    const later = trace(...told.map((user) => turn(user, said("nuts!"))), turn("z", said("no nuts")));
    // Lines: each turn and its answer; turn 4 begins at line 7.
    expect(found(noNuts, later)).toEqual(["violation forgotten - turn 4 @7"]);
  });
});
