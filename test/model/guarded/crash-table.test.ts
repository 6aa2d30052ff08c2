import { describe, expect, it } from "vitest";
import type { Action, CrashPoint } from "../../../src/model/vocabulary.js";
import type { World } from "../../../src/model/world.js";
import {
  advance,
  approve,
  asked,
  asking,
  attemptIn,
  crashAt,
  deny,
  empty,
  finish,
  granted,
  last,
  page,
  paged,
  policy,
  refusal,
  region,
  restart,
  retry,
  river2,
  submit,
  take,
  throwing,
  tick,
  worldAfter,
} from "./fixture.js";

type Entry = Parameters<typeof entering>[0];

function entering(entry: Extract<Action, { kind: "submit" | "retry" }>, at: CrashPoint): Action {
  return { kind: "crash", where: { kind: "entering", entry, at } };
}

const waits = "waiting_for_approval/approval_required";

/** How many rows of each table there are: steps, requests, decisions, uses, effects, receipts. */
function rows({ consent, effects, receipts }: World): readonly number[] {
  const { steps, requests, decisions, uses } = consent;
  return [steps.length, requests.length, decisions.length, uses.length, effects.length, receipts.length];
}

describe("a crash between two writes", () => {
  it("after the step start: the next attempt asks, and no further step is used", () => {
    const { world, transitions } = take(empty, entering(submit("a1", page), "after_step"), restart);
    expect(transitions).toEqual(["new crash:after_step lost", "down restart up"]);
    expect(rows(world)).toEqual([1, 0, 0, 0, 0, 0]);
    expect(attemptIn(world, "a1").place).toEqual({ kind: "lost" });
    const next = take(world, retry("a2", "a1"), finish("a2"));
    expect(next.transitions.at(-1)).toBe(`before_request advance ended ${waits}`);
    expect(rows(next.world)).toEqual([1, 1, 0, 0, 0, 1]);
  });

  it.each<CrashPoint>(["after_request", "before_receipt"])(
    "after the request, before the receipt: the next attempt waits on that request: %s",
    (at) => {
      const killed = worldAfter(empty, submit("a1", page), crashAt("a1", at), restart);
      expect(rows(killed)).toEqual([1, 1, 0, 0, 0, 0]);
      const next = take(killed, retry("a2", "a1"));
      expect(next.transitions).toEqual([`new submit ended ${waits}`]);
      expect(rows(next.world)).toEqual([1, 1, 0, 0, 0, 1]);
    },
  );

  const deciding = (at: "before_decision" | "after_decision"): readonly Action[] => [
    approve("d1", 1, "none", "held"),
    { kind: "crash", where: { kind: "deciding", decision: "d1", at } },
    restart,
  ];

  it("before the decision commits: the call waits, and the approver who repeats is recorded", () => {
    const world = worldAfter(asked, ...deciding("before_decision"));
    expect(last(world, retry("a2", "a1"))).toBe(`new submit ended ${waits}`);
    expect(last(world, approve("d2", 1))).toBe("idle approve recorded");
  });

  it("after the decision, before its answer: the call proceeds, and who repeats is told so", () => {
    const world = worldAfter(asked, ...deciding("after_decision"));
    expect(last(world, retry("a2", "a1"))).toBe("new submit parked before_business");
    expect(last(world, approve("d2", 1))).toBe("idle approve refused/already_granted");
    const denied = worldAfter(
      asked,
      deny("d1", 1, "none", "held"),
      { kind: "crash", where: { kind: "deciding", decision: "d1", at: "after_decision" } },
      restart,
    );
    expect(last(denied, deny("d2", 1))).toBe("idle deny refused/already_denied");
  });

  it("inside the transaction: the next attempt executes, since the approval is unspent", () => {
    const world = worldAfter(granted, retry("a2", "a1"), crashAt("a2", "inside_transaction"), restart);
    expect(rows(world)).toEqual([1, 1, 1, 0, 0, 1]);
    expect(last(world, retry("a3", "a1"), advance("a3"))).toBe(
      "before_business advance parked after_business via effect_committed",
    );
  });

  it("after the commit: the next attempt reuses, even if expired", () => {
    const killed = worldAfter(granted, retry("a2", "a1"), crashAt("a2", "after_commit"), restart);
    expect(rows(killed)).toEqual([1, 1, 1, 1, 1, 1]);
    const { world, transitions } = take(killed, tick(5), retry("a3", "a1"), finish("a3"));
    expect(transitions.slice(-3)).toEqual([
      "before_business advance parked after_business via effect_reused",
      "after_business advance parked output_check",
      "output_check advance ended accepted/ok",
    ]);
    expect(rows(world)).toEqual([1, 1, 1, 1, 1, 2]);
  });

  it("after the commit: the next attempt reuses, even if the policy asks for more now", () => {
    const killed = worldAfter(empty, submit("a1", river2), crashAt("a1", "after_commit"), restart);
    const { transitions } = take(killed, policy(asking), retry("a2", "a1"), finish("a2"));
    expect(transitions.at(-1)).toBe("output_check advance ended accepted/ok");
  });

  it("after the receipt: the next attempts reuse; three deliveries, one effect", () => {
    const end = worldAfter(granted, retry("a2", "a1"), advance("a2"), advance("a2"));
    const killed = worldAfter(end, crashAt("a2", "after_receipt"), restart);
    const world = worldAfter(killed, retry("a3", "a1"), finish("a3"), retry("a4", "a1"), finish("a4"));
    expect(world.receipts.map(({ status }) => status)).toEqual([
      "waiting_for_approval",
      "accepted",
      "accepted",
      "accepted",
    ]);
    expect([world.effects.length, world.consent.uses.length]).toEqual([1, 1]);
  });

  it("in a first reuse: inside, the call is unspent; after it, it is spent", () => {
    const there = worldAfter(empty, submit("a1", river2), finish("a1"), submit("a2", river2));
    expect(rows(worldAfter(there, crashAt("a2", "inside_transaction")))).toEqual([2, 0, 0, 1, 1, 1]);
    expect(rows(worldAfter(there, crashAt("a2", "after_commit")))).toEqual([2, 0, 0, 2, 1, 1]);
    expect(take(there, crashAt("a2", "after_commit")).transitions).toEqual([
      "before_business crash:after_commit lost",
    ]);
  });

  it("leaves clock and rights as they are", () => {
    const moved = worldAfter(asked, tick(1), {
      kind: "set_capability",
      capability: { principal: "p1", tenant: "t1", tool: "draft", resource: "drafts" },
      held: false,
    });
    const world = worldAfter(moved, { kind: "crash", where: { kind: "parked" } }, restart);
    expect([world.clock, world.capabilities]).toEqual([1, moved.capabilities]);
    expect(world.consent).toBe(moved.consent);
  });
});

