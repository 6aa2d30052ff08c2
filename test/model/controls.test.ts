import { describe, expect, it } from "vitest";
import { clearFaults } from "../../src/model/step.js";
import type { Action, DriverFault } from "../../src/model/vocabulary.js";
import {
  advance,
  call,
  cancel,
  empty,
  expire,
  finish,
  forest1,
  refusal,
  retry,
  river2,
  river3,
  shapeless,
  submit,
  take,
  worldAfter,
} from "./fixture.js";

function arm(fault: DriverFault): Action {
  return { kind: "arm", fault };
}

function disarm(fault: DriverFault): Action {
  return { kind: "disarm", fault };
}

const busyAtExecute: DriverFault = { kind: "busy", stage: "execute" };
const busyAtReceipt: DriverFault = { kind: "busy", stage: "receipt" };

describe("an armed driver fault", () => {
  const rows: readonly { readonly fault: DriverFault; readonly name: string; readonly last: string }[] = [
    {
      fault: { kind: "effect_ignored" },
      name: "effect_ignored at execute",
      last: "before_business advance ended error/effect_not_written",
    },
    { fault: busyAtExecute, name: "busy at execute", last: "before_business advance ended error/busy" },
    {
      fault: { kind: "read_only", stage: "execute" },
      name: "read_only at execute",
      last: "before_business advance ended error/read_only",
    },
    {
      fault: { kind: "disk_full", stage: "execute" },
      name: "disk_full at execute",
      last: "before_business advance ended error/disk_full",
    },
    {
      fault: { kind: "commit_refused", stage: "execute" },
      name: "commit_refused at execute",
      last: "before_business advance ended error/commit_refused",
    },
    {
      fault: { kind: "receipt_ignored" },
      name: "receipt_ignored at receipt",
      last: "output_check advance ended audit_unavailable receipt_write from accepted/ok",
    },
    {
      fault: { kind: "receipt_aborted" },
      name: "receipt_aborted at receipt",
      last: "output_check advance ended audit_unavailable receipt_write+driver from accepted/ok",
    },
    {
      fault: busyAtReceipt,
      name: "busy at receipt",
      last: "output_check advance ended audit_unavailable receipt_write+driver from accepted/ok",
    },
    {
      fault: { kind: "commit_refused", stage: "receipt" },
      name: "commit_refused at receipt",
      last: "output_check advance ended audit_unavailable receipt_write+driver from accepted/ok",
    },
  ];

  it.each(rows)("strikes whoever passes its stage until it is disarmed: $name", ({ fault, name, last }) => {
    const parked = worldAfter(empty, submit("a1", river2), submit("a2", river2), submit("a3", river2));
    const armed = take(parked, arm(fault));
    expect(armed.transitions).toEqual([`idle arm ${name}`]);
    expect(armed.events).toEqual([]);
    expect(armed.world).toEqual({ ...parked, armed: [fault] });
    const struck = take(armed.world, finish("a1"), finish("a2"));
    expect(struck.transitions.filter((transition) => transition === last)).toHaveLength(2);
    const disarmed = take(struck.world, disarm(fault));
    expect(disarmed.transitions).toEqual([`idle disarm ${name}`]);
    expect(disarmed.world).toEqual({ ...struck.world, armed: [] });
    expect(take(disarmed.world, finish("a3")).transitions.at(-1)).toBe(
      "output_check advance ended accepted/ok",
    );
  });

  it("yields to one of the attempt's own plan at the same stage", () => {
    const { transitions } = take(
      empty,
      arm(busyAtExecute),
      submit("a1", river2, { kind: "disk_full", stage: "execute" }),
      advance("a1"),
    );
    expect(transitions.at(-1)).toBe("before_business advance ended error/disk_full");
  });

  it("strikes beside one of the plan at the other stage", () => {
    const { transitions } = take(
      empty,
      arm({ kind: "receipt_ignored" }),
      submit("a1", river2, busyAtExecute),
      advance("a1"),
    );
    expect(transitions.at(-1)).toBe(
      "before_business advance ended audit_unavailable receipt_write from error/busy",
    );
  });

  it("can be armed beside one at the other stage, not beside one at its own", () => {
    const both = worldAfter(empty, arm(busyAtExecute), arm({ kind: "receipt_aborted" }));
    expect(both.armed).toEqual([busyAtExecute, { kind: "receipt_aborted" }]);
    expect(refusal(both, arm({ kind: "effect_ignored" }))).toEqual({
      kind: "refused",
      reason: "a fault is armed at execute already",
    });
    expect(refusal(both, arm(busyAtReceipt))).toEqual({
      kind: "refused",
      reason: "a fault is armed at receipt already",
    });
    expect(worldAfter(both, disarm(busyAtExecute)).armed).toEqual([{ kind: "receipt_aborted" }]);
  });

  it("is disarmed only if it is the one that is armed", () => {
    const armed = worldAfter(empty, arm(busyAtExecute));
    expect(refusal(armed, disarm(busyAtReceipt))).toEqual({
      kind: "refused",
      reason: "busy is not armed at receipt",
    });
    expect(refusal(armed, disarm({ kind: "effect_ignored" }))).toEqual({
      kind: "refused",
      reason: "effect_ignored is not armed at execute",
    });
  });
});

