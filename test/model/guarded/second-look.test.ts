import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/model/vocabulary.js";
import {
  advance,
  allowed,
  approve,
  asking,
  attemptIn,
  deny,
  empty,
  finish,
  last,
  lastReceipt,
  lose,
  matched,
  page,
  pageBilling,
  policy,
  removePolicy,
  retry,
  revoke,
  river2,
  submit,
  take,
  three,
  tick,
  worldAfter,
} from "./fixture.js";
import { requestRow } from "./history.js";

const waits = "waiting_for_approval/approval_required";

describe("the second look, in the transaction that opens a request", () => {
  const parked = worldAfter(empty, submit("a1", page), submit("a2", page, { callId: "c-a1" }));

  it("opens none beside the one that another attempt opened meanwhile", () => {
    const { world, transitions } = take(parked, advance("a2"), advance("a1"));
    expect(transitions).toEqual([
      `before_request advance ended ${waits}`,
      `before_request advance ended ${waits}`,
    ]);
    expect(world.consent.requests).toEqual([requestRow]);
  });

  it.each<readonly [why: string, before: readonly Action[], to: string]>([
    ["1 a no", [advance("a2"), deny("d1", 1)], "ended approval_refused/denied"],
    [
      "1 a no after a grant",
      [advance("a2"), approve("d1", 1), revoke("d2", 1)],
      "ended approval_refused/revoked",
    ],
    ["9 a grant", [advance("a2"), approve("d1", 1)], "parked before_business"],
    ["3 a use", [advance("a2"), approve("d1", 1), retry("a3", "a1"), finish("a3")], "parked before_business"],
  ])("sees what came meanwhile: %s", (_, before, to) => {
    const { world, transitions } = take(parked, ...before, advance("a1"));
    expect(transitions.at(-1)).toBe(`before_request advance ${to}`);
    expect(world.consent.requests).toEqual([requestRow]);
  });

  it("says that a grant which came meanwhile was matched, and remembers it", () => {
    const world = worldAfter(parked, advance("a2"), approve("d1", 1), advance("a1"));
    expect(attemptIn(world, "a1").events).toEqual(matched);
    expect(attemptIn(world, "a1").approved).toBe(1);
  });

  it("says nothing of a use that came meanwhile, and remembers no request", () => {
    const used = [advance("a2"), approve("d1", 1), retry("a3", "a1"), finish("a3")];
    const world = worldAfter(parked, ...used, advance("a1"));
    expect(attemptIn(world, "a1").events).toEqual(allowed);
    expect(attemptIn(world, "a1").approved).toBe("not_needed");
  });

  it("sees that the call was bound otherwise meanwhile", () => {
    const other = submit("a3", pageBilling, { callId: "c-a1" });
    const { world, transitions } = take(parked, other, advance("a3"), advance("a1"));
    expect(transitions.at(-1)).toBe("before_request advance ended approval_refused/digest_mismatch");
    expect(world.consent.requests.map(({ digest }) => digest)).toEqual(["page-billing"]);
  });

  it.each([
    ["another policy", policy(three)],
    ["no policy", removePolicy],
  ] as const)("opens nothing under %s than the check saw", (_, action) => {
    const { world, transitions } = take(parked, action, advance("a1"));
    expect(transitions.at(-1)).toBe("before_request advance ended policy_changed/policy_changed");
    expect(world.consent.requests).toEqual([]);
    expect(lastReceipt(world)).toEqual(["policy_changed/policy_changed", ...allowed]);
  });

  it("opens the next request if the last one expired between the looks", () => {
    const waiting = worldAfter(parked, advance("a2"), tick(2));
    const { world, transitions } = take(waiting, advance("a1"));
    expect(transitions).toEqual(["before_request advance ended approval_refused/expired"]);
    expect(world.consent.requests.map(({ number }) => number)).toEqual([1, 2]);
  });

  it("lets a write pass that need not be approved any more, until its commit finds another policy", () => {
    const write = worldAfter(empty, policy(asking), submit("a1", river2));
    expect(write.attempts[0]?.place).toEqual({ kind: "parked", at: "before_request" });
    const { world, transitions } = take(write, policy(three), advance("a1"), advance("a1"));
    expect(transitions.slice(1)).toEqual([
      "before_request advance parked before_business",
      "before_business advance ended policy_changed/policy_changed",
    ]);
    expect(world.consent.requests).toEqual([]);
  });

  it("does not look at the capability, which the commit does", () => {
    expect(last(parked, lose("notify_oncall", "oncall/search"), advance("a1"))).toBe(
      `before_request advance ended ${waits}`,
    );
  });
});
