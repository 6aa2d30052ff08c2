import { describe, expect, it } from "vitest";
import type { Action, Happening } from "../../src/model/vocabulary.js";
import { paintFor } from "../../src/report/paint.js";
import { timeline } from "../../src/report/timeline.js";
import { actionWords, eventWords } from "../../src/report/words.js";
import {
  atMost,
  change,
  damage,
  forbidden,
  gate,
  once,
  others,
  reconcile,
  rule,
  say,
} from "../model/ruled/fixture.js";
import {
  completed,
  ended,
  historyOf,
  observed,
  parked,
  receipt,
  store,
  submit,
  submitted,
} from "./histories.js";

const named = (name: string, ...parts: Parameters<typeof rule>) => ({ ...rule(...parts), name });

describe("an action about rules", () => {
  it.each<[Action, string]>([
    [say("where is my order?"), 'the user says "where is my order?"'],
    // A terminal must not obey what a user says.
    [say("a\n\u001b[2J\u202e"), 'the user says "a\\n\\u{1b}[2J\\u{202e}"'],
    [say(""), 'the user says ""'],
    [change([]), "rules: none"],
    [change([], "broken_file"), "rules: none  (one file is no YAML)"],
    [change([once]), "rules: idempotent allows one transaction a key"],
    [
      change([forbidden, others], "unknown_key"),
      "rules: forbid forbids the tool; allow_others allows other tools only  (a condition's key is misspelt)",
    ],
    [change([atMost(3)]), "rules: budget allows 3 calls"],
    [
      change([named("refunds", { kind: "forbid" }, { saidAny: ["order", "订单"], fromTurn: 2 })]),
      'rules: refunds forbids the tool once "order" or "订单" was said from turn 2',
    ],
    [
      change([named("a\u0007", { kind: "forbid" }, { saidAny: ["b\tc"] })]),
      'rules: a\\u{7} forbids the tool once "b\\tc" was said',
    ],
    [reconcile, "reconcile what nobody will settle"],
    [damage, "damage the ledger of reservations"],
    [gate, "the gate reads the trace"],
    [{ kind: "gate", flaw: "unnamed_call" }, "the gate reads the trace, its last call without a name"],
    [{ kind: "gate", flaw: "no_arguments" }, "the gate reads the trace, its last call without arguments"],
  ])("is told in words: %j", (action, words) => {
    expect(actionWords(action)).toBe(words);
  });
});

describe("an event about rules", () => {
  const wordsOf = (happening: Happening) => eventWords({ ...happening, position: 0, action: 0 });
  const gated = (...verdicts: readonly string[]): Happening => ({ kind: "gated", flaw: "none", verdicts });

  it.each<[Happening, string]>([
    [{ kind: "rules_set", to: [once], flaw: "none", answer: "taken" }, "the rules are taken"],
    [{ kind: "rules_set", to: [once], flaw: "unknown_key", answer: "refused" }, "the rules are refused"],
    [gated(), "the gate says nothing: no call"],
    [gated("allow"), "the gate says allow"],
    [gated("allow", "duplicate_transaction"), "the gate says allow, duplicate_transaction"],
  ])("is told in words: %j", (happening, words) => {
    expect(wordsOf(happening)).toBe(words);
  });

  it("is cut off where a long trace is judged", () => {
    // Behind its 15 letters of introduction 200 remain, the last of which says that there is more.
    const words = wordsOf(gated(...Array.from({ length: 100 }, () => "allow")));
    expect(words).toMatch(/^the gate says allow, allow.*…$/);
    expect(Array.from(words ?? "")).toHaveLength("the gate says ".length + 200);
  });

  it.each<Happening>([{ kind: "said", text: "hello" }, { kind: "reconciled" }, { kind: "ledger_damaged" }])(
    "has no words beside its action's: %j",
    (happening) => {
      expect(wordsOf(happening)).toBeUndefined();
    },
  );
});

describe("the timeline of a ruled run", () => {
  it("tells what was said and set, the refusal, and what the gate says", () => {
    const empty = store([], []);
    const refused = receipt(1, "a2", "blocked", "forbidden_tool");
    const actions: readonly Action[] = [
      change([named("refunds", { kind: "forbid" }, { saidAny: ["order"] })]),
      submit("a1"),
      say("my order"),
      submit("a2"),
      gate,
      change([], "broken_file"),
      damage,
      reconcile,
    ];
    const byAction: readonly (readonly Happening[])[] = [
      [{ kind: "rules_set", to: [], flaw: "none", answer: "taken" }, observed(empty)],
      [submitted("a1"), parked("a1", "before_business"), observed(empty)],
      [{ kind: "said", text: "my order" }, observed(empty)],
      [
        submitted("a2"),
        ended("a2", completed(1, "blocked", "forbidden_tool"), store([], [refused])),
        observed(store([], [refused])),
      ],
      [
        { kind: "gated", flaw: "none", verdicts: ["allow", "forbidden_tool"] },
        observed(store([], [refused])),
      ],
      [{ kind: "rules_set", to: [], flaw: "broken_file", answer: "refused" }, observed(store([], [refused]))],
      [{ kind: "ledger_damaged" }, observed(store([], [refused]))],
      [{ kind: "reconciled" }, observed(store([], [refused]))],
    ];
    const lines = timeline(
      { actions, history: historyOf(byAction) },
      { paint: paintFor("plain"), width: 100 },
    );
    expect(lines).toEqual([
      "        a1 a2",
      '     1        rules: refunds forbids the tool once "order" was said',
      "                the rules are taken",
      '     2  ┬     submit a1  {"job":"JOB-001","topic":"river","copies":2}',
      "        ◆       parked at before_business, checked under policy revision 1",
      '     3  │     the user says "my order"',
      '     4  │  ┬  submit a2  {"job":"JOB-001","topic":"river","copies":2}',
      "        │  ▪    receipt 1: blocked/forbidden_tool, key JOB-001, effect exists",
      "        │  ■    ended blocked/forbidden_tool, receipt 1, released nothing",
      "     5  │     the gate reads the trace",
      "        │       the gate says allow, forbidden_tool",
      "     6  │     rules: none  (one file is no YAML)",
      "        │       the rules are refused",
      "     7  │     damage the ledger of reservations",
      "     8  │     reconcile what nobody will settle",
    ]);
  });
});
