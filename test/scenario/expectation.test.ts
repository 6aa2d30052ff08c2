import { describe, expect, it } from "vitest";
import type { Event, Happening, Observation, Outcome } from "../../src/model/vocabulary.js";
import type { PromiseId, RunVerdict } from "../../src/properties/verdict.js";
import { checkExpectation } from "../../src/scenario/expectation.js";
import { fileWith, scenarioOf, submitA1 } from "./text.js";

const holds: RunVerdict = { violations: [], occurred: [], undecided: [] };

function breaking(...promises: readonly PromiseId[]): RunVerdict {
  const violation = { position: 4, action: 1, sentence: "It did not.", expected: "this", seen: "that" };
  return { ...holds, violations: promises.map((promise) => ({ ...violation, promise })) };
}

const store: Observation = {
  effects: [
    {
      tenant: "t1",
      tool: "draft",
      key: "JOB-002",
      digest: "d2",
      body: "not JSON",
      revision: 2,
      runId: "r1",
      callId: "c-a2",
    },
    {
      tenant: "t1",
      tool: "draft",
      key: "JOB-001",
      digest: "d1",
      body: '{"text":"river","job":"JOB-001"}',
      revision: 1,
      runId: "r1",
      callId: "c-a1",
    },
  ],
  receipts: [
    {
      number: 2,
      delivery: "d-a2",
      tenant: "t1",
      runId: "r1",
      callId: "c-a2",
      key: { kind: "none" },
      status: "input_rejected",
      code: "shape",
      effectExists: false,
      events: [],
      raw: "2|input_rejected|shape",
    },
    {
      number: 1,
      delivery: "d-a1",
      tenant: "t1",
      runId: "r1",
      callId: "c-a1",
      key: { kind: "key", key: "JOB-001" },
      status: "accepted",
      code: "ok",
      effectExists: true,
      events: ["arguments_valid"],
      raw: "1|accepted|SECRET",
    },
  ],
  policy: { kind: "present", revision: 2, maxCopies: 1 },
  writeLock: "free",
};

const accepted: Outcome = {
  kind: "completed",
  receiptNumber: 1,
  status: "accepted",
  code: "ok",
  events: ["arguments_valid"],
  effectExists: true,
  released: { kind: "value", value: { job: "JOB-001", text: "river" } },
};

