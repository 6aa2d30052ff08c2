import { describe, expect, it } from "vitest";
import type { Fault } from "../../../src/model/vocabulary.js";
import {
  advance,
  cancel,
  empty,
  finish,
  granted,
  last,
  lastReceipt,
  paged,
  retry,
  river2,
  submit,
  take,
  throwing,
  worldAfter,
} from "./fixture.js";
import { pagedEffect, useRow } from "./history.js";

/** a2 is approved and about to execute. */
const ready = worldAfter(granted, retry("a2", "a1"));

describe("a fault of the driver in the transaction of an effect", () => {
  const faults: readonly (readonly [Fault, string])[] = [
    [{ kind: "busy", stage: "execute" }, "busy"],
    [{ kind: "read_only", stage: "execute" }, "read_only"],
    [{ kind: "effect_ignored" }, "effect_not_written"],
    [{ kind: "disk_full", stage: "execute" }, "disk_full"],
    [{ kind: "commit_refused", stage: "execute" }, "commit_refused"],
  ];

  it.each(faults)("leaves the approval unspent: %o", (fault, code) => {
    const { world, transitions } = take(granted, retry("a2", "a1", fault), finish("a2"));
    expect(transitions.at(-1)).toBe(`before_business advance ended error/${code}`);
    expect([world.effects, world.consent.uses]).toEqual([[], []]);
    expect(last(world, retry("a3", "a1"), advance("a3"))).toBe(
      "before_business advance parked after_business via effect_committed",
    );
  });

  it.each(faults)("strikes a reuse only where it refuses the transaction: %o", (fault, code) => {
    const refusesAll = code === "busy" || code === "read_only";
    const end = refusesAll ? `ended error/${code}` : "parked after_business via effect_reused";
    expect(last(paged, retry("a3", "a1", fault), advance("a3"))).toBe(`before_business advance ${end}`);
    expect(
      last(
        empty,
        submit("a1", river2),
        finish("a1"),
        submit("a2", river2, { faults: [fault] }),
        advance("a2"),
      ),
    ).toBe(`before_business advance ${end}`);
  });
});

describe("the points of the transaction", () => {
  const again = worldAfter(empty, submit("a1", river2), finish("a1"));

  it("are passed by a first reuse: a throw inside takes it back, one after it does not", () => {
    const inside = take(
      again,
      submit("a2", river2, { faults: [throwing("inside_transaction")] }),
      advance("a2"),
    );
    expect(inside.transitions.at(-1)).toBe("before_business advance ended error/inside_transaction");
    expect(inside.world.consent.uses).toHaveLength(1);
    expect(lastReceipt(inside.world).at(-1)).toBe("business_started");
    const after = take(again, submit("a2", river2, { faults: [throwing("after_commit")] }), advance("a2"));
    expect(after.transitions.at(-1)).toBe(
      "before_business advance ended error/after_commit via effect_reused",
    );
    expect(after.world.consent.uses).toHaveLength(2);
  });

  it("are passed by an effect: a throw inside takes it and its use back, one after it neither", () => {
    const inside = worldAfter(granted, retry("a2", "a1", throwing("inside_transaction")), advance("a2"));
    expect([inside.effects, inside.consent.uses]).toEqual([[], []]);
    const after = worldAfter(granted, retry("a2", "a1", throwing("after_commit")), advance("a2"));
    expect([after.effects, after.consent.uses]).toEqual([[pagedEffect], [useRow]]);
    expect(lastReceipt(after)[0]).toBe("error/after_commit");
  });

  it.each(["inside_transaction", "after_commit"] as const)("are not passed by a later reuse: %s", (at) => {
    expect(last(paged, retry("a3", "a1", throwing(at)), advance("a3"))).toBe(
      "before_business advance parked after_business via effect_reused",
    );
  });
});

describe("a cancel or a throw before the business", () => {
  it("leaves the approval unspent", () => {
    const cancelled = worldAfter(ready, cancel("a2"), advance("a2"));
    expect(cancelled.consent.uses).toEqual([]);
    expect(last(cancelled, retry("a3", "a1"))).toBe("new submit parked before_business");
    const thrown = worldAfter(granted, retry("a2", "a1", throwing("before_business")), advance("a2"));
    expect([thrown.effects, thrown.consent.uses]).toEqual([[], []]);
  });
});
