import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../src/scenario/load.js";
import { fileWith, scenarioOf, submitA1 } from "./text.js";

const context = { tenant: "t1", runId: "r1", callId: "c-a1", principal: "p1" };

describe("loadScenario", () => {
  it("reads every kind of step", () => {
    const text = fileWith([
      'submit: { attempt: a1, args_text: "{", tenant: t2, run: r7, call: c9, principal: p3, faults: [bad_output] }',
      "submit: { attempt: a2, args: { copies: 2, job: JOB-001 } }",
      "retry: { attempt: a3, of: a1, faults: [{ busy: receipt }, effect_ignored] }",
      "retry_changed: { attempt: a4, of: a1, args: {} }",
      "resubmit_new_key: { attempt: a5, of: a2, args_text: '[]', faults: [{ throw_at: after_commit }] }",
      "advance: a1",
      "finish: a1",
      "cancel: a2",
      "expire: a2",
      "change_policy: { max_copies: 0 }",
      "change_policy: remove",
      "arm: receipt_aborted",
      "disarm: { disk_full: execute }",
      "crash: parked",
      "crash: { attempt: a2, at: before_receipt }",
      "restart",
      "restart: {}",
      "observe",
      "observe: {}",
    ]);
    expect(scenarioOf(text).actions).toEqual([
      {
        kind: "submit",
        attempt: "a1",
        request: "{",
        context: { tenant: "t2", runId: "r7", callId: "c9", principal: "p3" },
        faults: [{ kind: "bad_output" }],
      },
      // Compact JSON, keys in the order in which they are written.
      {
        kind: "submit",
        attempt: "a2",
        request: '{"copies":2,"job":"JOB-001"}',
        context: { ...context, callId: "c-a2" },
        faults: [],
      },
      {
        kind: "retry",
        attempt: "a3",
        of: "a1",
        faults: [{ kind: "busy", stage: "receipt" }, { kind: "effect_ignored" }],
      },
      { kind: "retry_changed", attempt: "a4", of: "a1", request: "{}", faults: [] },
      {
        kind: "resubmit_new_key",
        attempt: "a5",
        of: "a2",
        request: "[]",
        faults: [{ kind: "throw_at", at: "after_commit" }],
      },
      { kind: "advance", attempt: "a1" },
      { kind: "finish", attempt: "a1" },
      { kind: "cancel", attempt: "a2" },
      { kind: "expire", attempt: "a2" },
      { kind: "change_policy", to: { kind: "limit", maxCopies: 0 } },
      { kind: "change_policy", to: { kind: "remove" } },
      { kind: "arm", fault: { kind: "receipt_aborted" } },
      { kind: "disarm", fault: { kind: "disk_full", stage: "execute" } },
      { kind: "crash", where: { kind: "parked" } },
      { kind: "crash", where: { kind: "at", attempt: "a2", at: "before_receipt" } },
      { kind: "restart" },
      { kind: "restart" },
      { kind: "observe" },
      { kind: "observe" },
    ]);
  });

  it("reads every kind of step that approvals, capabilities, runs and a clock bring", () => {
    const text = fileWith([
      submitA1,
      "submit: { attempt: a2, tool: create_ticket, args: {}, step: 1, replaces: c-a1, side_effects: permitted }",
      "submit: { attempt: a3, args: {}, step: 2, faults: [{ spoilt_output: { as: secret } }, { spoilt_output: { as: format, tries: 3 } }, { checker_throws: capability }] }",
      "change_policy: { max_copies: 1, approval: required }",
      "approve: { request: 1 }",
      "deny: { request: 2, flaw: role, held: true, decision: d5 }",
      "revoke: { request: 2, held: false }",
      "settle: d5",
      "advance_clock: 2",
      "set_capability: { tool: draft, resource: drafts, held: false }",
      "set_capability: { tool: draft, resource: drafts, principal: p2, tenant: t2, held: true }",
      "round_trip: genuine",
      "round_trip: tampered",
      "drive: { attempt: a4, of: a1 }",
      "crash: { entering: { submit: { attempt: a5, args: {} } }, at: after_step }",
      "crash: { entering: { retry: { attempt: a6, of: a1 } }, at: after_request }",
      "crash: { deciding: d6, at: before_decision }",
    ]).replace("profile: ledger", "profile: guarded");
    const draft = { tool: "draft", step: 0, replaces: "none", sideEffects: "not_permitted" };
    const ticket = { tool: "create_ticket", step: 1, replaces: "c-a1", sideEffects: "permitted" };
    const empty = { kind: "submit", request: "{}", faults: [] };
    expect(scenarioOf(text).actions).toEqual([
      {
        ...empty,
        attempt: "a1",
        request: '{"job":"JOB-001","topic":"river","copies":2}',
        context: { ...context, dispatch: draft },
      },
      { ...empty, attempt: "a2", context: { ...context, callId: "c-a2", dispatch: ticket } },
      {
        ...empty,
        attempt: "a3",
        context: { ...context, callId: "c-a3", dispatch: { ...draft, step: 2 } },
        faults: [
          { kind: "spoilt_output", as: "secret", tries: 1 },
          { kind: "spoilt_output", as: "format", tries: 3 },
          { kind: "checker_throws", stage: "capability" },
        ],
      },
      { kind: "change_policy", to: { kind: "limit", maxCopies: 1, approval: "required" } },
      { kind: "approve", request: 1, flaw: "none", pace: "at_once", decision: "d1" },
      { kind: "deny", request: 2, flaw: "role", pace: "held", decision: "d5" },
      // The next after the largest so far.
      { kind: "revoke", request: 2, flaw: "none", pace: "at_once", decision: "d6" },
      { kind: "settle", decision: "d5" },
      { kind: "advance_clock", by: 2 },
      {
        kind: "set_capability",
        capability: { principal: "p1", tenant: "t1", tool: "draft", resource: "drafts" },
        held: false,
      },
      {
        kind: "set_capability",
        capability: { principal: "p2", tenant: "t2", tool: "draft", resource: "drafts" },
        held: true,
      },
      { kind: "round_trip", tampered: false },
      { kind: "round_trip", tampered: true },
      { kind: "drive", attempt: "a4", of: "a1" },
      {
        kind: "crash",
        where: {
          kind: "entering",
          entry: { ...empty, attempt: "a5", context: { ...context, callId: "c-a5", dispatch: draft } },
          at: "after_step",
        },
      },
      {
        kind: "crash",
        where: {
          kind: "entering",
          entry: { kind: "retry", attempt: "a6", of: "a1", faults: [] },
          at: "after_request",
        },
      },
      { kind: "crash", where: { kind: "deciding", decision: "d6", at: "before_decision" } },
    ]);
  });

  it("reads the example of the documentation", () => {
    const page = readFileSync("docs/scenarios.md", "utf8");
    const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? "";
    const { actions, expect: expected } = scenarioOf(example);
    expect(actions).toHaveLength(10);
    expect(expected.decisions).toHaveLength(3);
  });

  it("dispatches a call of a profile with one tool only where the file says so", () => {
    const text = fileWith([submitA1, "submit: { attempt: a2, args: {}, step: 1 }"]);
    const dispatch = { tool: "draft", step: 1, replaces: "none", sideEffects: "not_permitted" };
    expect(scenarioOf(text).actions).toMatchObject([
      { context },
      { context: { ...context, callId: "c-a2", dispatch } },
    ]);
    expect(scenarioOf(text).actions[0]).not.toHaveProperty("context.dispatch");
  });

  it("reads everything that can be expected", () => {
    const text = fileWith(
      [submitA1, "retry: { attempt: a2, of: a1 }"],
      [
        "attempts:",
        "  a1: { status: accepted, code: ok, events: [arguments_valid], effect_exists: true, released: { a: [1] }, receipt: 1 }",
        "  a2: { outcome: audit_unavailable, causes: [cancelled, driver], released: null, error_excludes: [x] }",
        "effects: [{ key: K, tenant: t1, body: text, revision: 2, run: r1, call: c }]",
        "receipts: [{ number: 1, key: null }, { key: K, excludes: [y] }]",
        "policy: { revision: 3 }",
        "any_of: [{ receipts: 0 }, { policy: missing }]",
        "violates: fail-closed",
      ],
    );
    expect(scenarioOf(text).expect).toEqual({
      attempts: [
        {
          attempt: "a1",
          outcome: "completed",
          status: "accepted",
          code: "ok",
          events: ["arguments_valid"],
          effectExists: true,
          released: { kind: "value", value: { a: [1] } },
          receipt: 1,
        },
        {
          attempt: "a2",
          outcome: "audit_unavailable",
          causes: ["cancelled", "driver"],
          released: { kind: "nothing" },
          errorExcludes: ["x"],
        },
      ],
      effects: [{ key: "K", tenant: "t1", body: "text", revision: 2, run: "r1", call: "c" }],
      receipts: [
        { number: 1, key: null },
        { key: "K", excludes: ["y"] },
      ],
      policy: { kind: "present", revision: 3 },
      anyOf: [{ receipts: 0 }, { policy: { kind: "missing" } }],
      violates: "fail-closed",
    });
  });

  it("reads what can be expected of approvals, runs and layers", () => {
    const text = fileWith(
      [submitA1, "approve: { request: 1 }", "deny: { request: 1 }"],
      [
        "attempts: { a1: { status: waiting_for_approval, layers: { schema: allow, approval: ask } } }",
        "effects: [{ key: null, tool: notify_oncall }]",
        "receipts: [{ layers: { capability: escalate } }]",
        "policy: { approval: required }",
        "decisions: { d1: recorded, d2: already_denied }",
        "requests: [{ number: 1, tool: draft, call: c-a1, revision: 1, role: editor, requested_at: 0, expires_at: 2 }]",
        "uses: [{ call: c-a1, request: none }, { request: 1 }]",
        "escalations: [{ call: c-a1, layer: capability }]",
        "steps_used: { r1: 1, t2/r1: 0 }",
        "any_of: [{ requests: 1, uses: 0, escalations: 0 }]",
      ],
    );
    expect(scenarioOf(text).expect).toEqual({
      attempts: [
        {
          attempt: "a1",
          outcome: "completed",
          status: "waiting_for_approval",
          layers: { schema: "allow", approval: "ask" },
        },
      ],
      effects: [{ key: null, tool: "notify_oncall" }],
      receipts: [{ layers: { capability: "escalate" } }],
      policy: { kind: "present", approval: "required" },
      decisions: [
        { decision: "d1", fate: "recorded" },
        { decision: "d2", fate: "already_denied" },
      ],
      requests: [
        { number: 1, tool: "draft", call: "c-a1", revision: 1, role: "editor", requestedAt: 0, expiresAt: 2 },
      ],
      uses: [{ call: "c-a1", request: "none" }, { request: 1 }],
      escalations: [{ call: "c-a1", layer: "capability" }],
      stepsUsed: [
        { run: "r1", steps: 1 },
        { run: "t2/r1", steps: 0 },
      ],
      anyOf: [{ requests: 1, uses: 0, escalations: 0 }],
    });
  });

  it("keeps the line of each step", () => {
    // Six lines of head, then `steps:`, then a comment between the two steps.
    expect(
      scenarioOf(fileWith([submitA1, "# waits\n  - advance: a1"].join("\n  ").split("\n  - "))).lines,
    ).toEqual([8, 10]);
  });

  it("takes the built-in executor of its profile for a scenario that names none", () => {
    expect(scenarioOf(fileWith([submitA1])).executor).toBe("ledger");
    const guarded = fileWith([submitA1]).replace("profile: ledger", "profile: guarded");
    expect(scenarioOf(guarded).executor).toBe("guarded");
    expect(scenarioOf(`executor: other\n${fileWith([submitA1])}`).executor).toBe("other");
  });

  it("reads a policy that is missing at the start", () => {
    expect(scenarioOf(fileWith([submitA1]).replace("{ max_copies: 3 }", "missing")).policy).toEqual({
      kind: "remove",
    });
  });

  it("reads a rule for writes at the start", () => {
    const text = fileWith([submitA1]).replace("max_copies: 3", "max_copies: 3, approval: required");
    expect(scenarioOf(text).policy).toEqual({ kind: "limit", maxCopies: 3, approval: "required" });
  });

  it.each([
    // YAML 1.2: yes is a text, and the keys keep their order even where JavaScript would sort them.
    ["{ b: yes, a: ~, '2': 0x10, '1': 1.50 }", '{"b":"yes","a":null,"2":16,"1":1.5}'],
    ["{ __proto__: { a: true } }", '{"__proto__":{"a":true}}'],
    [`{ '${".".repeat(99)}': 1 }`, `{"${".".repeat(99)}":1}`],
    ["{ deep: [[], {}, [false]] }", '{"deep":[[],{},[false]]}'],
    ['{ text: "JOB-001\\n" }', '{"text":"JOB-001\\n"}'],
  ])("sends %s as JSON text", (args, request) => {
    const [action] = scenarioOf(fileWith([`submit: { attempt: a1, args: ${args} }`])).actions;
    expect(action).toMatchObject({ request });
  });

  it("sends args_text as it is", () => {
    const [action] = scenarioOf(fileWith([`submit: { attempt: a1, args_text: '{"a":1,"a":2}' }`])).actions;
    expect(action).toMatchObject({ request: '{"a":1,"a":2}' });
  });

  it("reads an alias as what it stands for", () => {
    const steps = [
      "submit: { attempt: a1, args: &args { job: JOB-001 } }",
      "submit: { attempt: a2, args: *args }",
    ];
    expect(scenarioOf(fileWith(steps)).actions[1]).toMatchObject({ request: '{"job":"JOB-001"}' });
  });

  it("reads a file that begins with a byte order mark and has Windows line ends", () => {
    expect(scenarioOf(`\uFEFF${fileWith([submitA1]).replaceAll("\n", "\r\n")}`).lines).toEqual([8]);
  });

  it("knows only the profiles and executors that it is told of", () => {
    const loaded = loadScenario(`executor: legder\n${fileWith([submitA1])}`, "x.yaml", {
      profiles: ["guarded"],
      executors: ["ledger"],
    });
    expect(loaded).toMatchObject({
      mistakes: [
        { line: 1, column: 11, path: "executor", message: expect.stringContaining("did you mean ledger?") },
        {
          line: 4,
          column: 10,
          path: "profile",
          message: 'expected a profile (one of guarded), seen "ledger"',
        },
      ],
    });
  });
});
