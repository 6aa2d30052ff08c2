import { describe, expect, it } from "vitest";
import type { Action, AttemptName, Context } from "../../src/model/vocabulary.js";
import { detached, repaired } from "../../src/properties/minimise-repair.js";

const context: Context = { tenant: "t2", runId: "r3", callId: "c-first", principal: "p4" };
const submit = (attempt: AttemptName): Action => ({
  kind: "submit",
  attempt,
  request: `of ${attempt}`,
  context,
  faults: [],
});
const retry = (attempt: AttemptName, of: AttemptName): Action => ({
  kind: "retry",
  attempt,
  of,
  faults: [{ kind: "bad_output" }],
});

describe("a repaired list", () => {
  const free: readonly Action[] = [
    { kind: "change_policy", to: { kind: "remove" } },
    { kind: "arm", fault: { kind: "receipt_ignored" } },
    { kind: "disarm", fault: { kind: "receipt_ignored" } },
    { kind: "crash", where: { kind: "parked" } },
    { kind: "restart" },
    { kind: "observe" },
  ];
  const bound = (attempt: AttemptName): readonly Action[] => [
    { kind: "advance", attempt },
    { kind: "finish", attempt },
    { kind: "cancel", attempt },
    { kind: "expire", attempt },
    { kind: "crash", where: { kind: "at", attempt, at: "after_commit" } },
    { kind: "retry", attempt: "a9", of: attempt, faults: [] },
    { kind: "retry_changed", attempt: "a10", of: attempt, request: "x", faults: [] },
    { kind: "resubmit_new_key", attempt: "a11", of: attempt, request: "x", faults: [] },
  ];

  it("lacks every action that names an attempt which is not there, and no other", () => {
    expect(repaired([...bound("a1"), ...free])).toEqual(free);
    expect(repaired([submit("a1"), ...bound("a1"), ...free])).toEqual([
      submit("a1"),
      ...bound("a1"),
      ...free,
    ]);
    expect(repaired([submit("a2"), ...bound("a1")])).toEqual([submit("a2")]);
  });

  it("lacks what comes before the attempt that it names", () => {
    expect(repaired([...bound("a1"), submit("a1")])).toEqual([submit("a1")]);
  });

  it("lacks what depends on what it lacks", () => {
    expect(repaired([retry("a2", "a1"), retry("a3", "a2"), ...bound("a3"), submit("a4")])).toEqual([
      submit("a4"),
    ]);
  });

  it.each(["a9", "a10", "a11"] as const)("keeps what names the retry %s", (attempt) => {
    const list: readonly Action[] = [submit("a1"), ...bound("a1"), { kind: "advance", attempt }];
    expect(repaired(list)).toEqual(list);
  });
});

describe("a list detached from an attempt", () => {
  it("has its direct retries as submissions with the request and context they had, and nothing else changed", () => {
    const changed: Action = { kind: "retry_changed", attempt: "a3", of: "a1", request: "other", faults: [] };
    const rekeyed: Action = {
      kind: "resubmit_new_key",
      attempt: "a4",
      of: "a1",
      request: "new key",
      faults: [],
    };
    const list = [
      submit("a1"),
      retry("a2", "a1"),
      changed,
      rekeyed,
      retry("a5", "a2"),
      submit("a6"),
      retry("a7", "a6"),
    ];
    expect(detached(list, "a1")).toEqual([
      submit("a1"),
      { kind: "submit", attempt: "a2", request: "of a1", context, faults: [{ kind: "bad_output" }] },
      { kind: "submit", attempt: "a3", request: "other", context, faults: [] },
      // A resubmission is a call of its own.
      {
        kind: "submit",
        attempt: "a4",
        request: "new key",
        context: { ...context, callId: "c-a4" },
        faults: [],
      },
      retry("a5", "a2"),
      submit("a6"),
      retry("a7", "a6"),
    ]);
  });

  it("follows retries of retries", () => {
    const changed: Action = { kind: "retry_changed", attempt: "a2", of: "a1", request: "other", faults: [] };
    expect(detached([submit("a1"), changed, retry("a3", "a2")], "a2")).toEqual([
      submit("a1"),
      changed,
      { kind: "submit", attempt: "a3", request: "other", context, faults: [{ kind: "bad_output" }] },
    ]);
  });

  it("leaves a retry alone whose request is nowhere to be found", () => {
    expect(detached([retry("a2", "a1")], "a1")).toEqual([retry("a2", "a1")]);
  });
});
