import { describe, expect, it } from "vitest";
import type { Action, Fault } from "../../../src/model/vocabulary.js";
import type { World } from "../../../src/model/world.js";
import {
  advance,
  approve,
  asked,
  attemptIn,
  cancel,
  crashAt,
  deny,
  drive,
  empty,
  finish,
  granted,
  last,
  lose,
  page,
  pageBilling,
  paged,
  policy,
  refusal,
  region,
  removePolicy,
  restart,
  retry,
  revoke,
  river2,
  river3,
  shapeless,
  submit,
  take,
  three,
  throwing,
  tick,
  worldAfter,
} from "./fixture.js";

const unwritten: Fault = { kind: "receipt_ignored" };
const busy: Fault = { kind: "busy", stage: "execute" };
const first = (intent: typeof page, ...faults: readonly Fault[]): readonly Action[] => [
  submit("a1", intent, { faults }),
  finish("a1"),
];
/** The attempt that failed once is tried twice more, which fails, too. */
const twice: readonly Action[] = [
  retry("a2", "a1", busy),
  finish("a2"),
  retry("a3", "a1", busy),
  finish("a3"),
];
const crash: Action = { kind: "crash", where: { kind: "parked" } };

/** The attempt that the driver looks at is the named one. */
const answers: readonly (readonly [
  why: string,
  start: World,
  before: readonly Action[],
  of: "a1" | "a2" | "a3",
  answer: "repeats" | "rests",
])[] = [
  // Nobody knows what became of it.
  ["no receipt, with a key", empty, first(river2, unwritten), "a1", "repeats"],
  ["no receipt, a read", empty, first(region, unwritten), "a1", "repeats"],
  ["no receipt, neither", granted, [retry("a2", "a1", unwritten), finish("a2")], "a2", "rests"],
  ["no receipt, invalid", empty, [submit("a1", shapeless, { faults: [unwritten] })], "a1", "rests"],
  ["lost, with a key", empty, [submit("a1", river2), crash, restart], "a1", "repeats"],
  ["lost, a read", empty, [submit("a1", region), crash, restart], "a1", "repeats"],
  ["lost, neither", empty, [submit("a1", page), crash, restart], "a1", "rests"],
  [
    "lost after its receipt, which says accepted",
    worldAfter(empty, submit("a1", river2), advance("a1"), advance("a1")),
    [crashAt("a1", "after_receipt"), restart],
    "a1",
    "rests",
  ],
  // By status.
  ["accepted", paged, [], "a2", "rests"],
  ["input_rejected", empty, [submit("a1", shapeless)], "a1", "rests"],
  ["permission_denied", empty, [lose("draft", "drafts"), submit("a1", river2)], "a1", "rests"],
  ["blocked", asked, [submit("a2", river2, { step: 1 })], "a2", "rests"],
  ["cancelled", empty, [submit("a1", river2), cancel("a1"), finish("a1")], "a1", "rests"],
  ["output_rejected", empty, first(river2, { kind: "spoilt_output", as: "secret", tries: 1 }), "a1", "rests"],
  [
    "clarification_needed",
    empty,
    first(river2, { kind: "spoilt_output", as: "question", tries: 1 }),
    "a1",
    "rests",
  ],
  ["escalated", empty, first(river2, { kind: "spoilt_output", as: "impact", tries: 1 }), "a1", "rests"],
  ["key_conflict", empty, [...first(river3), submit("a2", river2), finish("a2")], "a2", "rests"],
  // Failed without a trace, at most twice again.
  ["policy_changed, once", empty, [submit("a1", river2), policy(three), finish("a1")], "a1", "repeats"],
  ["policy_changed, without key", granted, [retry("a2", "a1"), policy(three), finish("a2")], "a2", "repeats"],
  ["error, once", empty, first(river2, busy), "a1", "repeats"],
  ["error without effect, without key", granted, [retry("a2", "a1", busy), finish("a2")], "a2", "repeats"],
  ["error, twice", empty, [...first(river2, busy), retry("a2", "a1", busy), finish("a2")], "a2", "repeats"],
  ["error, three times", empty, [...first(river2, busy), ...twice], "a3", "rests"],
  ["error, three times, asked of the first", empty, [...first(river2, busy), ...twice], "a1", "rests"],
  [
    "policy_changed twice and an error",
    empty,
    [
      submit("a1", river2),
      retry("a2", "a1"),
      policy(three),
      finish("a1"),
      finish("a2"),
      retry("a3", "a1", busy),
      finish("a3"),
    ],
    "a2",
    "rests",
  ],
  [
    "three failures of other calls, in other runs and tenants",
    empty,
    [
      ...first(river2, busy),
      submit("a2", river2, { faults: [busy] }),
      finish("a2"),
      submit("a3", river2, { faults: [busy], callId: "c-a1", runId: "r2" }),
      finish("a3"),
      submit("a4", river2, { faults: [busy], callId: "c-a1", tenant: "t2" }),
      finish("a4"),
    ],
    "a1",
    "repeats",
  ],
  [
    "error, beside other ends of the call",
    empty,
    [
      ...first(river2, busy),
      retry("a2", "a1"),
      cancel("a2"),
      finish("a2"),
      retry("a3", "a1"),
      cancel("a3"),
      finish("a3"),
    ],
    "a1",
    "repeats",
  ],
  ["error after the commit, with a key", empty, first(river2, throwing("after_commit")), "a1", "repeats"],
  [
    "error after the commit, neither",
    granted,
    [retry("a2", "a1", throwing("after_commit")), finish("a2")],
    "a2",
    "rests",
  ],
  [
    "error after a reuse, neither",
    paged,
    [retry("a3", "a1", throwing("after_business")), finish("a3")],
    "a3",
    "rests",
  ],
  [
    "error before the business, where the call's effect is there",
    paged,
    [retry("a3", "a1", throwing("before_business")), finish("a3")],
    "a3",
    "rests",
  ],
  ["error of a read on its way out", empty, first(region, throwing("after_business")), "a1", "repeats"],
  // Until an external event.
  ["waiting", asked, [], "a1", "rests"],
  ["waiting, granted by now", granted, [], "a1", "repeats"],
  ["waiting, granted a tick before the expiry", granted, [tick(1)], "a1", "repeats"],
  ["waiting, granted and expired", granted, [tick(2)], "a1", "rests"],
  ["waiting, granted under another policy", granted, [policy(three)], "a1", "rests"],
  ["waiting, granted and no policy", granted, [removePolicy], "a1", "rests"],
  ["waiting, granted and revoked", granted, [revoke("d2", 1)], "a1", "rests"],
  ["waiting, denied", asked, [deny("d1", 1)], "a1", "rests"],
  ["waiting, granted and used", paged, [], "a1", "rests"],
  ["waiting, another call granted", worldAfter(granted, submit("a2", page), finish("a2")), [], "a2", "rests"],
  [
    "waiting, an older request granted",
    worldAfter(granted, tick(2), retry("a2", "a1"), finish("a2")),
    [],
    "a1",
    "rests",
  ],
  ["expired", granted, [tick(2), retry("a2", "a1"), finish("a2")], "a2", "rests"],
  [
    "expired, granted anew",
    granted,
    [tick(2), retry("a2", "a1"), finish("a2"), approve("d2", 2)],
    "a2",
    "repeats",
  ],
  ["dead by policy", granted, [policy(three), retry("a2", "a1"), finish("a2")], "a2", "rests"],
  [
    "dead by policy, granted anew",
    granted,
    [policy(three), retry("a2", "a1"), finish("a2"), approve("d2", 2)],
    "a2",
    "repeats",
  ],
  ["denied", asked, [deny("d1", 1), retry("a2", "a1")], "a2", "rests"],
  [
    "bound otherwise, though there is a live grant",
    granted,
    [submit("a2", pageBilling, { callId: "c-a1" })],
    "a2",
    "rests",
  ],
];

