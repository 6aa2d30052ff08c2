import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/model/vocabulary.js";
import {
  approve,
  crashAt,
  deny,
  empty,
  finish,
  forest1,
  last,
  lastReceipt,
  page,
  region,
  restart,
  retry,
  river2,
  shapeless,
  submit,
  take,
  throwing,
  worldAfter,
} from "./fixture.js";

const beginning: readonly Action[] = [submit("a1", page), finish("a1")];

describe("the step of a call", () => {
  it("is written down before anything else is asked", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", shapeless, { step: 3, replaces: "c-x", runId: "r2", tenant: "t2" }),
    );
    expect(transitions).toEqual(["new submit ended input_rejected/shape"]);
    expect(world.consent.steps).toEqual([
      { tenant: "t2", runId: "r2", step: 3, callId: "c-a1", replaces: "c-x" },
    ]);
  });

  it("is written once for all attempts of the call", () => {
    const world = worldAfter(empty, ...beginning, retry("a2", "a1"));
    expect(world.consent.steps).toHaveLength(1);
    // A further attempt does not pass the point either.
    expect(last(world, retry("a3", "a1", throwing("after_step")))).toBe(
      "new submit ended waiting_for_approval/approval_required",
    );
  });

  it.each([
    ["tenant", { callId: "c-a1", tenant: "t2" }],
    ["run", { callId: "c-a1", runId: "r2" }],
    ["call", { callId: "c-b" }],
  ] as const)("is another one in another %s", (_, saying) => {
    const world = worldAfter(empty, ...beginning, submit("a2", page, saying));
    expect(world.consent.steps).toHaveLength(2);
  });

  it("stays where a throw meets the attempt just after it, and nothing has been asked", () => {
    const { world, transitions } = take(empty, submit("a1", page, { faults: [throwing("after_step")] }));
    expect(transitions).toEqual(["new submit ended error/after_step"]);
    expect(lastReceipt(world)).toEqual(["error/after_step"]);
    expect(world.consent.steps).toHaveLength(1);
    // The row is there, so that the next attempt does not pass the point.
    expect(last(world, retry("a2", "a1", throwing("after_step")))).toBe("new submit parked before_request");
  });

  it("is of a run, which a call without a place has not", () => {
    const { context, ...rest } = submit("a1", page);
    const { dispatch: _, ...placeless } = context;
    const { world, transitions } = take(empty, { ...rest, context: placeless });
    expect(transitions).toEqual(["new submit ended error/unforeseen"]);
    expect(world.consent.steps).toEqual([]);
  });
});

describe("a later step of a run", () => {
  const later = submit("a9", river2, { step: 1 });

  it.each<readonly [why: string, before: readonly Action[], answer: string]>([
    ["an earlier call waits", beginning, "blocked/run_waiting"],
    ["an earlier call is under way", [submit("a1", river2)], "blocked/run_waiting"],
    ["an earlier call was refused", [submit("a1", shapeless)], "blocked/run_waiting"],
    ["an earlier call met a no", [...beginning, deny("d1", 1)], "blocked/run_ended"],
    [
      "one earlier call met a no and another waits",
      [submit("a3", river2), ...beginning, deny("d1", 1)],
      "blocked/run_ended",
    ],
    [
      "one of two calls of a step side by side was accepted",
      [submit("a1", river2), finish("a1"), submit("a2", page), finish("a2")],
      "blocked/run_waiting",
    ],
  ])("does not begin while %s", (_, before, answer) => {
    const { world, transitions } = take(empty, ...before, later);
    expect(transitions.at(-1)).toBe(`new submit ended ${answer}`);
    expect(lastReceipt(world)).toEqual([answer]);
    expect(world.consent.steps.map(({ callId }) => callId)).not.toContain("c-a9");
  });

  it.each<readonly [why: string, before: readonly Action[]]>([
    ["nothing comes before it", []],
    ["the earlier call was accepted", [submit("a1", river2), finish("a1")]],
    ["all that waits is in its own step", [submit("a1", page, { step: 1 }), finish("a1")]],
    ["all that waits is in a later step", [submit("a1", page, { step: 2 }), finish("a1")]],
    ["all that waits is in another run", [submit("a1", page, { runId: "r2" }), finish("a1")]],
    ["all that waits is in another tenant", [submit("a1", page, { tenant: "t2" }), finish("a1")]],
    ["the no is to a call of its own step", [submit("a1", page, { step: 1 }), finish("a1"), deny("d1", 1)]],
    ["the no is in another run", [submit("a1", page, { runId: "r2" }), finish("a1"), deny("d1", 1)]],
    [
      "the earlier call was approved and accepted",
      [...beginning, approve("d1", 1), retry("a2", "a1"), finish("a2")],
    ],
  ])("begins where %s", (_, before) => {
    expect(last(empty, ...before, later)).toBe("new submit parked before_business");
  });

  it("begins where an earlier call went on to be accepted after a failure", () => {
    const failed = worldAfter(
      empty,
      submit("a1", river2, { faults: [throwing("before_business")] }),
      finish("a1"),
    );
    expect(last(failed, later)).toBe("new submit ended blocked/run_waiting");
    expect(last(failed, retry("a2", "a1"), finish("a2"), later)).toBe("new submit parked before_business");
  });

  it("waits also where the effect is there and the receipt is not", () => {
    const killed = worldAfter(empty, submit("a1", river2), crashAt("a1", "after_commit"), restart);
    expect(killed.effects).toHaveLength(1);
    expect(last(killed, later)).toBe("new submit ended blocked/run_waiting");
  });

  it("is not let in by the acceptance of the same call id in another run", () => {
    const elsewhere = submit("a2", river2, { callId: "c-a1", runId: "r2" });
    const world = worldAfter(empty, submit("a1", shapeless), elsewhere, finish("a2"));
    expect(last(world, later)).toBe("new submit ended blocked/run_waiting");
  });

  it("is held up at every attempt, also one that has its row", () => {
    // a9 begins first; then an earlier call begins to wait.
    const world = worldAfter(empty, later, finish("a9"), ...beginning);
    expect(last(world, retry("a10", "a9"))).toBe("new submit ended blocked/run_waiting");
  });
});

