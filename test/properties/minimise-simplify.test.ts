import { describe, expect, it } from "vitest";
import type { Action, Context, PolicySetting } from "../../src/model/vocabulary.js";
import { defaultContext, simplerActions } from "../../src/properties/minimise-simplify.js";

const simpler = (request: string): readonly string[] => (request === "hard" ? ["easy", "medium"] : []);
const plain: Context = { tenant: "t1", runId: "r1", callId: "c-a7", principal: "p1" };

describe("a simpler action", () => {
  it("has a context that a scenario file need not mention", () => {
    expect(defaultContext("a7")).toEqual(plain);
  });

  it("is, of a submission, one with a simpler request, a fault less, or a plainer context", () => {
    const context: Context = { tenant: "t2", runId: "r1", callId: "c-a1", principal: "p2" };
    const submit = {
      kind: "submit",
      attempt: "a7",
      request: "hard",
      context,
      faults: [{ kind: "bad_output" }, { kind: "receipt_ignored" }],
    } as const satisfies Action;
    expect(simplerActions(submit, simpler)).toEqual([
      { ...submit, request: "easy" },
      { ...submit, request: "medium" },
      { ...submit, faults: [{ kind: "receipt_ignored" }] },
      { ...submit, faults: [{ kind: "bad_output" }] },
      { ...submit, context: { ...context, tenant: "t1" } },
      { ...submit, context: { ...context, callId: "c-a7" } },
      { ...submit, context: { ...context, principal: "p1" } },
    ]);
    const other = { ...plain, runId: "r2" };
    expect(simplerActions({ ...submit, request: "easy", faults: [], context: other }, simpler)).toEqual([
      { ...submit, request: "easy", faults: [], context: plain },
    ]);
    expect(simplerActions({ ...submit, request: "easy", faults: [], context: plain }, simpler)).toEqual([]);
  });

  it("is, of a retry, one with a fault less", () => {
    const retry = { kind: "retry", attempt: "a2", of: "a1", faults: [{ kind: "bad_output" }] } as const;
    expect(simplerActions(retry, simpler)).toEqual([{ ...retry, faults: [] }]);
  });

  it.each(["retry_changed", "resubmit_new_key"] as const)(
    "is, of a %s, first of all a plain retry",
    (kind) => {
      const faults = [{ kind: "bad_output" }] as const;
      const action = { kind, attempt: "a2", of: "a1", request: "hard", faults } as const satisfies Action;
      expect(simplerActions(action, simpler)).toEqual([
        { kind: "retry", attempt: "a2", of: "a1", faults },
        { ...action, request: "easy" },
        { ...action, request: "medium" },
        { ...action, faults: [] },
      ]);
    },
  );

  const limit = (maxCopies: number): PolicySetting => ({ kind: "limit", maxCopies });
  it.each([
    // The limit of a new store is the simplest; of the others the nearer one is simpler.
    [limit(3), []],
    [limit(2), [limit(3)]],
    [limit(4), [limit(3)]],
    [limit(1), [limit(3), limit(2)]],
    [limit(5), [limit(3), limit(4)]],
    [limit(0), [limit(3), limit(1)]],
    [limit(9), [limit(3), limit(8)]],
    [{ kind: "remove" }, [limit(3), limit(0)]],
  ] as const)("is, of a policy set to %j, one set to %j", (to, expected) => {
    expect(simplerActions({ kind: "change_policy", to }, simpler)).toEqual(
      expected.map((nearer) => ({ kind: "change_policy", to: nearer })),
    );
  });

  it("is, of a crash at a point, one while parked", () => {
    const parked = { kind: "crash", where: { kind: "parked" } } as const;
    const at = { kind: "crash", where: { kind: "at", attempt: "a1", at: "before_receipt" } } as const;
    expect(simplerActions(at, simpler)).toEqual([parked]);
    expect(simplerActions(parked, simpler)).toEqual([]);
  });

  it.each([
    { kind: "advance", attempt: "a1" },
    { kind: "finish", attempt: "a1" },
    { kind: "cancel", attempt: "a1" },
    { kind: "expire", attempt: "a1" },
    { kind: "arm", fault: { kind: "busy", stage: "receipt" } },
    { kind: "disarm", fault: { kind: "receipt_ignored" } },
    { kind: "restart" },
    { kind: "observe" },
  ] as const)("does not exist for %j", (action) => {
    expect(simplerActions(action, simpler)).toEqual([]);
  });
});
