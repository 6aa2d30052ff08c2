import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/model/vocabulary.js";
import type { World } from "../../../src/model/world.js";
import {
  advance,
  asking,
  deny,
  empty,
  finish,
  forest1,
  granted,
  last,
  lose,
  paged,
  policy,
  regain,
  region,
  removePolicy,
  retry,
  river2,
  river3,
  submit,
  take,
  three,
  tick,
  without,
  worldAfter,
} from "./fixture.js";

/** a2 is approved and about to execute. */
const ready = worldAfter(granted, retry("a2", "a1"));

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

describe("without the look at the policy in the transaction", () => {
  it("a commit goes through under another policy, which its effect does not name", () => {
    const blind = { ...empty, profile: without("abilities", "recheck_at_commit") };
    const world = worldAfter(blind, submit("a1", forest1), policy(three), advance("a1"));
    expect(world.effects.map(({ revision }) => revision)).toEqual([1]);
  });
});
