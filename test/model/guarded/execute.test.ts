import { describe, expect, it } from "vitest";
import {
  advance,
  approve,
  attemptIn,
  deny,
  empty,
  finish,
  granted,
  last,
  lastReceipt,
  matched,
  odd,
  page,
  pageBilling,
  paged,
  retry,
  revoke,
  river2,
  river3,
  submit,
  take,
  tick,
  worldAfter,
} from "./fixture.js";
import { pagedEffect, useRow } from "./history.js";

/** a2 is approved and about to execute. */
const ready = worldAfter(granted, retry("a2", "a1"));

describe("an approved call", () => {
  it("leaves an effect and a use that name it, together", () => {
    const { world, transitions } = take(ready, advance("a2"));
    expect(transitions).toEqual(["before_business advance parked after_business via effect_committed"]);
    expect(world.effects).toEqual([pagedEffect]);
    expect(world.consent.uses).toEqual([useRow]);
    expect(attemptIn(world, "a2").events).toEqual([...matched, "business_started", "effect_committed"]);
  });

  it("spends the very request that was matched", () => {
    const again = worldAfter(granted, tick(2), retry("a2", "a1"), finish("a2"), approve("d2", 2));
    const world = worldAfter(again, retry("a3", "a1"), finish("a3"));
    expect(world.consent.uses).toEqual([{ ...useRow, request: 2 }]);
  });

  it("is told as accepted", () => {
    expect(lastReceipt(paged)).toEqual([
      "accepted/ok",
      ...matched,
      "business_started",
      "effect_committed",
      "output_started",
      "output_allowed",
    ]);
  });
});

describe("a call that needs no approval", () => {
  it("spends itself without a request", () => {
    const world = worldAfter(empty, submit("a1", river2), finish("a1"));
    expect(world.consent.uses).toEqual([
      {
        tenant: "t1",
        runId: "r1",
        callId: "c-a1",
        tool: "draft",
        digest: "river-2",
        request: "none",
      },
    ]);
    expect(world.effects).toEqual([
      {
        tenant: "t1",
        tool: "draft",
        key: "JOB-001",
        digest: "river-2",
        revision: 1,
        runId: "r1",
        callId: "c-a1",
      },
    ]);
  });
});

const sameKey = worldAfter(empty, submit("a1", river2), submit("a2", river2), finish("a1"));

describe("a key", () => {
  it("is of one tenant and one tool", () => {
    const other = submit("a2", river2, { tenant: "t2" });
    const world = worldAfter(empty, submit("a1", river3), finish("a1"), other, finish("a2"));
    expect(world.effects.map(({ tenant, digest }) => `${tenant} ${digest}`)).toEqual([
      "t1 river-3",
      "t2 river-2",
    ]);
  });

  it("gives what it has to another call, which spends itself by that", () => {
    const world = worldAfter(sameKey, advance("a2"));
    expect(world.effects).toHaveLength(1);
    expect(world.consent.uses.map(({ callId, digest, request }) => [callId, digest, request])).toEqual([
      ["c-a1", "river-2", "none"],
      ["c-a2", "river-2", "none"],
    ]);
    expect(attemptIn(world, "a2").events.at(-1)).toBe("effect_reused");
  });

  it("gives it to an approved call in the same way, by its request", () => {
    const waiting = worldAfter(
      empty,
      submit("a1", river2),
      finish("a1"),
      submit("a2", river2, { sideEffects: "not_permitted" }),
      finish("a2"),
      approve("d1", 1),
      retry("a3", "a2"),
      finish("a3"),
    );
    expect(waiting.effects).toHaveLength(1);
    expect(waiting.consent.uses.at(-1)).toEqual({
      tenant: "t1",
      runId: "r1",
      callId: "c-a2",
      tool: "draft",
      digest: "river-2",
      request: 1,
    });
  });

  it("bars a no after the first reuse: the call is used", () => {
    const world = worldAfter(
      empty,
      submit("a1", river2),
      finish("a1"),
      submit("a2", river2, { sideEffects: "not_permitted" }),
      finish("a2"),
      approve("d1", 1),
      retry("a3", "a2"),
      advance("a3"),
    );
    expect(last(world, deny("d2", 1))).toBe("idle deny refused/already_used");
  });
});

describe("a tool without a key", () => {
  it("has one effect for each call", () => {
    const second = worldAfter(paged, submit("a3", page), finish("a3"), approve("d2", 2));
    const world = worldAfter(second, retry("a4", "a3"), finish("a4"));
    expect(world.effects).toEqual([pagedEffect, { ...pagedEffect, callId: "c-a3" }]);
  });

  it("has one effect for a call, however often it is delivered", () => {
    const world = worldAfter(paged, retry("a3", "a1"), finish("a3"), retry("a4", "a1"), finish("a4"));
    expect(world.effects).toEqual([pagedEffect]);
    expect(world.consent.uses).toEqual([useRow]);
    expect(world.receipts.map(({ status, effectExists }) => `${status} ${effectExists}`)).toEqual([
      "waiting_for_approval false",
      "accepted true",
      "accepted true",
      "accepted true",
    ]);
  });

  it("has one effect for two attempts side by side", () => {
    const world = worldAfter(ready, retry("a3", "a1"), finish("a2"), advance("a3"));
    expect(world.effects).toEqual([pagedEffect]);
    expect(attemptIn(world, "a3").events).toEqual([...matched, "business_started", "effect_reused"]);
  });

  it("shows no key, and the effect of its own call alone", () => {
    const other = worldAfter(paged, submit("a3", page), finish("a3"));
    expect(other.receipts.map(({ key, effectExists }) => [key.kind, effectExists])).toEqual([
      ["none", false],
      ["none", true],
      ["none", false],
    ]);
    const elsewhere = worldAfter(paged, submit("a3", page, { callId: "c-a1", runId: "r2" }), finish("a3"));
    expect(elsewhere.receipts.at(-1)?.effectExists).toBe(false);
  });

  it("shows no effect of another tool of the same call", () => {
    const world = worldAfter(paged, submit("a3", odd, { callId: "c-a1" }));
    expect(lastReceipt(world)[0]).toBe("approval_refused/tool_mismatch");
    expect(world.receipts.at(-1)?.effectExists).toBe(false);
  });
});

describe("a granted call", () => {
  it("stays usable with the arguments that were approved, whatever else it was tried with", () => {
    const changed = worldAfter(granted, submit("a2", pageBilling, { callId: "c-a1" }));
    expect(last(changed, retry("a3", "a1"), finish("a3"))).toBe("output_check advance ended accepted/ok");
  });

  it("is given up by a no, for good", () => {
    const world = worldAfter(granted, revoke("d2", 1));
    expect(last(world, retry("a2", "a1"))).toBe("new submit ended approval_refused/revoked");
    expect(world.effects).toEqual([]);
  });
});
