import { describe, expect, it } from "vitest";
import type { Action, Fault, LayerAction } from "../../../src/model/vocabulary.js";
import type { World } from "../../../src/model/world.js";
import {
  advance,
  approve,
  asked,
  cancel,
  deny,
  empty,
  expire,
  finish,
  granted,
  lose,
  page,
  pageBilling,
  paged,
  policy,
  region,
  removePolicy,
  retry,
  revoke,
  river2,
  river3,
  river4,
  shapeless,
  submit,
  take,
  three,
  throwing,
  tick,
  without,
  worldAfter,
} from "./fixture.js";

type Layers = readonly [
  schema: LayerAction,
  business: LayerAction,
  capability: LayerAction,
  approval: LayerAction,
];

const silent = (stage: "check" | "capability" | "approval" | "output"): Fault => ({
  kind: "checker_throws",
  stage,
});
const past = ["allow", "allow", "allow"] as const;
const loseSearch = lose("notify_oncall", "oncall/search");

const table: readonly (readonly [why: string, start: World, actions: readonly Action[], Layers])[] = [
  [
    "blocked in the run",
    asked,
    [submit("a2", river2, { step: 1 })],
    ["not_reached", "not_reached", "not_reached", "not_reached"],
  ],
  [
    "thrown after the step",
    empty,
    [submit("a1", page, { faults: [throwing("after_step")] })],
    ["not_reached", "not_reached", "not_reached", "not_reached"],
  ],
  [
    "refused by its shape",
    empty,
    [submit("a1", shapeless)],
    ["block", "not_reached", "not_reached", "not_reached"],
  ],
  ["over the limit", empty, [submit("a1", river4)], ["allow", "block", "not_reached", "not_reached"]],
  [
    "without a policy",
    empty,
    [removePolicy, submit("a1", page)],
    ["allow", "block", "not_reached", "not_reached"],
  ],
  [
    "no verdict of the check",
    empty,
    [submit("a1", page, { faults: [silent("check")] })],
    ["allow", "block", "not_reached", "not_reached"],
  ],
  [
    "without the right",
    empty,
    [loseSearch, submit("a1", page)],
    ["allow", "allow", "escalate", "not_reached"],
  ],
  [
    "no verdict on the right",
    empty,
    [submit("a1", page, { faults: [silent("capability")] })],
    ["allow", "allow", "block", "not_reached"],
  ],
  [
    "no verdict on the approval",
    empty,
    [submit("a1", page, { faults: [silent("approval")] })],
    [...past, "block"],
  ],
  [
    "a hung checker of the approval, given up",
    empty,
    [submit("a1", page, { faults: [{ kind: "checker_hangs", stage: "approval" }] }), expire("a1")],
    [...past, "block"],
  ],
  ["waiting", empty, [submit("a1", page), finish("a1")], [...past, "ask"]],
  ["waiting still", asked, [retry("a2", "a1")], [...past, "ask"]],
  ["denied", asked, [deny("d1", 1), retry("a2", "a1")], [...past, "block"]],
  ["bound otherwise", asked, [submit("a2", pageBilling, { callId: "c-a1" })], [...past, "block"]],
  ["expired, asked anew", asked, [tick(2), retry("a2", "a1"), finish("a2")], [...past, "block"]],
  ["another policy, asked anew", asked, [policy(three), retry("a2", "a1"), finish("a2")], [...past, "block"]],
  [
    "another policy while opening",
    empty,
    [submit("a1", page), policy(three), finish("a1")],
    [...past, "block"],
  ],
  [
    "cancelled before the request",
    empty,
    [submit("a1", page), cancel("a1"), finish("a1")],
    [...past, "not_reached"],
  ],
  [
    "thrown before the request",
    empty,
    [submit("a1", page, { faults: [throwing("before_request")] }), finish("a1")],
    [...past, "not_reached"],
  ],
  [
    "thrown after the request",
    empty,
    [submit("a1", page, { faults: [throwing("after_request")] }), finish("a1")],
    [...past, "not_reached"],
  ],
  [
    "cancelled before the business",
    granted,
    [retry("a2", "a1"), cancel("a2"), finish("a2")],
    [...past, "allow"],
  ],
  [
    "thrown before the business, where nobody was asked",
    empty,
    [submit("a1", river2, { faults: [throwing("before_business")] }), finish("a1")],
    [...past, "allow"],
  ],
  [
    "a no in the transaction",
    granted,
    [retry("a2", "a1"), revoke("d2", 1), finish("a2")],
    [...past, "block"],
  ],
  ["expired in the transaction", granted, [retry("a2", "a1"), tick(2), finish("a2")], [...past, "block"]],
  [
    "without the right in the transaction",
    granted,
    [retry("a2", "a1"), loseSearch, finish("a2")],
    ["allow", "allow", "escalate", "allow"],
  ],
  [
    "another policy in the transaction",
    granted,
    [retry("a2", "a1"), policy(three), finish("a2")],
    [...past, "allow"],
  ],
  [
    "a key conflict",
    empty,
    [submit("a1", river3), finish("a1"), submit("a2", river2), finish("a2")],
    [...past, "allow"],
  ],
  ["accepted by a grant", granted, [retry("a2", "a1"), finish("a2")], [...past, "allow"]],
  ["accepted by a use", paged, [retry("a3", "a1"), finish("a3")], [...past, "allow"]],
  ["a read", empty, [submit("a1", region), finish("a1")], [...past, "allow"]],
  [
    "no verdict on the output",
    empty,
    [submit("a1", river2, { faults: [silent("output")] }), finish("a1")],
    [...past, "allow"],
  ],
  [
    "matched between the two looks",
    empty,
    [
      submit("a1", page),
      submit("a2", page, { callId: "c-a1" }),
      advance("a2"),
      approve("d1", 1),
      finish("a1"),
    ],
    [...past, "allow"],
  ],
];

