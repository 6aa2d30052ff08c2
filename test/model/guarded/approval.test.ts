import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/model/vocabulary.js";
import {
  advance,
  allowed,
  approve,
  asked,
  asking,
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
  policy,
  region,
  retry,
  revoke,
  river2,
  river3,
  submit,
  take,
  three,
  tick,
  worldAfter,
} from "./fixture.js";
import { requestRow } from "./history.js";

const waits = "waiting_for_approval/approval_required";

/** Each row makes true what it names, and as much as can be of what is asked after it. */
const decisions: readonly (readonly [
  why: string,
  start: typeof empty,
  before: readonly Action[],
  next: Action,
  to: string,
])[] = [
  ["1 a no", asked, [deny("d1", 1)], retry("a2", "a1"), "ended approval_refused/denied"],
  ["1 a no after a grant", granted, [revoke("d2", 1)], retry("a2", "a1"), "ended approval_refused/revoked"],
  [
    "1 a no, before another digest",
    asked,
    [deny("d1", 1)],
    submit("a2", pageBilling, { callId: "c-a1" }),
    "ended approval_refused/denied",
  ],
  [
    "1 a no, also to one that needs no approval any more",
    worldAfter(empty, policy(asking), submit("a1", river2), finish("a1")),
    [deny("d1", 1), policy(three)],
    retry("a2", "a1"),
    "ended approval_refused/denied",
  ],
  [
    "1 a no, before the expiry",
    asked,
    [deny("d1", 1), tick(2)],
    retry("a2", "a1"),
    "ended approval_refused/denied",
  ],
  [
    "1 a no to an older request of the call",
    worldAfter(asked, tick(2), retry("a2", "a1"), finish("a2")),
    [deny("d1", 1)],
    retry("a3", "a1"),
    "ended approval_refused/denied",
  ],
  [
    "1 a no to a later request after a grant of an older one",
    worldAfter(granted, tick(2), retry("a2", "a1"), finish("a2")),
    [deny("d2", 2)],
    retry("a3", "a1"),
    "ended approval_refused/revoked",
  ],
  [
    "2 bound to another tool, even with the same digest",
    granted,
    [],
    submit("a2", odd, { callId: "c-a1" }),
    "ended approval_refused/tool_mismatch",
  ],
  [
    "2 bound to another digest",
    granted,
    [],
    submit("a2", pageBilling, { callId: "c-a1" }),
    "ended approval_refused/digest_mismatch",
  ],
  [
    "2 bound to another tool, before the expiry, also for a read",
    asked,
    [tick(2)],
    submit("a2", region, { callId: "c-a1" }),
    "ended approval_refused/tool_mismatch",
  ],
  [
    "2 bound by a use row, where nobody was asked",
    worldAfter(empty, submit("a1", river2), finish("a1")),
    [],
    submit("a2", river3, { callId: "c-a1" }),
    "ended approval_refused/digest_mismatch",
  ],
  [
    "2 bound by the earliest request, not the latest use",
    paged,
    [],
    submit("a3", odd, { callId: "c-a1" }),
    "ended approval_refused/tool_mismatch",
  ],
  [
    "3 used, also when the request has expired",
    paged,
    [tick(5)],
    retry("a3", "a1"),
    "parked before_business",
  ],
  [
    "3 used, also when the policy asks for more now",
    worldAfter(empty, submit("a1", river2), finish("a1")),
    [policy(asking)],
    retry("a2", "a1"),
    "parked before_business",
  ],
  [
    "4 not needed any more, though a request is open",
    worldAfter(empty, policy(asking), submit("a1", river2), finish("a1")),
    [policy(three)],
    retry("a2", "a1"),
    "parked before_business",
  ],
  ["5 no request", empty, [], submit("a1", page), "parked before_request"],
  ["5 no request of this call", granted, [], submit("a2", page), "parked before_request"],
  [
    "5 no request of this run",
    granted,
    [],
    submit("a2", page, { callId: "c-a1", runId: "r2" }),
    "parked before_request",
  ],
  [
    "5 no request of this tenant",
    granted,
    [],
    submit("a2", page, { callId: "c-a1", tenant: "t2" }),
    "parked before_request",
  ],
  ["6 expired, at the very tick", granted, [tick(2)], retry("a2", "a1"), "parked before_request"],
  ["6 expired, after it", granted, [tick(3)], retry("a2", "a1"), "parked before_request"],
  [
    "7 another policy, though it says the same",
    granted,
    [policy(three)],
    retry("a2", "a1"),
    "parked before_request",
  ],
  ["8 not granted", asked, [tick(1)], retry("a2", "a1"), `ended ${waits}`],
  ["9 granted, just before the expiry", granted, [tick(1)], retry("a2", "a1"), "parked before_business"],
];

describe("the approval", () => {
  it.each(decisions)("decides: %s", (_, start, before, next, to) => {
    const { world, transitions } = take(start, ...before, next);
    expect(transitions.at(-1)).toBe(`new submit ${to}`);
    // Nothing is opened here yet.
    expect(world.consent.requests).toBe(start.consent.requests);
  });

  it("remembers the grant that it matched", () => {
    const world = worldAfter(granted, retry("a2", "a1"));
    expect(attemptIn(world, "a2").events).toEqual(matched);
    expect(attemptIn(world, "a2").approved).toBe(1);
  });

  it("passes in silence what was used and what needs none", () => {
    const again = worldAfter(paged, retry("a3", "a1"));
    expect(attemptIn(again, "a3").events).toEqual(allowed);
    expect(attemptIn(again, "a3").approved).toBe("not_needed");
  });

  it.each([
    ["the very tick of expiry", tick(2), "approval_refused/expired", { requestedAt: 2, expiresAt: 4 }],
    [
      "another policy",
      policy(three),
      "approval_refused/policy_changed",
      { requestedAt: 0, expiresAt: 2, revision: 2 },
    ],
  ] as const)("opens the next request at %s, and says why", (_, action, answer, changed) => {
    const { world, transitions } = take(granted, action, retry("a2", "a1"), advance("a2"));
    expect(transitions.at(-1)).toBe(`before_request advance ended ${answer}`);
    expect(world.consent.requests).toEqual([requestRow, { ...requestRow, number: 2, ...changed }]);
    // It is not granted by the grant of the requestRow.
    expect(last(world, retry("a3", "a1"))).toBe(`new submit ended ${waits}`);
    expect(last(world, approve("d2", 2), retry("a3", "a1"))).toBe("new submit parked before_business");
  });

  it("takes a dead request that is expired and of another policy for expired", () => {
    expect(last(granted, tick(2), policy(three), retry("a2", "a1"), advance("a2"))).toBe(
      "before_request advance ended approval_refused/expired",
    );
  });

  it("waits for the latest request alone", () => {
    const two = worldAfter(granted, tick(2), retry("a2", "a1"), finish("a2"));
    const { world, transitions } = take(two, retry("a3", "a1"));
    expect(transitions).toEqual([`new submit ended ${waits}`]);
    expect(world.consent.requests).toHaveLength(2);
    expect(lastReceipt(world)).toEqual([waits, ...allowed]);
  });
});
