// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { lines, mistakesIn } from "./rule-text.js";

const assertions = "forbid_tool, allow_tool, require_tool, max_tool_calls, idempotent, memory_persistence";
const turn = "expected the number of a turn, from 1";
const toolOrTools = "expected the name of a tool or a list of them";
const argument = "expected an argument like ${order_id}";

type Row = readonly [line: string, ...mistakes: string[]];

/** On line 3 behind two spaces, so that its key begins in column 3. */
const inThen: readonly Row[] = [
  ["forbid_tool: []", `3:16: then.forbid_tool: ${toolOrTools}, seen an empty list`],
  ["forbid_tool:", `3:15: then.forbid_tool: ${toolOrTools}, seen nothing`],
  ["forbid_tool: { a: b }", `3:16: then.forbid_tool: ${toolOrTools}, seen a mapping`],
  ["forbid_tool: ' '", `3:16: then.forbid_tool: ${toolOrTools}, seen " "`],
  ["forbid_tool: 7", `3:16: then.forbid_tool: ${toolOrTools}, seen number 7; write it in quotes`],
  ["forbid_tool: *t", `3:16: then.forbid_tool: ${toolOrTools}, seen *t, which no earlier anchor names`],
  [
    "allow_tool: [a, '', true, [b]]",
    '3:19: then.allow_tool[1]: expected the name of a tool, seen ""',
    "3:23: then.allow_tool[2]: expected the name of a tool, seen boolean true; write it in quotes",
    "3:29: then.allow_tool[3]: expected the name of a tool, seen a list of one",
  ],
  ["require_tool: ''", `3:17: then.require_tool: ${toolOrTools}, seen ""`],
  [
    "max_tool_calls: -1",
    "3:19: then.max_tool_calls: expected a whole number of calls, 0 or more, seen number -1",
  ],
  [
    "max_tool_calls: 1.5",
    "3:19: then.max_tool_calls: expected a whole number of calls, 0 or more, seen number 1.5",
  ],
  ['max_tool_calls: "3"', '3:19: then.max_tool_calls: expected a whole number of calls, 0 or more, seen "3"'],
  [
    "frobid_tool: x",
    `3:3: then.frobid_tool: expected a key (one of ${assertions}), seen the key "frobid_tool"; did you mean forbid_tool?`,
  ],
  ["cook: x", `3:3: then.cook: expected a key (one of ${assertions}), seen the key "cook"`],
  ["1: x", "3:3: then: expected a text as key, seen number 1"],
  [
    "idempotent: t",
    '3:15: then.idempotent: expected a tool and a key like { tool: refund_order, key: ${order_id} }, seen "t"',
  ],
  [
    "idempotent: {}",
    '3:15: then.idempotent.tool: expected the key "tool", seen no such key',
    '3:15: then.idempotent.key: expected the key "key", seen no such key',
  ],
  [
    'idempotent: { tool: [t], key: "${a}" }',
    "3:23: then.idempotent.tool: expected the name of a tool, seen a list of one",
  ],
  [
    'idempotent: { tol: t, key: "${a}" }',
    '3:17: then.idempotent.tol: expected a key (one of tool, key), seen the key "tol"; did you mean tool?',
  ],
  [
    "idempotent: { tool: t, key: order }",
    '3:31: then.idempotent.key: expected a key with at least one argument like ${order_id}, seen "order"',
  ],
  [
    'idempotent: { tool: t, key: "o-{order_id}" }',
    '3:31: then.idempotent.key: expected a key with at least one argument like ${order_id}, seen "o-{order_id}"; did you mean ${order_id}?',
  ],
  [
    'idempotent: { tool: t, key: "$order" }',
    '3:31: then.idempotent.key: expected a key with at least one argument like ${order_id}, seen "$order"; did you mean ${order}?',
  ],
  [
    'idempotent: { tool: t, key: "${a}-${b" }',
    `3:31: then.idempotent.key: ${argument}, seen "\${b", which no } closes`,
  ],
  [
    'idempotent: { tool: t, key: "${}" }',
    `3:31: then.idempotent.key: ${argument}, seen "\${}", which names none`,
  ],
  [
    'idempotent: { tool: t, key: "${ a }" }',
    `3:31: then.idempotent.key: ${argument}, seen "\${ a }"; did you mean \${a}?`,
  ],
  [
    'idempotent: { tool: t, key: "${a${b}}" }',
    `3:31: then.idempotent.key: ${argument}, seen "\${a\${b}", which opens another before it closes`,
  ],
  [
    "memory_persistence: { fact: [], said_by: 0, still_at: x }",
    "3:31: then.memory_persistence.fact: expected the words of a fact or a list of them, seen an empty list",
    `3:44: then.memory_persistence.said_by: ${turn}, seen number 0`,
    `3:57: then.memory_persistence.still_at: ${turn}, seen "x"`,
  ],
  [
    "memory_persistence: { fact: f, said_by: 2, still_at: 2 }",
    "3:56: then.memory_persistence.still_at: expected a turn after said_by (2), seen number 2",
  ],
  [
    "memory_persistence: { fact: f, said_by: 1 }",
    '3:23: then.memory_persistence.still_at: expected the key "still_at", seen no such key',
  ],
];