describe("a new attempt that is killed on its way in", () => {
  it.each<readonly [why: string, start: World, Entry, CrashPoint, string]>([
    ["no such point", empty, submit("a2", page), "after_request", "new submit parked before_request"],
    ["no step is begun", asked, retry("a2", "a1"), "after_step", `new submit ended ${waits}`],
    [
      "a run does not let it in",
      asked,
      submit("a2", region, { step: 1 }),
      "after_step",
      "new submit ended blocked/run_waiting",
    ],
  ])("is a plain submission where it does not pass the point: %s", (_, start, entry, at, transition) => {
    const { world, transitions } = take(start, entering(entry, at));
    expect(transitions).toEqual([transition]);
    expect([world.executor, world.crashes]).toEqual(["up", 0]);
  });

  it("takes along what is in flight", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", river2),
      entering(submit("a2", page), "after_step"),
    );
    expect(transitions.slice(1)).toEqual(["new crash:after_step lost", "before_business crash:parked lost"]);
    expect(world.attempts.map(({ place }) => place.kind)).toEqual(["lost", "lost"]);
  });

  it("may die at its receipt or after it, if it does not get further than that", () => {
    const written = worldAfter(asked, entering(retry("a2", "a1"), "after_receipt"));
    expect([written.executor, written.receipts.length]).toEqual(["down", 2]);
    const unwritten = worldAfter(asked, entering(retry("a2", "a1"), "before_receipt"));
    expect([unwritten.executor, unwritten.receipts.length]).toEqual(["down", 1]);
  });

  it("is killed rather than thrown at, and keeps nothing for its next attempt", () => {
    const entry = submit("a1", page, { faults: [throwing("after_step")] });
    const world = worldAfter(empty, entering(entry, "after_step"), restart);
    expect(world.receipts).toEqual([]);
    expect(last(world, retry("a2", "a1"))).toBe("new submit parked before_request");
  });

  it("cannot have a name that is taken, nor be of a call that is not known", () => {
    expect(refusal(asked, entering(submit("a1", page), "after_step"))).toBe("a1 exists already");
    expect(refusal(asked, entering(retry("a2", "a7"), "after_step"))).toBe("a7 is not known");
  });

  it("is what every stage from the top sees again: nothing is remembered of it", () => {
    const world = worldAfter(paged, entering(retry("a3", "a1"), "after_step"));
    expect(attemptIn(world, "a3").place).toEqual({ kind: "parked", at: "before_business" });
  });
});
