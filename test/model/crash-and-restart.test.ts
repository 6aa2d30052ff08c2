import { describe, expect, it } from "vitest";
import type { Action, CrashPoint, Fault } from "../../src/model/vocabulary.js";
import type { Effect, Receipt, World } from "../../src/model/world.js";
import {
  advance,
  cancel,
  complete,
  empty,
  expire,
  finish,
  limit,
  refusal,
  removePolicy,
  retry,
  river2,
  river3,
  submit,
  take,
  worldAfter,
} from "./fixture.js";

const crash: Action = { kind: "crash", where: { kind: "parked" } };
const restart: Action = { kind: "restart" };

function crashAt(at: CrashPoint): Action {
  return { kind: "crash", where: { kind: "at", attempt: "a1", at } };
}

const draft: Effect = {
  tenant: "t1",
  tool: "drafts",
  key: "JOB-001",
  digest: "river-2",
  revision: 1,
  runId: "r1",
  callId: "c-a1",
};

const accepted: Receipt = {
  number: 1,
  attempt: "a1",
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  key: { kind: "key", key: "JOB-001" },
  status: "accepted",
  code: "ok",
  effectExists: true,
  events: complete,
};

describe("a crash at a point that the attempt passes", () => {
  const submitted = (): World => worldAfter(empty, submit("a1", river2));
  const atOutput = (): World => worldAfter(submitted(), advance("a1"), advance("a1"));

  it.each([
    { at: "inside_transaction", from: "before_business", before: submitted, effects: [], receipts: [] },
    { at: "after_commit", from: "before_business", before: submitted, effects: [draft], receipts: [] },
    { at: "before_receipt", from: "output_check", before: atOutput, effects: [draft], receipts: [] },
    { at: "after_receipt", from: "output_check", before: atOutput, effects: [draft], receipts: [accepted] },
  ] as const)(
    "loses the attempt and keeps what is durable: $at",
    ({ at, from, before, effects, receipts }) => {
      const { world, events, transitions } = take(before(), crashAt(at));
      expect(events).toEqual([]);
      expect(transitions).toEqual([`${from} crash:${at} lost`]);
      expect([world.executor, world.crashes]).toEqual(["down", 1]);
      expect([world.effects, world.receipts]).toEqual([effects, receipts]);
      expect(world.attempts).toEqual([
        {
          name: "a1",
          context: { tenant: "t1", runId: "r1", callId: "c-a1", principal: "p1" },
          request: river2,
          facts: { kind: "valid", key: "JOB-001", digest: "river-2", weight: 2 },
          faults: [],
          snapshot: { kind: "none" },
          events: [],
          cancel: "none",
          place: { kind: "lost" },
        },
      ]);
    },
  );

  it.each(["inside_transaction", "after_commit", "before_receipt", "after_receipt"] as const)(
    "kills before a throw that is armed at %s can be felt",
    (at) => {
      const armed = worldAfter(empty, submit("a1", river2, { kind: "throw_at", at }));
      const before = at.endsWith("receipt") ? worldAfter(armed, advance("a1"), advance("a1")) : armed;
      const { world, transitions } = take(before, crashAt(at));
      expect(world.executor).toBe("down");
      expect(transitions.at(-1)).toMatch(/lost$/);
    },
  );

  it("takes its neighbours along, each from where it waits", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", river2),
      submit("a2", river2, { kind: "checker_hangs", stage: "check" }),
      submit("a3", river2),
      finish("a3"),
      submit("a4", river2),
      advance("a4"),
      crashAt("before_receipt"),
    );
    // a3 has committed, so a1 replays it and passes no receipt in this move: a plain advance.
    expect(world.executor).toBe("up");
    const last = take(world, advance("a1"), crashAt("before_receipt"));
    expect(last.transitions.slice(-3)).toEqual([
      "output_check crash:before_receipt lost",
      "blocked_check crash:parked lost",
      "after_business crash:parked lost",
    ]);
    expect(last.world.attempts.map(({ place }) => place.kind)).toEqual(["lost", "lost", "ended", "lost"]);
    expect(transitions.at(-1)).toBe("before_business advance parked after_business via effect_reused");
  });

  it("comes after a cancel that the same move delivers", () => {
    const { world, events, transitions } = take(
      empty,
      submit("a1", river2),
      cancel("a1"),
      crashAt("before_receipt"),
    );
    expect(events.slice(1)).toEqual([{ kind: "cancel_delivered", attempt: "a1", at: "before_business" }]);
    expect(transitions.at(-1)).toBe("before_business crash:before_receipt lost");
    expect([world.effects, world.receipts]).toEqual([[], []]);
  });

  it("leaves a cancelled receipt if it comes after one", () => {
    const { world } = take(empty, submit("a1", river2), cancel("a1"), crashAt("after_receipt"));
    expect(world.receipts.map(({ status, code }) => [status, code])).toEqual([["cancelled", "cancelled"]]);
  });
});