describe("clearing all faults", () => {
  it("disarms the driver and empties the plans under way", () => {
    const world = clearFaults(
      worldAfter(
        empty,
        arm(busyAtReceipt),
        submit("a1", river2, { kind: "bad_output" }, { kind: "throw_at", at: "before_business" }),
      ),
    );
    expect(world.armed).toEqual([]);
    expect(take(world, finish("a1")).transitions.at(-1)).toBe("output_check advance ended accepted/ok");
  });

  it("comes too late for a copy that is spoilt already, and for nothing else", () => {
    const faults = [{ kind: "bad_output" }, { kind: "receipt_ignored" }] as const;
    const business = worldAfter(empty, submit("a1", river2, ...faults), advance("a1"));
    const output = worldAfter(business, advance("a1"));
    // The copy is spoilt on the way from after_business to output_check.
    expect(clearFaults(business).attempts.map((attempt) => attempt.faults)).toEqual([[]]);
    expect(clearFaults(output).attempts.map((attempt) => attempt.faults)).toEqual([[{ kind: "bad_output" }]]);
    expect(take(clearFaults(output), advance("a1")).transitions).toEqual([
      "output_check advance ended output_rejected/output_contract",
    ]);
  });

  it("leaves a hung checker hung until its wait is ended", () => {
    const world = clearFaults(
      worldAfter(empty, submit("a1", river2, { kind: "checker_hangs", stage: "check" })),
    );
    expect(world.attempts.map(({ place }) => place)).toEqual([{ kind: "blocked", on: "check" }]);
    expect(take(world, expire("a1")).transitions).toEqual(["blocked_check expire ended error/no_verdict"]);
  });
});

