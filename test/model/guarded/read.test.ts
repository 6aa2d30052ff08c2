import { describe, expect, it } from "vitest";
import type { Action } from "../../../src/model/vocabulary.js";
import {
  advance,
  attemptIn,
  empty,
  finish,
  last,
  lastReceipt,
  lose,
  page,
  policy,
  region,
  removePolicy,
  retention,
  submit,
  take,
  three,
  throwing,
  worldAfter,
} from "./fixture.js";

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