describe("the driver of an executor", () => {
  it.each(answers)("decides from durable rows: %s", (_, start, before, of, answer) => {
    const there = worldAfter(start, ...before);
    const { world, transitions } = take(there, drive("a9", of));
    if (answer === "rests") {
      expect(transitions).toEqual(["idle drive rests"]);
      expect(world).toEqual(there);
    } else {
      expect(transitions).toHaveLength(1);
      expect(transitions[0]).toMatch(/^new submit /);
      const { context, request, faults } = attemptIn(world, "a9");
      const earlier = attemptIn(there, of);
      expect([context, request, faults]).toEqual([earlier.context, earlier.request, []]);
    }
  });

  it("looks only at what is over", () => {
    const world = worldAfter(empty, submit("a1", river2));
    expect(refusal(world, drive("a2", "a1"))).toBe("a1 is not over");
    expect(refusal(world, drive("a2", "a7"))).toBe("a7 is not over");
    const faults = [{ kind: "checker_hangs", stage: "check" } as const];
    expect(refusal(worldAfter(empty, submit("a1", river2, { faults })), drive("a2", "a1"))).toBe(
      "a1 is not over",
    );
  });

  it("brings what was approved to its end", () => {
    const { world } = take(granted, drive("a2", "a1"), finish("a2"));
    expect(world.receipts.at(-1)?.status).toBe("accepted");
    expect(last(world, drive("a3", "a2"))).toBe("idle drive rests");
  });
});