/** Line 3, from column 1, behind a sound rule. */
const besideThen: readonly Row[] = [
  [
    "severity: critcal",
    '3:11: severity: expected a severity (one of critical, warning, info), seen "critcal"; did you mean critical?',
  ],
  ["severity: high", '3:11: severity: expected a severity (one of critical, warning, info), seen "high"'],
  ["description: ''", '3:14: description: expected a text that is not blank, seen ""'],
  [
    "description: 3",
    "3:14: description: expected a text that is not blank, seen number 3; write it in quotes",
  ],
  [
    "wehn: {}",
    '3:1: wehn: expected a key (one of rule, description, severity, when, then, where), seen the key "wehn"; did you mean when?',
  ],
  ["when: order", '3:7: when: expected a condition like { intent_any: [order] }, seen "order"'],
  [
    "when: { intent: [order] }",
    '3:9: when.intent: expected a key (one of intent_any, turn_range), seen the key "intent"; did you mean intent_any?',
  ],
  [
    "when: { intent_any: order }",
    '3:21: when.intent_any: expected a list of at least one text, seen "order"; write it in [brackets]',
  ],
  [
    "when: { intent_any: [] }",
    "3:21: when.intent_any: expected a list of at least one text, seen an empty list",
  ],
  [
    "when: { intent_any: [a, 7, ' '] }",
    "3:25: when.intent_any[1]: expected a text that is not blank, seen number 7; write it in quotes",
    '3:28: when.intent_any[2]: expected a text that is not blank, seen " "',
  ],
  [
    "when: { turn_range: 3 }",
    "3:21: when.turn_range: expected the first and the last turn, like [1, 3], seen number 3",
  ],
  [
    "when: { turn_range: [1, 2, 3] }",
    "3:21: when.turn_range: expected the first and the last turn, like [1, 3], seen a list of 3",
  ],
  [
    "when: { turn_range: [0, 1.5] }",
    `3:22: when.turn_range[0]: ${turn}, seen number 0`,
    `3:25: when.turn_range[1]: ${turn}, seen number 1.5`,
  ],
  [
    "when: { turn_range: [3, 1] }",
    "3:21: when.turn_range: expected the first and the last turn, like [1, 3], seen [3, 1], which ends before it begins",
  ],
  [
    "where: runtime",
    '3:8: where: expected where the rule holds, like { ci: true, runtime: false }, seen "runtime"',
  ],
  // YAML 1.2 knows no other truth values than true and false.
  [
    "where: { ci: yes, runtime: 1 }",
    '3:14: where.ci: expected true or false, seen "yes"',
    "3:28: where.runtime: expected true or false, seen number 1",
  ],
  [
    "where: { runtme: true }",
    '3:10: where.runtme: expected a key (one of ci, runtime), seen the key "runtme"; did you mean runtime?',
  ],
  ["severity: info\nseverity: info", '4:1: severity: expected every key once, seen "severity" written twice'],
  ["where: { ci: true, ci: true }", '3:20: where.ci: expected every key once, seen "ci" written twice'],
];

describe("mistakes in a rule", () => {
  it.each(inThen)("reports `then: { %s }`", (line, ...mistakes) => {
    expect(mistakesIn(lines("rule: r", "then:", `  ${line}`))).toEqual(mistakes);
  });

  it.each(besideThen)("reports `%s`", (line, ...mistakes) => {
    expect(mistakesIn(lines("rule: r", "then: { forbid_tool: t }", line))).toEqual(mistakes);
  });

  it("reports a rule without its keys", () => {
    expect(mistakesIn("description: d\n")).toEqual([
      '1:1: rule: expected the key "rule", seen no such key',
      '1:1: then: expected the key "then", seen no such key',
    ]);
  });

  it("reports a misspelt key once, not also as missing", () => {
    expect(mistakesIn("rules: r\nthen: { forbid_tool: t }\n")).toEqual([
      '1:1: rules: expected a key (one of rule, description, severity, when, then, where), seen the key "rules"; did you mean rule?',
    ]);
  });

  it.each([
    ["then: {}", "an empty mapping"],
    ["then:", "nothing"],
    ["then: []", "an empty list"],
    ["then: forbid", '"forbid"'],
  ])("reports `%s`", (line, seen) => {
    const column = line === "then:" ? 6 : 7;
    expect(mistakesIn(lines("rule: r", line))).toEqual([
      `2:${column}: then: expected at least one assertion (${assertions}), seen ${seen}`,
    ]);
  });

  it.each([
    ["rule: ''", '1:7: rule: expected the name of a rule, seen ""'],
    ["rule: 12", "1:7: rule: expected the name of a rule, seen number 12; write it in quotes"],
    ["rule: [a]", "1:7: rule: expected the name of a rule, seen a list of one"],
  ])("reports the name in `%s`", (line, mistake) => {
    expect(mistakesIn(lines(line, "then: { forbid_tool: t }"))).toEqual([mistake]);
  });

  it("reports all mistakes of all documents in the order of the text", () => {
    const text = lines(
      "rule: a", // 1
      "severity: none", // 2
      "then: { forbid_tool: [] }", // 3
      "---", // 4
      "rule: a", // 5
      "then: { max_tool_calls: x }", // 6
    );
    expect(mistakesIn(text)).toEqual([
      '2:11: severity: expected a severity (one of critical, warning, info), seen "none"',
      `3:22: then.forbid_tool: ${toolOrTools}, seen an empty list`,
      '5:7: rule: expected a name that no other rule has, seen "a", which is the rule at rules.yaml:1:7',
      '6:25: then.max_tool_calls: expected a whole number of calls, 0 or more, seen "x"',
    ]);
  });
});
