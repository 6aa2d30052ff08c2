import { describe, expect, it } from "vitest";
import { completed, draft, receipt } from "./drafts.js";
import {
  empty,
  expire,
  finish,
  removePolicy,
  river2,
  river3,
  river4,
  shapeless,
  shown,
  submit,
  take,
  valid,
} from "./fixture.js";

describe("a refusal before the first checkpoint", () => {
  it("refuses what the contract refuses, without a key in the receipt", () => {
    const { world, events, transitions } = take(empty, submit("a1", shapeless));
    // Nothing was validated: no event, no key, and so no effect under a key.
    const row = { ...receipt("input_rejected", "shape", [], false), key: { kind: "none" } };
    expect(events).toEqual([
      { kind: "ended", attempt: "a1", outcome: completed(receipt("input_rejected", "shape", [], false)) },
    ]);
    expect(world.receipts).toEqual([row]);
    expect(transitions).toEqual(["new submit ended input_rejected/shape"]);
  });

  it("refuses more copies than the policy allows (T: batch policy)", () => {
    const { world, events, transitions } = take(empty, submit("a1", river4));
    const row = receipt("input_rejected", "batch_limit", valid, false);
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect(world.receipts).toEqual([row]);
    expect(transitions).toEqual(["new submit ended input_rejected/batch_limit"]);
  });

  it("allows exactly as many copies as the policy does", () => {
    expect(take(empty, submit("a1", river3)).transitions).toEqual(["new submit parked before_business"]);
  });

  it("refuses everything valid where there is no policy", () => {
    const { events, world } = take(empty, removePolicy, submit("a1", river2));
    const row = receipt("input_rejected", "missing_policy", valid, false);
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect(world.receipts).toEqual([row]);
  });

  it.each(["checker_throws", "checker_rejects_falsy", "checker_garbled"] as const)(
    "takes %s at check for no verdict, whatever the weight",
    (kind) => {
      const row = receipt("error", "no_verdict", valid, false);
      for (const request of [river2, river4]) {
        const { world, events, transitions } = take(empty, submit("a1", request, { kind, stage: "check" }));
        expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
        expect([world.effects, world.receipts]).toEqual([[], [row]]);
        expect(transitions).toEqual(["new submit ended error/no_verdict"]);
      }
    },
  );

  it.each(["checker_throws", "checker_hangs"] as const)(
    "asks no checker where there is no policy: %s stays unheard",
    (kind) => {
      const { events } = take(empty, removePolicy, submit("a1", river2, { kind, stage: "check" }));
      const row = receipt("input_rejected", "missing_policy", valid, false);
      expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    },
  );

  it("says in the receipt that the key has an effect, if an earlier attempt left one", () => {
    const { world } = take(empty, submit("a1", river2), finish("a1"), submit("a2", river4));
    expect(world.receipts.at(-1)).toEqual({
      ...receipt("input_rejected", "batch_limit", valid, true),
      number: 2,
      attempt: "a2",
      callId: "c-a2",
    });
  });
});

describe("a checker that hangs", () => {
  it("blocks at check until the wait is ended, and then has given no verdict", () => {
    const hung = take(empty, submit("a1", river2, { kind: "checker_hangs", stage: "check" }));
    expect(hung.events).toEqual([{ kind: "blocked", attempt: "a1", on: "check" }]);
    expect(hung.transitions).toEqual(["new submit blocked check"]);
    expect(hung.world.receipts).toEqual([]);
    const row = receipt("error", "no_verdict", valid, false);
    const { world, events, transitions } = take(hung.world, expire("a1"));
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect([world.effects, world.receipts]).toEqual([[], [row]]);
    expect(transitions).toEqual(["blocked_check expire ended error/no_verdict"]);
  });

  it("blocks at output with the effect in place, and then has given no verdict", () => {
    const hung = take(empty, submit("a1", river2, { kind: "checker_hangs", stage: "output" }), finish("a1"));
    expect(hung.events.at(-1)).toEqual({ kind: "blocked", attempt: "a1", on: "output" });
    expect(hung.transitions.at(-1)).toBe("output_check advance blocked output");
    const row = receipt("error", "no_verdict", shown, true);
    const { world, events, transitions } = take(hung.world, expire("a1"));
    expect(events).toEqual([{ kind: "ended", attempt: "a1", outcome: completed(row) }]);
    expect([world.effects, world.receipts]).toEqual([[draft], [row]]);
    expect(transitions).toEqual(["blocked_output expire ended error/no_verdict"]);
  });

  it("leaves the other checker alone", () => {
    const atOutput = take(empty, submit("a1", river2, { kind: "checker_hangs", stage: "output" }));
    expect(atOutput.transitions).toEqual(["new submit parked before_business"]);
    const atCheck = take(empty, submit("a1", river2, { kind: "checker_throws", stage: "check" }));
    expect(atCheck.world.effects).toEqual([]);
  });
});