describe("a repaired call", () => {
  const first = submit("a1", shapeless);
  const second = submit("a2", shapeless, { replaces: "c-a1" });
  const third = submit("a3", river2, { replaces: "c-a2" });

  it("takes the place of the one it stands in for, so that the run goes on when it is accepted", () => {
    const next = submit("a9", forest1, { step: 1 });
    const world = worldAfter(empty, first, second, third, finish("a3"));
    expect(last(world, next)).toBe("new submit parked before_business");
    expect(last(worldAfter(empty, first, second), next)).toBe("new submit ended blocked/run_waiting");
  });

  it("takes no place of another step", () => {
    const elsewhere = submit("a2", river2, { replaces: "c-a1", step: 1 });
    const world = worldAfter(empty, first, submit("a3", region, { step: 2 }));
    // a1 is not accepted, whatever stands in for it in step 1: step 1 cannot begin, nor step 2.
    expect(last(world, elsewhere)).toBe("new submit ended blocked/run_waiting");
    // c-b of step 0 claims to replace c-x of step 1, which was accepted before: c-b is still open.
    const claimed = worldAfter(
      empty,
      submit("a4", river2, { callId: "c-x", step: 1 }),
      finish("a4"),
      submit("a5", shapeless, { callId: "c-b", replaces: "c-x" }),
    );
    expect(last(claimed, submit("a6", region, { step: 2 }))).toBe("new submit ended blocked/run_waiting");
  });

  it("frees only its own place", () => {
    const beside = submit("a4", shapeless, { callId: "c-beside" });
    const world = worldAfter(empty, beside, first, submit("a2", river2, { replaces: "c-a1" }), finish("a2"));
    expect(last(world, submit("a9", forest1, { step: 1 }))).toBe("new submit ended blocked/run_waiting");
  });

  it("is the last of two", () => {
    const world = worldAfter(empty, first, second, submit("a3", shapeless, { replaces: "c-a2" }));
    const fourth = take(world, submit("a4", river2, { replaces: "c-a3" }));
    expect(fourth.transitions).toEqual(["new submit ended blocked/repair_limit"]);
    expect(fourth.world.consent.steps).toHaveLength(3);
    // Two in parallel for the same call are no longer chain than one.
    expect(last(world, submit("a4", river2, { replaces: "c-a1" }))).toBe("new submit parked before_business");
  });

  it("is refused after a no and an open place, in this order before the bound", () => {
    const spent = worldAfter(empty, first, second, submit("a3", shapeless, { replaces: "c-a2" }));
    const late = submit("a4", river2, { replaces: "c-a3", step: 1 });
    expect(last(spent, late)).toBe("new submit ended blocked/run_waiting");
    expect(last(spent, submit("a5", page), finish("a5"), deny("d1", 1), late)).toBe(
      "new submit ended blocked/run_ended",
    );
  });
});
