import { describe, expect, it } from "vitest";
import type { CheckerFault } from "../../../src/model/vocabulary.js";
import {
  approve,
  asked,
  attemptIn,
  empty,
  expire,
  forest1,
  granted,
  last,
  lastReceipt,
  lose,
  page,
  pageBilling,
  policy,
  regain,
  region,
  removePolicy,
  retention,
  retry,
  river2,
  river4,
  shapeless,
  submit,
  take,
  worldAfter,
} from "./fixture.js";

describe("the stages before the approval", () => {
  it.each([
    ["a request that the contract refuses", shapeless, "input_rejected/shape", []],
    ["a weight over the limit", river4, "input_rejected/batch_limit", ["arguments_valid"]],
  ] as const)("refuse %s", (_, intent, answer, said) => {
    const { world, transitions } = take(empty, submit("a1", intent));
    expect(transitions).toEqual([`new submit ended ${answer}`]);
    expect(lastReceipt(world)).toEqual([answer, ...said]);
  });

  it("refuse where there is no policy, also a read", () => {
    expect(last(empty, removePolicy, submit("a1", region))).toBe(
      "new submit ended input_rejected/missing_policy",
    );
  });

  it("are judged again after the wait: right, then limit", () => {
    const waiting = worldAfter(granted, policy({ kind: "limit", maxCopies: 0 }));
    expect(last(waiting, retry("a2", "a1"))).toBe("new submit ended input_rejected/batch_limit");
    expect(last(granted, lose("notify_oncall", "oncall/search"), retry("a2", "a1"))).toBe(
      "new submit ended permission_denied/capability",
    );
  });
});

describe("the capability", () => {
  it("is said to be granted before the approval is sought", () => {
    const world = worldAfter(empty, submit("a1", river2));
    expect(attemptIn(world, "a1").events).toEqual(["arguments_valid", "input_allowed", "capability_granted"]);
  });

  it.each([
    ["principal", submit("a1", river2, { principal: "p2" })],
    ["tenant", submit("a1", river2, { tenant: "t3" })],
  ] as const)("has to be held by the very %s", (_, action) => {
    const { world, transitions } = take(empty, action);
    expect(transitions).toEqual(["new submit ended permission_denied/capability"]);
    expect(lastReceipt(world)).toEqual(["permission_denied/capability", "arguments_valid", "input_allowed"]);
  });

  it("has to be held for the very tool and the very resource", () => {
    const without = worldAfter(empty, lose("notify_oncall", "oncall/search"));
    expect(last(without, submit("a1", page))).toBe("new submit ended permission_denied/capability");
    expect(last(without, submit("a1", pageBilling))).toBe("new submit parked before_request");
    expect(last(without, submit("a1", river2))).toBe("new submit parked before_business");
    const unread = worldAfter(empty, lose("read_config", "config/region"));
    expect(last(unread, submit("a1", region))).toBe("new submit ended permission_denied/capability");
    expect(last(unread, submit("a1", retention))).toBe("new submit parked before_business");
  });

  it("opens no request where it is not held, and the grant works when it is regained in time", () => {
    const lost = worldAfter(asked, lose("notify_oncall", "oncall/search"), approve("d1", 1));
    const refused = take(lost, retry("a2", "a1"));
    expect(refused.transitions).toEqual(["new submit ended permission_denied/capability"]);
    expect(refused.world.consent.requests).toHaveLength(1);
    const regained = worldAfter(refused.world, regain("notify_oncall", "oncall/search"));
    expect(last(regained, retry("a3", "a2"))).toBe("new submit parked before_business");
  });

  it.each<CheckerFault["kind"]>(["checker_throws", "checker_rejects_falsy", "checker_garbled"])(
    "is refused without a verdict: %s",
    (kind) => {
      const faults = [{ kind, stage: "capability" } as const];
      const { world, transitions } = take(empty, submit("a1", page, { faults }));
      expect(transitions).toEqual(["new submit ended error/no_verdict"]);
      expect(lastReceipt(world)).toEqual(["error/no_verdict", "arguments_valid", "input_allowed"]);
      expect(world.consent.requests).toEqual([]);
    },
  );

  it("is waited for until the wait is ended", () => {
    const faults = [{ kind: "checker_hangs", stage: "capability" } as const];
    expect(take(empty, submit("a1", forest1, { faults }), expire("a1")).transitions).toEqual([
      "new submit blocked capability",
      "blocked_capability expire ended error/no_verdict",
    ]);
  });

  it("is passed by in silence where the profile has no such layer", () => {
    const { profile } = empty;
    const layers = profile.layers.filter((stage) => stage !== "capability");
    const bare = { ...empty, profile: { ...profile, layers }, capabilities: [] };
    const world = worldAfter(bare, submit("a1", river2));
    expect(attemptIn(world, "a1").events).toEqual(["arguments_valid", "input_allowed"]);
  });
});