function submitted(attempt: "a1" | "a2"): Happening {
  const context = { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" };
  const contract = { kind: "invalid", code: "shape" } as const;
  return {
    kind: "submitted",
    attempt,
    delivery: `d-${attempt}`,
    request: "{}",
    context,
    faults: [],
    contract,
    canaries: [],
  };
}

function ended(attempt: "a1" | "a2", outcome: Outcome): Happening {
  return { kind: "ended", attempt, outcome, releasedIs: "nothing", atRelease: store };
}

const observed: Happening = { kind: "observed", observation: store };

function historyOf(...happenings: readonly Happening[]): readonly Event[] {
  return happenings.map((happening, position) => ({ ...happening, position, action: 0 }));
}

/** Mismatches as `path: expected / seen`. */
function mismatches(lines: readonly string[], history: readonly Event[], verdict = holds): readonly string[] {
  const scenario = scenarioOf(fileWith([submitA1, "retry: { attempt: a2, of: a1 }"], lines));
  return checkExpectation(scenario.expect, { history, verdict }).map(
    ({ path, expected, seen }) => `${path}: ${expected} / ${seen}`,
  );
}

const acceptedHistory = historyOf(submitted("a1"), ended("a1", accepted), observed);

describe("checkExpectation", () => {
  it.each([
    "attempts: { a1: { status: accepted, code: ok, events: [arguments_valid], effect_exists: true, receipt: 1 } }",
    // Keys of a released value may stand in any order.
    "attempts: { a1: { released: { text: river, job: JOB-001 } } }",
    // In the order of the keys, which is not the store's.
    "effects: [{ key: JOB-001, tenant: t1, revision: 1, run: r1, call: c-a1 }, { key: JOB-002, body: not JSON }]",
    "effects: [{ key: JOB-001, body: { job: JOB-001, text: river } }, { key: JOB-002 }]",
    "receipts: 2",
    "receipts: [{ number: 1, key: JOB-001, status: accepted, code: ok, effect_exists: true }, { key: null, excludes: [SECRET] }]",
    "policy: { revision: 2 }",
    "policy: { max_copies: 1 }",
    "any_of: [{ receipts: 7 }, { receipts: 2 }]",
  ])("is content with %s", (line) => {
    expect(mismatches([line], acceptedHistory)).toEqual([]);
  });

  it.each([
    ["attempts: { a1: { status: error } }", 'attempts.a1.status: "error" / "accepted"'],
    ["attempts: { a1: { code: busy } }", 'attempts.a1.code: "busy" / "ok"'],
    ["attempts: { a1: { events: [] } }", "attempts.a1.events: none / arguments_valid"],
    ["attempts: { a1: { effect_exists: false } }", "attempts.a1.effect_exists: false / true"],
    ["attempts: { a1: { receipt: 2 } }", "attempts.a1.receipt: 2 / 1"],
    ["attempts: { a1: { released: null } }", 'attempts.a1.released: null / {"job":"JOB-001","text":"river"}'],
    ["attempts: { a1: { outcome: cancelled } }", "attempts.a1.outcome: cancelled / completed (accepted/ok)"],
    ["attempts: { a2: {} }", "attempts.a2.outcome: completed / never submitted"],
    ["effects: [{ key: JOB-001 }]", "effects: 1: JOB-001 / 2: JOB-001@r1, JOB-002@r2"],
    ["effects: []", "effects: none / 2: JOB-001@r1, JOB-002@r2"],
    ["effects: [{ key: JOB-001, revision: 2 }, { key: JOB-002 }]", "effects[0].revision: 2 / 1"],
    ["effects: [{ key: JOB-001 }, { key: JOB-002, body: { a: 1 } }]", 'effects[1].body: {"a":1} / nothing'],
    ["receipts: 1", "receipts: 1 / 2"],
    ["receipts: [{ status: accepted }]", "receipts: 1: accepted / 2: 1 accepted, 2 input_rejected"],
    ["receipts: [{ key: null }, {}]", 'receipts[0].key: null / "JOB-001"'],
    [
      "receipts: [{ excludes: [SECRET] }, {}]",
      'receipts[0].excludes: a row without "SECRET" / "1|accepted|SECRET"',
    ],
    ["policy: missing", "policy: missing / present"],
    ["policy: { revision: 3, max_copies: 1 }", "policy.revision: 3 / 2"],
  ])("finds fault with %s", (line, mismatch) => {
    expect(mismatches([line], acceptedHistory)).toEqual([mismatch]);
  });

  it("shows the nearest of several alternatives when none holds", () => {
    const line = "any_of: [{ receipts: 7, policy: missing }, { receipts: 2, policy: { revision: 9 } }]";
    expect(mismatches([line], acceptedHistory)).toEqual([
      "any_of: one of 2 alternatives / none of them; any_of[1] is nearest",
      "any_of[1].policy.revision: 9 / 2",
    ]);
  });

  it("compares the causes of an audit failure and of an unknown outcome, and what their errors hold", () => {
    const audit: Outcome = {
      kind: "audit_unavailable",
      causes: ["cancelled", "receipt_write"],
      events: [],
      errorText: "no receipt",
    };
    const unknown: Outcome = { kind: "unknown", cause: "after_receipt", errorText: "SECRET" };
    const history = historyOf(
      submitted("a1"),
      ended("a1", audit),
      submitted("a2"),
      ended("a2", unknown),
      observed,
    );
    const right = [
      "attempts:",
      "  a1: { outcome: audit_unavailable, causes: [cancelled, receipt_write], events: [], released: null, error_excludes: [SECRET] }",
      "  a2: { outcome: unknown, causes: [after_receipt], released: null }",
    ];
    expect(mismatches(right, history)).toEqual([]);
    const wrong = [
      "attempts:",
      "  a1: { outcome: audit_unavailable, causes: [receipt_write] }",
      "  a2: { outcome: unknown, causes: [timeout], error_excludes: [SECRET] }",
    ];
    expect(mismatches(wrong, history)).toEqual([
      "attempts.a1.causes: receipt_write / cancelled, receipt_write",
      "attempts.a2.causes: timeout / after_receipt",
      'attempts.a2.error_excludes: an error without "SECRET" / "SECRET"',
    ]);
  });

  it("knows an attempt that was lost from one that has not ended", () => {
    const crashed: Happening = { kind: "crashed", advancing: { kind: "idle" }, lost: ["a1"] };
    const history = historyOf(submitted("a1"), crashed, submitted("a2"), observed);
    expect(mismatches(["attempts: { a1: { outcome: lost }, a2: { outcome: in_flight } }"], history)).toEqual(
      [],
    );
    expect(mismatches(["attempts: { a1: { outcome: in_flight }, a2: { outcome: lost } }"], history)).toEqual([
      "attempts.a1.outcome: in_flight / lost",
      "attempts.a2.outcome: lost / in_flight",
    ]);
  });

  it("says in a few words how an attempt ended that was expected to end otherwise", () => {
    const seen = (outcome: Outcome) =>
      mismatches(["attempts: { a1: {} }"], historyOf(submitted("a1"), ended("a1", outcome), observed));
    const errorText = "";
    expect(seen({ kind: "cancelled", reason: "callers", errorText })).toEqual([
      "attempts.a1.outcome: completed / cancelled",
    ]);
    expect(seen({ kind: "cancelled", reason: "other", errorText })).toEqual([
      "attempts.a1.outcome: completed / cancelled for another reason than the caller's",
    ]);
    expect(
      seen({ kind: "audit_unavailable", causes: ["receipt_write", "driver"], events: [], errorText }),
    ).toEqual(["attempts.a1.outcome: completed / audit_unavailable (receipt_write, driver)"]);
    expect(seen({ kind: "unknown", cause: "timeout", errorText })).toEqual([
      "attempts.a1.outcome: completed / unknown (timeout)",
    ]);
    expect(seen({ kind: "failed", proof: "no row", errorText })).toEqual([
      "attempts.a1.outcome: completed / failed",
    ]);
  });

  it("compares what the steps left behind, not what the epilogue made of it", () => {
    const later: Happening = { kind: "observed", observation: { ...store, receipts: [] } };
    const history = historyOf(submitted("a1"), observed, { kind: "epilogue" }, ended("a1", accepted), later);
    expect(mismatches(["attempts: { a1: { outcome: in_flight } }", "receipts: 2"], history)).toEqual([]);
  });

  it("asks for an observation where something is expected of the store", () => {
    expect(mismatches(["receipts: 0"], historyOf(submitted("a1")))).toEqual([
      ": a store that was read / no observation",
    ]);
    expect(mismatches(["attempts: { a1: { outcome: in_flight } }"], historyOf(submitted("a1")))).toEqual([]);
  });

  it("expects that no promise is broken", () => {
    expect(mismatches([], acceptedHistory, breaking("fail-closed"))).toEqual([
      "promises: every promise holds / fail-closed is broken at action 1: It did not.",
    ]);
  });

  it("expects the broken promise that it names, whatever else is broken with it", () => {
    const line = ["violates: no-stale-commit"];
    expect(mismatches(line, acceptedHistory, breaking("fail-closed", "no-stale-commit"))).toEqual([]);
    expect(mismatches(line, acceptedHistory, breaking("fail-closed"))).toEqual([
      "violates: no-stale-commit is broken / broken: fail-closed",
    ]);
    expect(mismatches(line, acceptedHistory)).toEqual([
      "violates: no-stale-commit is broken / no promise is broken",
    ]);
  });

  it("leaves undecided promises to its caller", () => {
    const undecided = { ...holds, undecided: [{ promise: "fail-closed", reason: "out of budget" } as const] };
    expect(mismatches([], acceptedHistory, undecided)).toEqual([]);
  });
});
