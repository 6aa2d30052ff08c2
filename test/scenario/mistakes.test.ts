import { describe, expect, it } from "vitest";
import { fileWith, mistakesIn, submitA1 } from "./text.js";

/** The step under test is on line 9, behind `  - `, so its first letter is in column 5. */
const stepMistakes: readonly [step: string, mistake: string][] = [
  [
    "sumbit: { attempt: a2 }",
    '9:5: steps[1].sumbit: expected a key, seen the key "sumbit"; did you mean submit?',
  ],
  [
    "finsh",
    '9:5: steps[1]: expected a step like { advance: a1 }, seen "finsh"; did you mean { finish: ... }?',
  ],
  ["restat", '9:5: steps[1]: expected a step like { advance: a1 }, seen "restat"; did you mean restart?'],
  ["[a1]", "9:5: steps[1]: expected a step like { advance: a1 }, seen a list of one"],
  ["{}", "9:5: steps[1]: expected a step, seen an empty mapping"],
  ["{ advance: a1, cancel: a1 }", "9:20: steps[1]: expected one key, seen advance and cancel"],
  ["restart: { now: 1 }", '9:16: steps[1].restart.now: expected a key (there is none), seen the key "now"'],
  [
    "advance: 1",
    "9:14: steps[1].advance: expected the name of an attempt (a1, a2, ...), seen number 1; write it in quotes",
  ],
  ["advance: first", '9:14: steps[1].advance: expected the name of an attempt (a1, a2, ...), seen "first"'],
  ["advance: a0", '9:14: steps[1].advance: expected the name of an attempt (a1, a2, ...), seen "a0"'],
  [
    "advance: a2",
    "9:14: steps[1].advance: expected an attempt that an earlier step submits, seen a2; did you mean a1?",
  ],
  [
    "retry: { attempt: a2, of: a2 }",
    "9:31: steps[1].retry.of: expected an attempt that an earlier step submits, seen a2; did you mean a1?",
  ],
  [
    "retry: { attempt: a1, of: a1 }",
    "9:23: steps[1].retry.attempt: expected a new attempt, seen a1, which an earlier step submits",
  ],
  ["retry: { attempt: a2 }", '9:12: steps[1].retry.of: expected the key "of", seen no such key'],
  ["submit: { attempt: a2 }", "9:13: steps[1].submit: expected args or args_text, seen neither"],
  [
    "submit: { attempt: a2, args: {}, args_text: x }",
    "9:13: steps[1].submit: expected either args or args_text, seen both",
  ],
  [
    "submit: { attempt: a2, args: [] }",
    "9:34: steps[1].submit.args: expected a mapping of arguments (any other JSON is said by args_text), seen an empty list",
  ],
  [
    "submit: { attempt: a2, args: { 1: x } }",
    "9:36: steps[1].submit.args: expected a text as key, seen 1; write it in quotes",
  ],
  [
    "submit: { attempt: a2, args: { n: .inf } }",
    "9:39: steps[1].submit.args.n: expected a number that JSON text keeps as written, seen Infinity; say it by args_text",
  ],
  [
    "submit: { attempt: a2, args: { n: 9007199254740993 } }",
    "9:39: steps[1].submit.args.n: expected a number that JSON text keeps as written, seen 9007199254740992; say it by args_text",
  ],
  [
    "submit: { attempt: a2, args: {}, tenant: '' }",
    '9:46: steps[1].submit.tenant: expected a text that is not empty, seen ""',
  ],
  [
    "submit: { attempt: a2, args: {}, args: {} }",
    '9:38: steps[1].submit.args: expected every key once, seen "args" written twice',
  ],
  [
    "submit: { attempt: a2, args: { a: { b: 1, b: 2 } } }",
    '9:47: steps[1].submit.args.a.b: expected every key once, seen "b" written twice',
  ],
  [
    "submit: { attempt: a2, args: *nowhere }",
    "9:34: steps[1].submit.args: expected the name of an earlier anchor, seen *nowhere",
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [bad_outptu] }",
    '9:47: steps[1].submit.faults[0]: expected a fault (one of receipt_ignored, receipt_aborted, effect_ignored, bad_output), seen "bad_outptu"; did you mean bad_output?',
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [busy] }",
    "9:47: steps[1].submit.faults[0]: expected the fault with where it acts, seen busy alone; write { busy: execute | receipt }",
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [{ bad_output: execute }] }",
    "9:61: steps[1].submit.faults[0].bad_output: expected bad_output as a bare word, seen it with a value",
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [{ busy: output }] }",
    '9:55: steps[1].submit.faults[0].busy: expected the stage it hits (one of execute, receipt), seen "output"',
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [{ checker_hangs: execute }] }",
    '9:64: steps[1].submit.faults[0].checker_hangs: expected the stage it hits (one of check, capability, approval, output), seen "execute"',
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [receipt_ignored, { busy: receipt }] }",
    "9:46: steps[1].submit.faults: expected one fault of the store for each stage, seen receipt_ignored and busy on receipt",
  ],
  [
    "submit: { attempt: a2, args: {}, faults: bad_output }",
    '9:46: steps[1].submit.faults: expected a list of faults, seen "bad_output"',
  ],
  [
    "arm: bad_output",
    '9:10: steps[1].arm: expected a fault (one of receipt_ignored, receipt_aborted, effect_ignored), seen "bad_output"',
  ],
  [
    "arm: { throw_at: after_commit }",
    '9:12: steps[1].arm.throw_at: expected a key (one of busy, commit_refused, disk_full, read_only, receipt_ignored, receipt_aborted, effect_ignored), seen the key "throw_at"',
  ],
  [
    "change_policy: { max_copies: 10 }",
    "9:34: steps[1].change_policy.max_copies: expected a whole number from 0 to 9, seen number 10",
  ],
  [
    "change_policy: { max_copies: 1.5 }",
    "9:34: steps[1].change_policy.max_copies: expected a whole number from 0 to 9, seen number 1.5",
  ],
  [
    "change_policy: removed",
    '9:20: steps[1].change_policy: expected a policy like { max_copies: 1 }, or remove, seen "removed"; did you mean remove?',
  ],
  [
    "crash: { attempt: a1, at: before_business }",
    '9:31: steps[1].crash.at: expected a crash point (one of after_step, after_request, after_reserve, inside_transaction, after_commit, before_settle, before_receipt, after_receipt), seen "before_business"',
  ],
  [
    "crash: { attempt: a7, at: after_commit }",
    "9:23: steps[1].crash.attempt: expected an attempt that an earlier step submits, seen a7; did you mean a1?",
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [spoilt_output] }",
    "9:47: steps[1].submit.faults[0]: expected the fault with where it acts, seen spoilt_output alone; write { spoilt_output: { as: format | personal | question | impact | secret } }",
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [{ spoilt_output: { as: secrt } }] }",
    '9:70: steps[1].submit.faults[0].spoilt_output.as: expected what is wrong with the value (one of format, personal, question, impact, secret), seen "secrt"; did you mean secret?',
  ],
  [
    "submit: { attempt: a2, args: {}, faults: [{ spoilt_output: { as: format, tries: 4 } }] }",
    "9:85: steps[1].submit.faults[0].spoilt_output.tries: expected how many tries are spoilt, from 1 to 3, seen number 4",
  ],
  [
    "submit: { attempt: a2, args: {}, side_effects: allowed }",
    '9:52: steps[1].submit.side_effects: expected whether side effects are permitted (one of permitted, not_permitted), seen "allowed"',
  ],
  [
    "submit: { attempt: a2, args: {}, step: -1 }",
    "9:44: steps[1].submit.step: expected the place in its run, from 0, seen number -1",
  ],
  [
    "change_policy: { max_copies: 1, approval: requird }",
    '9:47: steps[1].change_policy.approval: expected whether every write is approved (one of required, not_required), seen "requird"; did you mean required?',
  ],
  [
    "aprove: { request: 1 }",
    '9:5: steps[1].aprove: expected a key, seen the key "aprove"; did you mean approve?',
  ],
  ["approve: {}", '9:14: steps[1].approve.request: expected the key "request", seen no such key'],
  [
    "approve: { request: r1 }",
    '9:25: steps[1].approve.request: expected the number of a request, from 1, seen "r1"',
  ],
  [
    "deny: { request: 1, flaw: tool_mismatch }",
    '9:31: steps[1].deny.flaw: expected what is wrong with it (one of none, request, tenant, role, requester, tool, call, digest), seen "tool_mismatch"',
  ],
  ["revoke: { request: 1, held: yes }", '9:33: steps[1].revoke.held: expected true or false, seen "yes"'],
  [
    "approve: { request: 1, decision: a1 }",
    '9:38: steps[1].approve.decision: expected the name of a decision (d1, d2, ...), seen "a1"',
  ],
  ["settle: d1", "9:13: steps[1].settle: expected a decision that an earlier step makes, seen d1"],
  [
    "advance_clock: 0",
    "9:20: steps[1].advance_clock: expected how far the clock moves, from 1 to 99, seen number 0",
  ],
  [
    "set_capability: { tool: draft, resource: drafts }",
    '9:21: steps[1].set_capability.held: expected the key "held", seen no such key',
  ],
  [
    "round_trip: genuin",
    '9:17: steps[1].round_trip: expected a text (one of genuine, tampered), seen "genuin"; did you mean genuine?',
  ],
  [
    "drive: { attempt: a2, of: a7 }",
    "9:31: steps[1].drive.of: expected an attempt that an earlier step submits, seen a7; did you mean a1?",
  ],
  [
    "drive: { attempt: a1, of: a1 }",
    "9:23: steps[1].drive.attempt: expected a new attempt, seen a1, which an earlier step submits",
  ],
  [
    "crash: { entring: { retry: { attempt: a2, of: a1 } }, at: after_step }",
    '9:14: steps[1].crash.entring: expected a key (one of entering, at), seen the key "entring"; did you mean entering?',
  ],
  [
    "crash: { entering: { retry: { attempt: a2, of: a3 } }, at: after_step }",
    "9:52: steps[1].crash.entering.retry.of: expected an attempt that an earlier step submits, seen a3; did you mean a1?",
  ],
  [
    "crash: { entering: { advance: a1 }, at: after_step }",
    '9:26: steps[1].crash.entering.advance: expected a key (one of submit, retry), seen the key "advance"',
  ],
  [
    "crash: { deciding: d1, at: before_decision }",
    "9:24: steps[1].crash.deciding: expected a decision that an earlier step makes, seen d1",
  ],
  [
    "crash: { attempt: a1, entering: { retry: { attempt: a2, of: a1 } }, at: after_commit }",
    '9:27: steps[1].crash.entering: expected a key (one of attempt, at), seen the key "entering"',
  ],
  [
    "{advance:a1}",
    '9:6: steps[1]."advance:a1": expected a key, seen "advance:a1"; a colon needs a space behind it',
  ],
];

