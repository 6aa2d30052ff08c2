import { describe, expect, it } from "vitest";
import type { CheckerFault } from "../../../src/model/vocabulary.js";
import {
  advance,
  allowed,
  asked,
  attemptIn,
  cancel,
  empty,
  expire,
  finish,
  forest1,
  granted,
  last,
  lastReceipt,
  odd,
  page,
  policy,
  region,
  retention,
  retry,
  river2,
  submit,
  take,
  three,
  throwing,
  tick,
  worldAfter,
} from "./fixture.js";
import { requestRow } from "./history.js";

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
    expect(world.consent.requests).toEqual([{ ...requestRow, requestedAt: 3, expiresAt: 5 }]);
    expect(lastReceipt(world)).toEqual([waits, ...allowed]);
    expect(world.effects).toEqual([]);
  });

  it("says of whom, what, where, under which policy and until when", () => {
    const saying = { tenant: "t2", runId: "r2", sideEffects: "not_permitted" } as const;
    const world = worldAfter(asked, policy(three), tick(1), submit("a2", forest1, saying), finish("a2"));
    expect(world.consent.requests).toEqual([
      requestRow,
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
    expect(world.consent.requests).toEqual([requestRow]);
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
    expect(world.consent.requests).toEqual([requestRow]);
  });
});

describe("a read", () => {
  it("is bound by what its call asked before, and not by another call's", () => {
    expect(last(asked, submit("a2", retention))).toBe("new submit parked before_business");
  });
});
