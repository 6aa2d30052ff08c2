import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Action } from "../../src/model/vocabulary.js";
import { scenarioSchema } from "../../src/scenario/schema.js";
import { writeScenario } from "../../src/scenario/write.js";
import { fileWith, mistakesIn, scenarioOf, submitA1 } from "./text.js";

const written: readonly string[] = [
  "say: where is my order",
  "say: ''",
  "change_rules: { rules: [] }",
  "change_rules: { rules: [], flaw: broken_file }",
  "change_rules: { rules: [{ rule: once, then: idempotent }, { rule: never, then: forbid }] }",
  "change_rules: { rules: [{ rule: list, then: allow_others, said_any: [order, 订单] }], flaw: unknown_key }",
  "change_rules: { rules: [{ rule: few, then: { budget: 0 }, from_turn: 2 }], flaw: none }",
  "reconcile",
  "reconcile: {}",
  "damage_ledger",
  "damage_ledger: {}",
  "gate",
  "gate: none",
  "gate: unnamed_call",
  "gate: no_arguments",
];

const always = { saidAny: [], fromTurn: 0 } as const;
const meant: readonly Action[] = [
  { kind: "say", text: "where is my order" },
  { kind: "say", text: "" },
  { kind: "change_rules", to: [], flaw: "none" },
  { kind: "change_rules", to: [], flaw: "broken_file" },
  {
    kind: "change_rules",
    to: [
      { name: "once", claim: { kind: "idempotent" }, ...always },
      { name: "never", claim: { kind: "forbid" }, ...always },
    ],
    flaw: "none",
  },
  {
    kind: "change_rules",
    to: [{ name: "list", claim: { kind: "allow_others" }, saidAny: ["order", "订单"], fromTurn: 0 }],
    flaw: "unknown_key",
  },
  {
    kind: "change_rules",
    to: [{ name: "few", claim: { kind: "budget", most: 0 }, saidAny: [], fromTurn: 2 }],
    flaw: "none",
  },
  { kind: "reconcile" },
  { kind: "reconcile" },
  { kind: "damage_ledger" },
  { kind: "damage_ledger" },
  { kind: "gate", flaw: "none" },
  { kind: "gate", flaw: "none" },
  { kind: "gate", flaw: "unnamed_call" },
  { kind: "gate", flaw: "no_arguments" },
];

const head = {
  name: "n",
  executor: "ruled",
  about: "a",
  source: "s",
  policy: { kind: "limit", maxCopies: 3 },
} as const;
const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
  scenarioSchema,
);

describe("a step about rules, the conversation or reservations", () => {
  it("is read", () => {
    const text = fileWith(written);
    expect(scenarioOf(text).actions).toEqual(meant);
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  });

  it("is written so that it is read as the same, and without what is usual", () => {
    const text = writeScenario({ ...head, profile: "ruled", actions: meant, expect: {} });
    expect(scenarioOf(text).actions).toEqual(meant);
    const { steps }: { readonly steps: readonly unknown[] } = parse(text);
    expect(steps.slice(2, 5)).toEqual([
      { change_rules: { rules: [] } },
      { change_rules: { rules: [], flaw: "broken_file" } },
      {
        change_rules: {
          rules: [
            // biome-ignore lint/suspicious/noThenProperty: a word of the rules' language.
            { rule: "once", then: "idempotent" },
            // biome-ignore lint/suspicious/noThenProperty: a word of the rules' language.
            { rule: "never", then: "forbid" },
          ],
        },
      },
    ]);
    expect(steps.slice(-3)).toEqual(["gate", { gate: "unnamed_call" }, { gate: "no_arguments" }]);
  });

  it("goes by default to the built-in executor of its profile", () => {
    const text = fileWith([submitA1]).replace("profile: ledger", "profile: ruled");
    expect(scenarioOf(text)).toMatchObject({ profile: "ruled", executor: "ruled" });
  });
});

