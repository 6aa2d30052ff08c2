import { describe, expect, it } from "vitest";
import type { Action, Fault, UseRow } from "../../../src/model/vocabulary.js";
import type { Effect, World } from "../../../src/model/world.js";
import {
  advance,
  approve,
  asking,
  attemptIn,
  cancel,
  deny,
  empty,
  finish,
  forest1,
  granted,
  last,
  lastReceipt,
  lose,
  matched,
  odd,
  page,
  pageBilling,
  paged,
  policy,
  regain,
  region,
  removePolicy,
  retention,
  retry,
  revoke,
  river2,
  river3,
  submit,
  take,
  three,
  throwing,
  tick,
  without,
  worldAfter,
} from "./fixture.js";

const pagedEffect: Effect = {
  tenant: "t1",
  tool: "notify_oncall",
  key: "",
  digest: "page-search",
  revision: 1,
  runId: "r1",
  callId: "c-a1",
};

const pagedUse: UseRow = {
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  tool: "notify_oncall",
  digest: "page-search",
  request: 1,
};

/** a2 is approved and about to execute. */
const ready = worldAfter(granted, retry("a2", "a1"));

describe("an approved call", () => {
  it("leaves an effect and a use that name it, together", () => {
    const { world, transitions } = take(ready, advance("a2"));
    expect(transitions).toEqual(["before_business advance parked after_business via effect_committed"]);
    expect(world.effects).toEqual([pagedEffect]);
    expect(world.consent.uses).toEqual([pagedUse]);
    expect(attemptIn(world, "a2").events).toEqual([...matched, "business_started", "effect_committed"]);
  });

  it("spends the very request that was matched", () => {
    const again = worldAfter(granted, tick(2), retry("a2", "a1"), finish("a2"), approve("d2", 2));
    const world = worldAfter(again, retry("a3", "a1"), finish("a3"));
    expect(world.consent.uses).toEqual([{ ...pagedUse, request: 2 }]);
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

/** a1 of one call stands before its commit; what else happens then, and where that leads. */
const draft = worldAfter(empty, submit("a1", river2));
const used = worldAfter(paged, retry("a3", "a1"));
const sameKey = worldAfter(empty, submit("a1", river2), submit("a2", river2), finish("a1"));
const otherDigest = worldAfter(empty, submit("a1", river3), submit("a2", river2), finish("a1"));
/** Two attempts of one call, which needs no approval, before their commits. */
const unbound = worldAfter(empty, submit("a1", river2), submit("a2", river3, { callId: "c-a1" }));

const refusals: readonly (readonly [
  why: string,
  start: World,
  before: readonly Action[],
  attempt: "a1" | "a2" | "a3",
  answer: string,
])[] = [
  [
    "1 bound to another digest meanwhile",
    unbound,
    [finish("a1")],
    "a2",
    "ended approval_refused/digest_mismatch",
  ],
  [
    "1 bound to another tool meanwhile",
    worldAfter(empty, submit("a1", river2), submit("a2", region, { callId: "c-a1" })),
    [finish("a1")],
    "a2",
    "ended approval_refused/tool_mismatch",
  ],
  [
    "1 binding, before the right",
    unbound,
    [finish("a1"), lose("draft", "drafts")],
    "a2",
    "ended approval_refused/digest_mismatch",
  ],
  [
    "2 used: reused, whatever right and policy say by now",
    used,
    [lose("notify_oncall", "oncall/search"), policy(three), tick(9)],
    "a3",
    "parked after_business via effect_reused",
  ],
  ["3 a no", ready, [deny("d2", 1)], "a2", "ended approval_refused/revoked"],
  [
    "3 a no, where nobody was asked by this attempt",
    worldAfter(
      empty,
      submit("a1", river2),
      submit("a2", river2, { callId: "c-a1", sideEffects: "not_permitted" }),
    ),
    [advance("a2"), deny("d1", 1)],
    "a1",
    "ended approval_refused/denied",
  ],
  ["3 a no, before the expiry", ready, [deny("d2", 1), tick(2)], "a2", "ended approval_refused/revoked"],
  ["4 expired at the very tick", ready, [tick(2)], "a2", "ended approval_refused/expired"],
  [
    "4 expired, before the right",
    ready,
    [tick(3), lose("notify_oncall", "oncall/search")],
    "a2",
    "ended approval_refused/expired",
  ],
  ["4 not expired a tick before", ready, [tick(1)], "a2", "parked after_business via effect_committed"],
  ["5 the right lost", draft, [lose("draft", "drafts")], "a1", "ended permission_denied/capability"],
  [
    "5 the right lost and regained",
    draft,
    [lose("draft", "drafts"), regain("draft", "drafts")],
    "a1",
    "parked after_business via effect_committed",
  ],
  [
    "5 the right lost, before the key",
    otherDigest,
    [lose("draft", "drafts")],
    "a2",
    "ended permission_denied/capability",
  ],
  ["6 the same key and digest", sameKey, [], "a2", "parked after_business via effect_reused"],
  [
    "6 the same key and digest, before the policy",
    sameKey,
    [policy(three)],
    "a2",
    "parked after_business via effect_reused",
  ],
  ["6 the same key and another digest", otherDigest, [], "a2", "ended key_conflict/key_conflict"],
  [
    "6 another digest, before the policy",
    otherDigest,
    [policy(three)],
    "a2",
    "ended key_conflict/key_conflict",
  ],
  ["7 another policy", draft, [policy(three)], "a1", "ended policy_changed/policy_changed"],
  ["7 no policy", draft, [removePolicy], "a1", "ended policy_changed/policy_changed"],
  [
    "7 another policy, which asks by now",
    draft,
    [policy(asking)],
    "a1",
    "ended policy_changed/policy_changed",
  ],
  ["7 another policy after a grant", ready, [policy(three)], "a2", "ended policy_changed/policy_changed"],
  ["8 nothing speaks against it", ready, [], "a2", "parked after_business via effect_committed"],
];

describe("the transaction of an effect", () => {
  it.each(refusals)("decides: %s", (_, start, before, attempt, to) => {
    const there = worldAfter(start, ...before);
    const { world, transitions } = take(there, advance(attempt));
    expect(transitions).toEqual([`before_business advance ${to}`]);
    if (to.startsWith("parked")) return;
    // A refusal leaves its receipt and nothing else.
    expect(world.effects).toBe(there.effects);
    expect(world.consent.uses).toBe(there.consent.uses);
    expect(world.receipts.at(-1)?.events.at(-1)).toBe("business_started");
  });

  it("does not mind what another tenant has lost", () => {
    const world = worldAfter(empty, submit("a1", river2, { tenant: "t2" }), lose("draft", "drafts"));
    expect(last(world, advance("a1"))).toBe(
      "before_business advance parked after_business via effect_committed",
    );
  });
});

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
    expect(world.consent.uses).toEqual([pagedUse]);
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

describe("a read", () => {
  const read = worldAfter(empty, submit("a1", region));

  it("leaves a receipt and nothing else", () => {
    const world = worldAfter(read, finish("a1"));
    expect(lastReceipt(world)).toEqual([
      "accepted/ok",
      "arguments_valid",
      "input_allowed",
      "capability_granted",
      "business_started",
      "output_started",
      "output_allowed",
    ]);
    expect(world.effects).toEqual([]);
    expect(world.consent.uses).toEqual([]);
    expect(world.receipts.at(-1)).toMatchObject({ key: { kind: "none" }, effectExists: false });
  });

  it("says on its way only that the business has started", () => {
    const { world, transitions } = take(read, advance("a1"));
    expect(transitions).toEqual(["before_business advance parked after_business"]);
    expect(attemptIn(world, "a1").events.at(-1)).toBe("business_started");
  });

  it.each(["inside_transaction", "after_commit"] as const)("does not pass %s", (at) => {
    const faults = [throwing(at)];
    expect(last(empty, submit("a1", region, { faults }), finish("a1"))).toBe(
      "output_check advance ended accepted/ok",
    );
    expect(worldAfter(read, { kind: "crash", where: { kind: "at", attempt: "a1", at } }).executor).toBe("up");
  });

  it.each<readonly [why: string, before: readonly Action[], answer: string]>([
    ["the right is lost", [lose("read_config", "config/region")], "permission_denied/capability"],
    ["the policy is another", [policy(three)], "policy_changed/policy_changed"],
    ["the policy is gone", [removePolicy], "policy_changed/policy_changed"],
    [
      "its call is bound to another tool meanwhile",
      [submit("a2", page, { callId: "c-a1" }), advance("a2")],
      "approval_refused/tool_mismatch",
    ],
  ])("is refused in its transaction where %s", (_, before, answer) => {
    expect(last(read, ...before, advance("a1"))).toBe(`before_business advance ended ${answer}`);
  });

  it("binds its call to nothing", () => {
    const world = worldAfter(read, finish("a1"));
    expect(last(world, submit("a2", retention, { callId: "c-a1" }))).toBe(
      "new submit parked before_business",
    );
    expect(last(world, submit("a2", page, { callId: "c-a1" }))).toBe("new submit parked before_request");
  });

  it.each([
    ["effect_ignored", { kind: "effect_ignored" }],
    ["disk_full", { kind: "disk_full", stage: "execute" }],
    ["commit_refused", { kind: "commit_refused", stage: "execute" }],
  ] as const)("has no insert for %s to strike", (_, fault) => {
    expect(last(empty, submit("a1", region, { faults: [fault] }), finish("a1"))).toBe(
      "output_check advance ended accepted/ok",
    );
  });
});

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
    expect([after.effects, after.consent.uses]).toEqual([[pagedEffect], [pagedUse]]);
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

describe("without the look at the policy in the transaction", () => {
  it("a commit goes through under another policy, which its effect does not name", () => {
    const blind = { ...empty, profile: without("abilities", "recheck_at_commit") };
    const world = worldAfter(blind, submit("a1", forest1), policy(three), advance("a1"));
    expect(world.effects.map(({ revision }) => revision)).toEqual([1]);
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