/** The expectation under test is on line 10, indented by two. */
const expectMistakes: readonly [line: string, mistake: string][] = [
  ["atempts: {}", '10:3: expect.atempts: expected a key, seen the key "atempts"; did you mean attempts?'],
  [
    "attempts: { a2: {} }",
    "10:15: expect.attempts.a2: expected an attempt that a step submits, seen a2; did you mean a1?",
  ],
  [
    "attempts: { b1: {} }",
    '10:15: expect.attempts.b1: expected the name of an attempt (a1, a2, ...), seen "b1"',
  ],
  [
    "attempts: { a1: { status: acepted } }",
    '10:29: expect.attempts.a1.status: expected a status, seen "acepted"; did you mean accepted?',
  ],
  [
    "attempts: { a1: { effect_exists: yes } }",
    '10:36: expect.attempts.a1.effect_exists: expected true or false, seen "yes"',
  ],
  [
    "attempts: { a1: { outcome: lost, status: accepted } }",
    "10:19: expect.attempts.a1: expected of an attempt that ends lost only outcome, seen status",
  ],
  [
    "attempts: { a1: { outcome: cancelled, released: 1 } }",
    "10:19: expect.attempts.a1: expected of an attempt that ends cancelled only outcome, error_excludes, seen released",
  ],
  ["effects: [{ tenant: t1 }]", '10:13: expect.effects[0].key: expected the key "key", seen no such key'],
  ["effects: { key: K }", "10:12: expect.effects: expected the list of all effects, seen a mapping"],
  [
    "effects: [{ key: K, digest: abc }]",
    '10:31: expect.effects[0].digest: expected a SHA-256 in hexadecimal, seen "abc"',
  ],
  ["receipts: -1", "10:13: expect.receipts: expected how many receipts there are, seen number -1"],
  ["receipts: {}", "10:13: expect.receipts: expected how many receipts, or the list of all, seen a mapping"],
  [
    "receipts: [{ number: 0 }]",
    "10:24: expect.receipts[0].number: expected the number of a receipt, from 1, seen number 0",
  ],
  [
    "policy: gone",
    '10:11: expect.policy: expected a policy like { revision: 2, max_copies: 1 }, or missing, seen "gone"',
  ],
  ["any_of: []", "10:11: expect.any_of: expected a list of what may be left behind, seen an empty list"],
  [
    "any_of: [{ violates: fail-closed }]",
    '10:14: expect.any_of[0].violates: expected a key (one of attempts, effects, receipts, policy, reservations, gates, decisions, requests, uses, escalations, steps_used), seen the key "violates"',
  ],
  [
    "any_of: [{ attempts: { a9: {} } }]",
    "10:26: expect.any_of[0].attempts.a9: expected an attempt that a step submits, seen a9; did you mean a1?",
  ],
  [
    "attempts: { a1: { layers: { approval: asked } } }",
    '10:41: expect.attempts.a1.layers.approval: expected what the layer answered (one of not_reached, allow, ask, escalate, block), seen "asked"; did you mean ask?',
  ],
  [
    "attempts: { a1: { outcome: lost, layers: {} } }",
    "10:19: expect.attempts.a1: expected of an attempt that ends lost only outcome, seen layers",
  ],
  [
    "decisions: { d1: recorded }",
    "10:16: expect.decisions.d1: expected a decision that a step makes, seen d1",
  ],
  [
    "decisions: { 1: recorded }",
    "10:16: expect.decisions: expected a text as key, seen 1; write it in quotes",
  ],
  [
    "requests: [{ tol: draft }]",
    '10:16: expect.requests[0].tol: expected a key, seen the key "tol"; did you mean tool?',
  ],
  [
    "uses: [{ request: nobody }]",
    '10:21: expect.uses[0].request: expected the number of a request, or none, seen "nobody"',
  ],
  [
    "escalations: [{ layer: check }]",
    '10:26: expect.escalations[0].layer: expected a layer that escalates (one of capability, output), seen "check"',
  ],
  [
    "steps_used: { r1: many }",
    '10:21: expect.steps_used.r1: expected how many steps the run has used, seen "many"',
  ],
  [
    "violates: no-stale-comit",
    '10:13: expect.violates: expected a promise, seen "no-stale-comit"; did you mean no-stale-commit?',
  ],
];