/** The step under test is on line 9, behind `  - `, so its first letter is in column 5. */
const stepMistakes: readonly [step: string, mistake: string][] = [
  ["say: 1", "9:10: steps[1].say: expected what the user says, a text, seen number 1; write it in quotes"],
  ["say", '9:5: steps[1]: expected a step like { advance: a1 }, seen "say"; did you mean { say: ... }?'],
  ["change_rules: [r]", "9:19: steps[1].change_rules: expected a rule set, seen a list of one"],
  ["change_rules: {}", '9:19: steps[1].change_rules.rules: expected the key "rules", seen no such key'],
  ["change_rules: { rules: r }", '9:28: steps[1].change_rules.rules: expected a list of rules, seen "r"'],
  [
    "change_rules: { rules: [], flaw: broken_fil }",
    '9:38: steps[1].change_rules.flaw: expected what is wrong with the text (one of none, unknown_key, broken_file), seen "broken_fil"; did you mean broken_file?',
  ],
  [
    "change_rules: { rules: [{ then: forbid }] }",
    '9:29: steps[1].change_rules.rules[0].rule: expected the key "rule", seen no such key',
  ],
  [
    "change_rules: { rules: [{ rule: r }] }",
    '9:29: steps[1].change_rules.rules[0].then: expected the key "then", seen no such key',
  ],
  [
    "change_rules: { rules: [{ rule: '', then: forbid }] }",
    '9:37: steps[1].change_rules.rules[0].rule: expected a text that is not empty, seen ""',
  ],
  [
    "change_rules: { rules: [{ rule: r, then: forbit }] }",
    '9:46: steps[1].change_rules.rules[0].then: expected what the rule claims (one of idempotent, forbid, allow_others), seen "forbit"; did you mean forbid?',
  ],
  [
    "change_rules: { rules: [{ rule: r, then: {} }] }",
    "9:46: steps[1].change_rules.rules[0].then: expected what the rule claims, seen an empty mapping",
  ],
  [
    "change_rules: { rules: [{ rule: r, then: [forbid] }] }",
    "9:46: steps[1].change_rules.rules[0].then: expected what the rule claims, seen a list of one",
  ],
  [
    "change_rules: { rules: [{ rule: r, then: { budget: -1 } }] }",
    "9:56: steps[1].change_rules.rules[0].then.budget: expected the most calls of the conversation, from 0, seen number -1",
  ],
  [
    "change_rules: { rules: [{ rule: r, then: forbid, said_any: [] }] }",
    "9:64: steps[1].change_rules.rules[0].said_any: expected a list of words, seen an empty list",
  ],
  [
    "change_rules: { rules: [{ rule: r, then: forbid, said_any: [x, ''] }] }",
    '9:68: steps[1].change_rules.rules[0].said_any[1]: expected a text that is not empty, seen ""',
  ],
  [
    "change_rules: { rules: [{ rule: r, then: forbid, from_turn: 0 }] }",
    "9:65: steps[1].change_rules.rules[0].from_turn: expected a turn, from 1, seen number 0",
  ],
  [
    "change_rules: { rules: [{ rule: r, then: forbid, said_ayn: [x] }] }",
    '9:54: steps[1].change_rules.rules[0].said_ayn: expected a key (one of rule, then, said_any, from_turn), seen the key "said_ayn"; did you mean said_any?',
  ],
  [
    "gate: unnamed_cal",
    '9:11: steps[1].gate: expected what the trace does not show of its last call (one of none, unnamed_call, no_arguments), seen "unnamed_cal"; did you mean unnamed_call?',
  ],
  [
    "reconcile: { now: 1 }",
    '9:18: steps[1].reconcile.now: expected a key (there is none), seen the key "now"',
  ],
  [
    "damage_ledger: { now: 1 }",
    '9:22: steps[1].damage_ledger.now: expected a key (there is none), seen the key "now"',
  ],
];

/** The expectation under test is on line 10, behind two spaces, so its first letter is in column 3. */
const expectMistakes: readonly [line: string, mistake: string][] = [
  [
    "reservations: [{ tenant: t1 }]",
    '10:18: expect.reservations[0].key: expected the key "key", seen no such key',
  ],
  [
    "reservations: [{ key: k, state: don }]",
    '10:35: expect.reservations[0].state: expected the state of a reservation (one of reserved, done, unknown, unreadable), seen "don"; did you mean done?',
  ],
  ["gates: allow", '10:10: expect.gates: expected the verdicts of each step gate, seen "allow"'],
  ["gates: [allow]", '10:11: expect.gates[0]: expected a verdict for each call, seen "allow"'],
  ["gates: [['']]", '10:12: expect.gates[0][0]: expected a text that is not empty, seen ""'],
];

describe("a scenario file with a mistake about rules", () => {
  it.each(stepMistakes)("says where a step goes wrong: %s", (step, mistake) => {
    const text = fileWith([submitA1, step]);
    expect(mistakesIn(text)).toEqual([mistake]);
    expect(validate(parse(text))).toBe(false);
  });

  it.each(expectMistakes)("says where an expectation goes wrong: %s", (line, mistake) => {
    const text = fileWith([submitA1], [line]);
    expect(mistakesIn(text)).toEqual([mistake]);
    expect(validate(parse(text))).toBe(false);
  });

  it("says all mistakes of a rule set at once", () => {
    const step =
      "change_rules: { rules: [{ rule: r, then: x }, { rule: s, then: y, from_turn: 0 }], flaw: z }";
    expect(mistakesIn(fileWith([submitA1, step])).map((mistake) => mistake.split(": ")[1])).toEqual([
      "steps[1].change_rules.rules[0].then",
      "steps[1].change_rules.rules[1].then",
      "steps[1].change_rules.rules[1].from_turn",
      "steps[1].change_rules.flaw",
    ]);
  });
});