describe("what each layer came to", () => {
  it.each(table)("%s", (_, start, actions, [schema, business, capability, approval]) => {
    const { world, events } = take(start, ...actions);
    const layers = { schema, business, capability, approval };
    expect(world.receipts.at(-1)?.layers).toEqual(layers);
    // The caller is told the same; one that is cancelled is told nothing but that.
    const end = events.at(-1);
    const outcome = end?.kind === "ended" ? end.outcome : { kind: "none" };
    if (outcome.kind === "completed") expect(outcome).toMatchObject({ layers });
    else expect(outcome.kind).toBe("cancelled");
  });

  it("is told only where the profile claims it", () => {
    const bare = { ...empty, profile: without("abilities", "layer_results") };
    const { world, events } = take(bare, submit("a1", river2), finish("a1"));
    expect(world.receipts.map((receipt) => "layers" in receipt)).toEqual([false]);
    const end = events.at(-1);
    expect(end?.kind === "ended" && "layers" in end.outcome).toBe(false);
  });
});

describe("an escalation", () => {
  const impact: Fault = { kind: "spoilt_output", as: "impact", tries: 1 };
  const row = { tenant: "t1", runId: "r1", callId: "c-a1" };

  it.each<readonly [why: string, start: World, actions: readonly Action[], attempt: string, layer: string]>([
    ["a right that is not held", empty, [loseSearch, submit("a1", page)], "a1", "capability"],
    [
      "a right that is lost before the commit",
      granted,
      [retry("a2", "a1"), loseSearch, finish("a2")],
      "a2",
      "capability",
    ],
    [
      "a value of high impact",
      empty,
      [submit("a1", river2, { faults: [impact] }), finish("a1")],
      "a1",
      "output",
    ],
  ])("is written with the receipt for %s", (_, start, actions, attempt, layer) => {
    const { world } = take(start, ...actions);
    expect(world.consent.escalations).toEqual([{ ...row, attempt, layer }]);
  });

  it.each<readonly [why: string, start: World, actions: readonly Action[]]>([
    ["a refused approval", asked, [deny("d1", 1), retry("a2", "a1")]],
    ["a wait", asked, []],
    ["a release", paged, []],
    [
      "a secret",
      empty,
      [submit("a1", river2, { faults: [{ kind: "spoilt_output", as: "secret", tries: 1 }] }), finish("a1")],
    ],
  ])("is not written for %s", (_, start, actions) => {
    expect(worldAfter(start, ...actions).consent.escalations).toEqual([]);
  });

  it.each([
    { kind: "receipt_ignored" },
    { kind: "busy", stage: "receipt" },
    throwing("before_receipt"),
  ] as const)("goes where its receipt goes: %o", (fault) => {
    const { world } = take(empty, submit("a1", river2, { faults: [impact, fault] }), finish("a1"));
    expect([world.receipts, world.consent.escalations]).toEqual([[], []]);
  });

  it("is of the attempt, so that the next one writes its own", () => {
    const first = worldAfter(empty, loseSearch, submit("a1", page), retry("a2", "a1"));
    expect(first.consent.escalations.map(({ attempt }) => attempt)).toEqual(["a1", "a2"]);
  });

  it("is cured by no approval of the call", () => {
    const world = worldAfter(asked, loseSearch, approve("d1", 1), retry("a2", "a1"));
    expect(world.receipts.at(-1)?.status).toBe("permission_denied");
  });

  it("is not written by a profile without layers of its own", () => {
    const bare = { ...empty, profile: without("abilities", "layer_results") };
    expect(worldAfter(bare, loseSearch, submit("a1", page)).consent.escalations).toEqual([]);
  });
});