const good = fileWith([submitA1]);

const fileMistakes: readonly [what: string, text: string, mistakes: readonly string[]][] = [
  ["no text", "", ["1:1: expected a scenario, seen a file with nothing in it"]],
  ["comments alone", "# later\n", ["1:1: expected a scenario, seen a file with nothing in it"]],
  ["a bare word", "scenario\n", ['1:1: expected a scenario, seen "scenario"']],
  ["a list", "- 1\n- 2\n", ["1:1: expected a scenario, seen a list of 2"]],
  [
    "two documents",
    `${good}---\n${good}`,
    ["10:1: expected one scenario in a file, seen a second document that begins here"],
  ],
  [
    "another format version",
    good.replace("commitpoint: 1", "commitpoint: 2"),
    ["1:14: commitpoint: expected 1, the only format version that this program reads, seen number 2"],
  ],
  [
    "no steps",
    good.replace(/steps:\n.*\n/, "steps: []\n"),
    ["7:8: steps: expected a list of at least one step, seen an empty list"],
  ],
  [
    "a key that is missing",
    good.replace("about: a\n", ""),
    ['1:1: about: expected the key "about", seen no such key'],
  ],
  // The misspelt key and the missing one are one mistake.
  [
    "a key that is misspelt",
    good.replace("about", "abuot"),
    ['4:1: abuot: expected a key, seen the key "abuot"; did you mean about?'],
  ],
  [
    "a key written twice",
    `${good}name: other\n`,
    ['10:1: name: expected every key once, seen "name" written twice'],
  ],
  [
    "a value of the wrong type",
    good.replace("name: n", "name: 7"),
    ["2:7: name: expected a text that is not empty, seen number 7; write it in quotes"],
  ],
  [
    "an anchor without an end",
    good.replace("about: a", "about: &a [*a]"),
    ["4:11: about: expected a text, seen a list of one"],
  ],
  [
    "a tag",
    good.replace("about: a", "about: !secret a"),
    ["4:8: about: expected YAML 1.2, seen a mistake in it: Unresolved tag: !secret"],
  ],
  [
    "a control character",
    good.replace("about: a", "about: \u0007"),
    ["4:8: expected text, seen the control character U+0007"],
  ],
  [
    "an open bracket",
    good.replace("{ max_copies: 3 }", "{ max_copies: 3"),
    [
      "7:1: policy.max_copies: expected YAML 1.2, seen a mistake in it: Flow map in block collection must be sufficiently indented and end with a }",
    ],
  ],
];

