import { describe, expect, it } from "vitest";
import type { Action, Happening } from "../../src/model/vocabulary.js";
import { paintFor } from "../../src/report/paint.js";
import { type TimelineSubject, timeline } from "../../src/report/timeline.js";
import {
  completed,
  effect,
  ended,
  historyOf,
  observed,
  parked,
  receipt,
  staleCommit,
  store,
  submit,
  submitted,
} from "./histories.js";

const canvas = { paint: paintFor("plain"), width: 100 };
const empty = store([], []);

function drawn(subject: TimelineSubject, width = 100): readonly string[] {
  return timeline(subject, { ...canvas, width });
}

function told(actions: readonly Action[], byAction: readonly (readonly Happening[])[]): readonly string[] {
  return drawn({ actions, history: historyOf(byAction) });
}

describe("timeline", () => {
  it("draws steps downwards, a lane for each attempt, and the commit point as a bar", () => {
    const broken = { promise: "no-stale-commit", position: staleCommit.position };
    const lines = drawn({ actions: staleCommit.actions, history: staleCommit.history, broken });
    expect(lines).toEqual([
      "        a1 a2",
      '     1  ┬     submit a1  {"job":"JOB-001","topic":"river","copies":2}',
      "        ◆       parked at before_business, checked under policy revision 1",
      '     2  │  ┬  submit a2  {"job":"JOB-001","topic":"river","copies":2}',
      "        │  │    planned faults: throw_at after_commit",
      "        │  ◆    parked at before_business, checked under policy revision 1",
      "     3  │  │  change policy: at most 1",
      "        │  │    policy is now revision 2, at most 1",
      "     4  │  ⊘  cancel a2",
      "  ▶  5  │  │  finish a1",
      "        ●━━━━━  COMMIT POINT  effect JOB-001 written under policy revision 1",
      "        ◆  │    parked at after_business",
      "        │  │    ✗ no-stale-commit is broken here",
      "        ◆  │    parked at output_check",
      "        ▪  │    receipt 1: accepted/ok, key JOB-001, effect exists",
      '        ■  │    ended accepted/ok, receipt 1, released {"draft":"JOB-001: river x2"}',
      "     ·     │  epilogue: faults are gone, everything is driven to its end",
      "           ⊘    cancel delivered at before_business",
      "           ▪    receipt 2: cancelled/cancelled, key JOB-001, effect exists",
      "           ■    ended cancelled",
    ]);
  });

  it("marks the failing step and nothing else", () => {
    const broken = { promise: "no-stale-commit", position: staleCommit.position };
    const lines = drawn({ actions: staleCommit.actions, history: staleCommit.history, broken });
    expect(lines.filter((line) => line.includes("▶"))).toHaveLength(1);
    const held = drawn({ actions: staleCommit.actions, history: staleCommit.history });
    expect(held.filter((line) => line.includes("▶") || line.includes("broken here"))).toEqual([]);
  });

  it("ends the lanes of all that a crash loses", () => {
    const lines = told(
      [
        submit("a1"),
        submit("a2"),
        { kind: "crash", where: { kind: "at", attempt: "a2", at: "after_commit" } },
        { kind: "restart" },
      ],
      [
        [submitted("a1"), parked("a1", "before_business"), observed(empty)],
        [submitted("a2"), parked("a2", "before_business"), observed(empty)],
        [
          {
            kind: "crashed",
            advancing: { kind: "attempt", attempt: "a2", at: "after_commit" },
            lost: ["a1", "a2"],
          },
          observed(store([effect(1, "a2")], [])),
        ],
        [{ kind: "restarted", result: "up" }, observed(store([effect(1, "a2")], []))],
      ],
    );
    expect(lines.slice(5)).toEqual([
      "     3  │  │  crash: advance a2, killed at after_commit",
      "        │  ●━━  COMMIT POINT  effect JOB-001 written under policy revision 1",
      "        ✕  ✕    killed at after_commit; the executor is down, lost: a1, a2",
      "     4        restart",
      "                the executor is up again",
    ]);
  });

  it("tells faults, blocked checkers, late cancels, skipped actions and log lines", () => {
    const lines = told(
      [
        submit("a1", [{ kind: "checker_hangs", stage: "output" }]),
        { kind: "cancel", attempt: "a1" },
        { kind: "expire", attempt: "a1" },
        { kind: "advance", attempt: "a1" },
        { kind: "arm", fault: { kind: "busy", stage: "receipt" } },
        { kind: "observe" },
      ],
      [
        [
          submitted("a1"),
          {
            kind: "fault_fired",
            attempt: "a1",
            fault: { kind: "checker_hangs", stage: "output" },
            at: "output",
          },
          { kind: "blocked", attempt: "a1", on: "output" },
          observed(empty),
        ],
        [{ kind: "cancel_requested", attempt: "a1" }, observed(empty)],
        [
          { kind: "expired", attempt: "a1" },
          { kind: "logged", text: "gave up\u001b[2J" },
          { kind: "cancel_too_late", attempt: "a1" },
          ended(
            "a1",
            completed(1, "error", "no_verdict"),
            store([], [receipt(1, "a1", "error", "no_verdict")]),
          ),
          observed(store([], [receipt(1, "a1", "error", "no_verdict")])),
        ],
        [{ kind: "skipped", reason: "a1 has ended" }],
        [{ kind: "armed", fault: { kind: "busy", stage: "receipt" } }, observed(empty)],
        [{ kind: "late", attempt: "a1", what: "wrote a receipt" }, observed(empty)],
      ],
    );
    expect(lines).toEqual([
      "        a1",
      '     1  ┬  submit a1  {"job":"JOB-001","topic":"river","copies":2}',
      "        │    planned faults: checker_hangs at output",
      "        ↯    fault checker_hangs at output fires",
      "        ◇    blocked: waits for output",
      "     2  ⊘  cancel a1",
      "     3  │  expire a1  (stop waiting for its checker)",
      "        │    logged: gave up\\u{1b}[2J",
      "        ▪    receipt 1: error/no_verdict, key JOB-001, effect exists",
      "        ⊘    the cancel came too late",
      "        ■    ended error/no_verdict, receipt 1, released nothing",
      "     4     advance a1",
      "             skipped: a1 has ended",
      "     5     arm busy at receipt",
      // The store of the next look has no receipt any more: it was taken away.
      "             ✗ receipt 1 REMOVED",
      "     6     observe",
      "        ✗    after its end: wrote a receipt",
    ]);
  });

  it("tells apart what was there when the call settled and what came only afterwards", () => {
    const written = store([effect(1, "a1")], [receipt(1, "a1", "accepted", "ok")]);
    const lines = told(
      [submit("a1"), { kind: "finish", attempt: "a1" }],
      [
        [submitted("a1"), parked("a1", "before_business"), observed(empty)],
        [
          { kind: "advanced", attempt: "a1" },
          ended("a1", completed(1, "accepted", "ok"), store([effect(1, "a1")], [])),
          observed(written),
        ],
      ],
    );
    expect(lines.slice(3)).toEqual([
      "     2  │  finish a1",
      "        ●━━  COMMIT POINT  effect JOB-001 written under policy revision 1",
      '        ■    ended accepted/ok, receipt 1, released {"draft":"JOB-001: river x2"}',
      "        ▪    only after the end: receipt 1: accepted/ok, key JOB-001, effect exists",
    ]);
  });

  it("puts a fault behind the write that it follows", () => {
    const written = store([effect(1, "a1")], [receipt(1, "a1", "error", "after_commit")]);
    const fired = (at: "inside_transaction" | "after_commit" | "after_receipt"): Happening => ({
      kind: "fault_fired",
      attempt: "a1",
      fault: { kind: "throw_at", at },
      at,
    });
    const lines = told(
      [submit("a1"), { kind: "finish", attempt: "a1" }],
      [
        [submitted("a1"), parked("a1", "before_business"), observed(empty)],
        [
          { kind: "advanced", attempt: "a1" },
          fired("inside_transaction"),
          fired("after_commit"),
          fired("after_receipt"),
          ended("a1", completed(1, "error", "after_commit"), written),
          observed(written),
        ],
      ],
    );
    expect(lines.slice(4, -1)).toEqual([
      "        ↯    fault throw_at inside_transaction fires",
      "        ●━━  COMMIT POINT  effect JOB-001 written under policy revision 1",
      "        ↯    fault throw_at after_commit fires",
      "        ▪    receipt 1: error/after_commit, key JOB-001, effect exists",
      "        ↯    fault throw_at after_receipt fires",
    ]);
  });

  it("stops telling the epilogue where the promise broke", () => {
    const history = historyOf([
      [submitted("a1"), parked("a1", "before_business"), observed(empty)],
      [
        { kind: "epilogue" },
        { kind: "advanced", attempt: "a1" },
        parked("a1", "after_business"),
        observed(store([effect(1, "a1")], [])),
        submitted("a2"),
        parked("a2", "before_business"),
        observed(store([effect(1, "a1")], [])),
      ],
    ]);
    const lines = drawn({
      actions: [submit("a1")],
      history,
      broken: { promise: "no-stale-commit", position: 6 },
    });
    expect(lines).toEqual([
      "        a1",
      '     1  ┬  submit a1  {"job":"JOB-001","topic":"river","copies":2}',
      "        ◆    parked at before_business, checked under policy revision 1",
      "  ▶  ·  │  epilogue: faults are gone, everything is driven to its end",
      "        ●━━  COMMIT POINT  effect JOB-001 written under policy revision 1",
      "        ◆    parked at after_business",
      "        │    ✗ no-stale-commit is broken here",
      "        │    and so on to its end",
    ]);
  });

  it("draws attempts that begin in the epilogue", () => {
    const history = historyOf([
      [
        submitted("a1"),
        ended("a1", { kind: "unknown", cause: "after_receipt", errorText: "x" }, empty),
        observed(empty),
      ],
      [{ kind: "epilogue" }, submitted("a2"), parked("a2", "before_business", 3), observed(empty)],
    ]);
    expect(drawn({ actions: [submit("a1")], history }).slice(2)).toEqual([
      "        ■       ended unknown (after_receipt)",
      "     ·        epilogue: faults are gone, everything is driven to its end",
      "           ┬    a2 is submitted",
      "           ◆    parked at before_business, checked under policy revision 3",
    ]);
  });

  it("wraps long text within the page, beside its lanes", () => {
    const long = `{"job":"JOB-001","note":"${"x".repeat(100)}"}`;
    const action: Action = {
      ...submit("a1"),
      kind: "submit",
      attempt: "a1",
      request: long,
      faults: [],
      context: { tenant: "t1", runId: "r1", callId: "c", principal: "p1" },
    };
    const history = historyOf([[submitted("a1", long), parked("a1", "before_business"), observed(empty)]]);
    const lines = drawn({ actions: [action], history }, 80);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(lines[2]).toMatch(/^ {8}│ {2}\S/);
  });

  it("is empty for an empty history", () => {
    expect(drawn({ actions: [], history: [] })).toEqual([]);
  });

  it("colours nothing when it is to be plain, and does when it is to be coloured", () => {
    const subject = { actions: staleCommit.actions, history: staleCommit.history };
    expect(drawn(subject).join("")).not.toContain("\u001b");
    expect(timeline(subject, { ...canvas, paint: paintFor("coloured") }).join("")).toContain("\u001b[");
  });
});