describe("a further attempt of a call", () => {
  const first = () => worldAfter(empty, submit("a1", river2, { kind: "bad_output" }), finish("a1"));

  it("has the same request and context, and none of the faults", () => {
    const { attempts } = worldAfter(first(), retry("a2", "a1"));
    expect(attempts[1]).toEqual({
      name: "a2",
      context: call("c-a1"),
      request: river2,
      facts: { kind: "valid", key: "JOB-001", digest: "river-2", weight: 2 },
      faults: [],
      snapshot: { kind: "seen", revision: 1 },
      events: ["arguments_valid", "input_allowed"],
      cancel: "none",
      place: { kind: "parked", at: "before_business" },
    });
  });

  it("brings faults of its own", () => {
    const { transitions } = take(first(), retry("a2", "a1", busyAtExecute), advance("a2"));
    expect(transitions.at(-1)).toBe("before_business advance ended error/busy");
  });

  it("may come while the first is still under way", () => {
    const { attempts } = worldAfter(empty, submit("a1", river2), retry("a2", "a1"));
    expect(attempts.map(({ place }) => place)).toEqual([
      { kind: "parked", at: "before_business" },
      { kind: "parked", at: "before_business" },
    ]);
  });

  it("may have changed arguments under the same call", () => {
    const { world, transitions } = take(first(), {
      kind: "retry_changed",
      attempt: "a2",
      of: "a1",
      request: river3,
      faults: [{ kind: "throw_at", at: "before_business" }],
    });
    expect(transitions).toEqual(["new submit parked before_business"]);
    expect(world.attempts[1]?.context).toEqual(call("c-a1"));
    expect([world.attempts[1]?.request, world.attempts[1]?.facts]).toEqual([
      river3,
      { kind: "valid", key: "JOB-001", digest: "river-3", weight: 3 },
    ]);
    expect(world.attempts[1]?.faults).toEqual([{ kind: "throw_at", at: "before_business" }]);
  });

  it("is a call of its own under a new key", () => {
    const { world } = take(first(), {
      kind: "resubmit_new_key",
      attempt: "a2",
      of: "a1",
      request: forest1,
      faults: [busyAtExecute],
    });
    expect(world.attempts[1]?.context).toEqual(call("c-a2"));
    expect([world.attempts[1]?.request, world.attempts[1]?.facts]).toEqual([
      forest1,
      { kind: "valid", key: "JOB-002", digest: "forest-1", weight: 1 },
    ]);
    expect(world.attempts[1]?.faults).toEqual([busyAtExecute]);
  });

  it.each([
    retry("a3", "a2"),
    { kind: "retry_changed", attempt: "a3", of: "a2", request: river3, faults: [] },
    { kind: "resubmit_new_key", attempt: "a3", of: "a2", request: forest1, faults: [] },
  ] as const)("needs an earlier one: $kind", (action) => {
    expect(refusal(first(), action)).toEqual({ kind: "refused", reason: "a2 is not known" });
  });
});

describe("an action that does not apply", () => {
  it.each<{ readonly before: readonly Action[]; readonly action: Action; readonly reason: string }>([
    { before: [submit("a1", river2)], action: submit("a1", river3), reason: "a1 exists already" },
    { before: [submit("a1", shapeless)], action: retry("a1", "a1"), reason: "a1 exists already" },
    { before: [], action: advance("a1"), reason: "a1 is not known" },
    { before: [], action: finish("a1"), reason: "a1 is not known" },
    { before: [], action: expire("a1"), reason: "a1 is not known" },
    { before: [], action: cancel("a1"), reason: "a1 is not known" },
    { before: [submit("a1", shapeless)], action: advance("a1"), reason: "a1 has ended" },
    { before: [submit("a1", shapeless)], action: finish("a1"), reason: "a1 has ended" },
    { before: [submit("a1", shapeless)], action: expire("a1"), reason: "a1 has ended" },
    { before: [submit("a1", river2)], action: expire("a1"), reason: "a1 is parked at before_business" },
    {
      before: [submit("a1", river2, { kind: "checker_hangs", stage: "check" })],
      action: advance("a1"),
      reason: "a1 is blocked on check",
    },
    {
      before: [submit("a1", river2, { kind: "checker_hangs", stage: "check" })],
      action: finish("a1"),
      reason: "a1 is blocked on check",
    },
    {
      before: [submit("a1", shapeless)],
      action: { kind: "crash", where: { kind: "at", attempt: "a1", at: "after_commit" } },
      reason: "a1 has ended",
    },
  ])("is refused: $action.kind, as $reason", ({ before, action, reason }) => {
    expect(refusal(empty, ...before, action)).toEqual({ kind: "refused", reason });
  });

  it("is never a look at the store", () => {
    expect(take(empty, { kind: "observe" })).toEqual({
      kind: "moved",
      world: empty,
      events: [],
      transitions: [],
    });
  });
});