describe("a scenario file with a mistake", () => {
  it.each(stepMistakes)("says where a step goes wrong: %s", (step, mistake) => {
    expect(mistakesIn(fileWith([submitA1, step]))).toEqual([mistake]);
  });

  it.each(expectMistakes)("says where an expectation goes wrong: %s", (line, mistake) => {
    expect(mistakesIn(fileWith([submitA1], [line]))).toEqual([mistake]);
  });

  it.each(fileMistakes)("says what is wrong with a file with %s", (_what, text, mistakes) => {
    expect(mistakesIn(text)).toEqual(mistakes);
  });

  it("names all its mistakes in the order of the text", () => {
    const text = fileWith(
      ["submit: { attempt: a1, args: {}, faults: [busy, { busy: nowhere }] }", "finish: a4"],
      ["receipts: many"],
    );
    expect(mistakesIn(text).map((each) => each.split(": ")[0])).toEqual(["8:47", "8:61", "9:13", "11:13"]);
  });

  it("does not blame later steps for an attempt whose own step is wrong", () => {
    expect(mistakesIn(fileWith(["submt: { attempt: a1, args: {} }", "finish: a1"]))).toEqual([
      '8:5: steps[0].submt: expected a key, seen the key "submt"; did you mean submit?',
    ]);
  });

  it("follows decisions through the steps, also those that take the next number", () => {
    // Unnamed d1, d3 as named, then d4: the next after the largest so far.
    const steps = [
      submitA1,
      "approve: { request: 1, held: true }",
      "deny: { request: 1, decision: d3 }",
      "revoke: { request: 1, held: true }",
      "settle: d1",
      "settle: d2",
      "crash: { deciding: d4, at: after_decision }",
      "approve: { request: 1, decision: d3 }",
    ];
    expect(mistakesIn(fileWith(steps, ["decisions: { d4: lost, d5: recorded }"]))).toEqual([
      "13:13: steps[5].settle: expected a decision that an earlier step makes, seen d2; did you mean d1?",
      "15:38: steps[7].approve.decision: expected a new decision, seen d3, which an earlier step makes",
      "17:26: expect.decisions.d5: expected a decision that a step makes, seen d5; did you mean d1?",
    ]);
  });

  it("does not blame later steps for a decision, or an entering attempt, whose own step is wrong", () => {
    const steps = [
      "crash: { entering: { submit: { attempt: a1, arg: {} } }, at: after_step }",
      "retry: { attempt: a2, of: a1 }",
      "aprove: { request: 1, held: true }",
      "settle: d1",
    ];
    expect(mistakesIn(fileWith(steps)).map((each) => each.split(": ")[1])).toEqual([
      "steps[0].crash.entering.submit.arg",
      "steps[2].aprove",
    ]);
  });

  it("reports an alias that holds itself", () => {
    expect(mistakesIn(fileWith(["submit: { attempt: a1, args: &args { inner: *args } }"]))).toEqual([
      expect.stringContaining("expected at most 40 levels, seen more; does an alias hold itself?"),
    ]);
  });

  it("reports aliases that multiply beyond any scenario, and does so quickly", () => {
    const level = (index: number) => `l${index}: &l${index} [${`*l${index - 1},`.repeat(10)}]`;
    const levels = Array.from({ length: 9 }, (_unused, index) => level(index + 1)).join(", ");
    expect(mistakesIn(fileWith([`submit: { attempt: a1, args: { l0: &l0 [1], ${levels} } }`]))).toEqual([
      expect.stringContaining("expected a scenario of finite size"),
    ]);
  });

  it("reports brackets that are nested too deeply to be read", () => {
    expect(mistakesIn(`a: ${"[".repeat(100_000)}`)).toEqual([
      expect.stringContaining(
        "expected a scenario of finite depth, seen one that is nested too deeply to be read",
      ),
    ]);
  });
});