describe("a crash at a point that the attempt does not pass", () => {
  const advanced = (): World => worldAfter(empty, submit("a1", river2), advance("a1"));

  it("is a plain advance and never fires later", () => {
    const { world, events, transitions } = take(
      worldAfter(empty, submit("a1", river2)),
      crashAt("after_receipt"),
    );
    expect(world).toEqual(advanced());
    expect(events).toEqual([
      {
        kind: "parked",
        attempt: "a1",
        at: "after_business",
        snapshotRevision: { kind: "seen", revision: 1 },
      },
    ]);
    expect(transitions).toEqual(["before_business advance parked after_business via effect_committed"]);
    expect(worldAfter(world, finish("a1")).receipts).toEqual([accepted]);
  });

  it("lets a pending cancel act", () => {
    const { world, events } = take(advanced(), cancel("a1"), crashAt("after_commit"));
    expect(world.executor).toBe("up");
    expect(events.map(({ kind }) => kind)).toEqual(["cancel_delivered", "ended"]);
  });

  it.each<readonly [CrashPoint, Fault]>([
    ["inside_transaction", { kind: "effect_ignored" }],
    ["inside_transaction", { kind: "disk_full", stage: "execute" }],
    ["inside_transaction", { kind: "busy", stage: "execute" }],
    ["after_commit", { kind: "commit_refused", stage: "execute" }],
    ["after_commit", { kind: "throw_at", at: "inside_transaction" }],
  ])("is not reached: %s behind %o", (at, fault) => {
    expect(worldAfter(empty, submit("a1", river2, fault), crashAt(at)).executor).toBe("up");
  });

  it.each(["inside_transaction", "after_commit"] as const)("passes no %s in a replay", (at) => {
    const replaying = worldAfter(empty, submit("a2", river2), finish("a2"), submit("a1", river2));
    expect(worldAfter(replaying, crashAt(at)).executor).toBe("up");
  });

  it("does not pass after_receipt when the receipt fails", () => {
    const world = worldAfter(
      empty,
      submit("a1", river2, { kind: "receipt_ignored" }),
      advance("a1"),
      advance("a1"),
      crashAt("after_receipt"),
    );
    expect([world.executor, world.attempts[0]?.place]).toEqual(["up", { kind: "ended" }]);
  });
});

describe("a crash of an idle executor", () => {
  it("loses every attempt under way and no other", () => {
    const { world, events, transitions } = take(
      empty,
      submit("a1", river2),
      submit("a2", river3),
      finish("a2"),
      submit("a3", river2, { kind: "checker_hangs", stage: "check" }),
      crash,
    );
    expect(events.at(-1)).toEqual({ kind: "blocked", attempt: "a3", on: "check" });
    expect(transitions.slice(-2)).toEqual([
      "before_business crash:parked lost",
      "blocked_check crash:parked lost",
    ]);
    expect(world.attempts.map(({ name, place }) => [name, place.kind])).toEqual([
      ["a1", "lost"],
      ["a2", "ended"],
      ["a3", "lost"],
    ]);
  });

  it("has a name of its own when nothing is under way", () => {
    const { world, transitions } = take(empty, crash);
    expect(transitions).toEqual(["idle crash:parked down"]);
    expect(world).toEqual({ ...empty, executor: "down", crashes: 1 });
  });

  it("loses a committed effect never: a retry replays it (T: restart same database)", () => {
    const { world, transitions } = take(
      empty,
      submit("a1", river2),
      advance("a1"),
      crash,
      restart,
      retry("a2", "a1"),
      finish("a2"),
    );
    expect(transitions.slice(2)).toEqual([
      "after_business crash:parked lost",
      "down restart up",
      "new submit parked before_business",
      "before_business advance parked after_business via effect_reused",
      "after_business advance parked output_check",
      "output_check advance ended accepted/ok",
    ]);
    expect(world.effects).toEqual([draft]);
    // The lost attempt has no receipt, so the first one is that of the retry.
    expect(world.receipts.map(({ number, attempt, callId }) => [number, attempt, callId])).toEqual([
      [1, "a2", "c-a1"],
    ]);
  });
});

describe("while the executor is down", () => {
  const down = (): World =>
    worldAfter(empty, submit("a1", river2), { kind: "arm", fault: { kind: "receipt_ignored" } }, crash);

  it.each<Action>([
    submit("a2", river2),
    retry("a2", "a1"),
    { kind: "retry_changed", attempt: "a2", of: "a1", request: river3, faults: [] },
    { kind: "resubmit_new_key", attempt: "a2", of: "a1", request: river3, faults: [] },
    advance("a1"),
    finish("a1"),
    cancel("a1"),
    expire("a1"),
    limit(3),
    removePolicy,
    { kind: "arm", fault: { kind: "effect_ignored" } },
    { kind: "disarm", fault: { kind: "receipt_ignored" } },
    crash,
    crashAt("after_commit"),
  ])("$kind is refused", (action) => {
    expect(refusal(down(), action)).toEqual({ kind: "refused", reason: "the executor is down" });
  });

  it("can be observed", () => {
    expect(take(down(), { kind: "observe" })).toEqual({
      kind: "moved",
      world: down(),
      events: [],
      transitions: [],
    });
  });
});

describe("a restart", () => {
  it("brings back the executor, and neither the attempts nor a removed policy nor a disarmed driver", () => {
    const down = worldAfter(
      empty,
      submit("a1", river2),
      advance("a1"),
      removePolicy,
      { kind: "arm", fault: { kind: "busy", stage: "receipt" } },
      crash,
    );
    const { world, events, transitions } = take(down, restart);
    expect(world).toEqual({ ...down, executor: "up" });
    expect([events, transitions]).toEqual([[], ["down restart up"]]);
    expect([world.policy, world.revision]).toEqual([{ kind: "missing" }, 1]);
    expect(world.armed).toEqual([{ kind: "busy", stage: "receipt" }]);
    expect(world.attempts.map(({ place }) => place.kind)).toEqual(["lost"]);
    expect(world.effects).toEqual([draft]);
  });

  it("is refused while the executor is up", () => {
    expect(refusal(empty, restart)).toEqual({ kind: "refused", reason: "the executor is up" });
  });

  it("can be followed by another crash", () => {
    expect(worldAfter(empty, crash, restart, crash).crashes).toBe(2);
  });
});
