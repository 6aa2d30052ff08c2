import { describe, expect, it } from "vitest";
import type { Action, CheckerFault, RequestRow } from "../../../src/model/vocabulary.js";
import {
  advance,
  allowed,
  approve,
  asked,
  asking,
  attemptIn,
  cancel,
  deny,
  empty,
  expire,
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
  worldAfter,
} from "./fixture.js";

const first: RequestRow = {
  number: 1,
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  principal: "p1",
  tool: "notify_oncall",
  digest: "page-search",
  revision: 1,
  role: "incident_commander",
  requestedAt: 0,
  expiresAt: 2,
};

const waits = "waiting_for_approval/approval_required";

describe("who needs approval", () => {
  const write = river2;
  it.each([
    ["a read", region, "permitted", "not_required", false],
    ["a read that the context does not permit", region, "not_permitted", "required", false],
    ["a write that context and policy let pass", write, "permitted", "not_required", false],
    ["a write that the context does not permit", write, "not_permitted", "not_required", true],
    ["a write that the policy wants approved", write, "permitted", "required", true],
    ["a write that neither lets pass", write, "not_permitted", "required", true],
    ["an external effect that both would let pass", page, "permitted", "not_required", true],
    ["an effect of no known class", odd, "permitted", "not_required", true],
  ] as const)("%s", (_, intent, sideEffects, approval, needed) => {
    const limit = policy({ kind: "limit", maxCopies: 3, approval });
    expect(last(empty, limit, submit("a1", intent, { sideEffects }))).toBe(
      `new submit parked ${needed ? "before_request" : "before_business"}`,
    );
  });

  it("where nobody has to be asked, nothing is said and nothing opened", () => {
    const world = worldAfter(empty, submit("a1", river2));
    expect(attemptIn(world, "a1").events).toEqual(allowed);
    expect(world.consent.requests).toEqual([]);
  });
});

describe("a request for approval", () => {
  it("is opened when the attempt leaves before_request, and the wait ends the attempt", () => {
    const parked = worldAfter(empty, tick(3), submit("a1", page));
    expect(parked.consent.requests).toEqual([]);
    const { world, transitions } = take(parked, advance("a1"));
    expect(transitions).toEqual([`before_request advance ended ${waits}`]);
    expect(world.consent.requests).toEqual([{ ...first, requestedAt: 3, expiresAt: 5 }]);
    expect(lastReceipt(world)).toEqual([waits, ...allowed]);
    expect(world.effects).toEqual([]);
  });

  it("says of whom, what, where, under which policy and until when", () => {
    const saying = { tenant: "t2", runId: "r2", sideEffects: "not_permitted" } as const;
    const world = worldAfter(asked, policy(three), tick(1), submit("a2", forest1, saying), finish("a2"));
    expect(world.consent.requests).toEqual([
      first,
      {
        number: 2,
        tenant: "t2",
        runId: "r2",
        callId: "c-a2",
        principal: "p1",
        tool: "draft",
        digest: "forest-1",
        revision: 2,
        role: "editor",
        requestedAt: 1,
        expiresAt: 3,
      },
    ]);
  });

  it.each([["cancelled", cancel("a1"), "before_request cancelled ended cancelled"]] as const)(
    "is not opened for an attempt that is %s before it",
    (_, action, end) => {
      const { world, transitions } = take(empty, submit("a1", page), action, advance("a1"));
      expect(transitions.at(-1)).toBe(end);
      expect(world.consent.requests).toEqual([]);
    },
  );

  it("is not opened where a throw meets the attempt there, and a cancel beats the throw", () => {
    const faults = [throwing("before_request")];
    const parked = worldAfter(empty, submit("a1", page, { faults }));
    const thrown = take(parked, advance("a1"));
    expect(thrown.transitions).toEqual(["before_request advance ended error/before_request"]);
    expect(thrown.world.consent.requests).toEqual([]);
    expect(last(parked, cancel("a1"), advance("a1"))).toBe("before_request cancelled ended cancelled");
  });

  it("does not concern a throw planned for an attempt that needs none", () => {
    const faults = [throwing("before_request")];
    expect(last(empty, submit("a1", river2, { faults }))).toBe("new submit parked before_business");
    expect(last(granted, retry("a2", "a1", ...faults))).toBe("new submit parked before_business");
  });

  it("stays where a throw meets the attempt just after it", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", page, { faults: [throwing("after_request")] }),
      advance("a1"),
    );
    expect(transitions.at(-1)).toBe("before_request advance ended error/after_request");
    expect(world.consent.requests).toEqual([first]);
    expect(last(world, retry("a2", "a1"))).toBe(`new submit ended ${waits}`);
  });

  it.each<CheckerFault["kind"]>(["checker_throws", "checker_rejects_falsy", "checker_garbled"])(
    "is not opened without a verdict: %s",
    (kind) => {
      const faults = [{ kind, stage: "approval" } as const];
      const { world, transitions } = take(empty, submit("a1", page, { faults }));
      expect(transitions).toEqual(["new submit ended error/no_verdict"]);
      expect(lastReceipt(world)).toEqual(["error/no_verdict", ...allowed]);
      expect(world.consent.requests).toEqual([]);
      // Also one who needs no approval, and one who is approved, gets by without a verdict.
      expect(last(empty, submit("a1", river2, { faults }))).toBe("new submit ended error/no_verdict");
      expect(last(granted, retry("a2", "a1", ...faults))).toBe("new submit ended error/no_verdict");
    },
  );

  it("is waited for where the checker hangs, and is not opened then", () => {
    const faults = [{ kind: "checker_hangs", stage: "approval" } as const];
    const { world, transitions } = take(empty, submit("a1", page, { faults }), expire("a1"));
    expect(transitions).toEqual([
      "new submit blocked approval",
      "blocked_approval expire ended error/no_verdict",
    ]);
    expect(world.consent.requests).toEqual([]);
  });

  it("is open to no fault of the driver", () => {
    const faults = [{ kind: "busy", stage: "execute" } as const];
    expect(last(empty, submit("a1", page, { faults }), advance("a1"))).toBe(
      `before_request advance ended ${waits}`,
    );
  });

  it("is opened without a stop where the profile has no such checkpoint", () => {
    const checkpoints = empty.profile.checkpoints.filter((at) => at !== "before_request");
    const bare = { ...empty, profile: { ...empty.profile, checkpoints } };
    const { world, transitions } = take(bare, submit("a1", page));
    expect(transitions).toEqual([`new submit ended ${waits}`]);
    expect(world.consent.requests).toEqual([first]);
  });
});

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
    expect(world.consent.requests).toEqual([first, { ...first, number: 2, ...changed }]);
    // It is not granted by the grant of the first.
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

describe("the second look, in the transaction that opens a request", () => {
  const parked = worldAfter(empty, submit("a1", page), submit("a2", page, { callId: "c-a1" }));

  it("opens none beside the one that another attempt opened meanwhile", () => {
    const { world, transitions } = take(parked, advance("a2"), advance("a1"));
    expect(transitions).toEqual([
      `before_request advance ended ${waits}`,
      `before_request advance ended ${waits}`,
    ]);
    expect(world.consent.requests).toEqual([first]);
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
    expect(world.consent.requests).toEqual([first]);
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

describe("a read", () => {
  it("is bound by what its call asked before, and not by another call's", () => {
    expect(last(asked, submit("a2", retention))).toBe("new submit parked before_business");
  });
});
