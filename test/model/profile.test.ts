import { describe, expect, it } from "vitest";
import { newCall } from "../../src/model/moves.js";
import { step } from "../../src/model/step.js";
import type { Action, Fault, Profile } from "../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../src/model/world.js";
import {
  advance,
  call,
  cancel,
  complete,
  finish,
  interpret,
  limit,
  river2,
  river4,
  shapeless,
  submit,
  take,
  three,
  without,
  worldAfter,
} from "./fixture.js";

function start(profile: Profile): World {
  return initialWorld(profile, three, "drafts");
}

const allCheckpoints = ["before_business", "after_business", "output_check"];
const allCrashPoints = ["inside_transaction", "after_commit", "before_receipt", "after_receipt"];

describe("a profile without checkpoints", () => {
  const straight = () => start(without("checkpoints", ...allCheckpoints));

  it("runs an attempt to its end in one move", () => {
    const { world, events, transitions } = take(straight(), submit("a1", river2));
    expect(events).toEqual([
      {
        kind: "ended",
        attempt: "a1",
        outcome: {
          kind: "completed",
          receiptNumber: 1,
          status: "accepted",
          code: "ok",
          events: complete,
          effectExists: true,
          released: "acceptable",
        },
      },
    ]);
    expect(transitions).toEqual(["new submit ended accepted/ok via effect_committed"]);
    expect([world.effects.length, world.receipts.length]).toEqual([1, 1]);
    expect(take(world, submit("a2", river2)).transitions).toEqual([
      "new submit ended accepted/ok via effect_reused",
    ]);
  });

  it.each(["before_business", "after_business", "output_check"] as const)(
    "still throws on passing %s",
    (at) => {
      const { transitions } = take(straight(), submit("a1", river2, { kind: "throw_at", at }));
      const via = at === "before_business" ? "" : " via effect_committed";
      expect(transitions).toEqual([`new submit ended error/${at}${via}`]);
    },
  );
});

describe("a profile without one checkpoint", () => {
  it("runs through it and parks at the next", () => {
    const { events, transitions } = take(
      start(without("checkpoints", "after_business")),
      submit("a1", river2),
      finish("a1"),
    );
    expect(transitions).toEqual([
      "new submit parked before_business",
      "before_business advance parked output_check via effect_committed",
      "output_check advance ended accepted/ok",
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(["parked", "parked", "ended"]);
  });
});

describe("a profile without crash points", () => {
  const bare = () => start(without("crashPoints", ...allCrashPoints));

  it.each(["inside_transaction", "after_commit", "before_receipt", "after_receipt"] as const)(
    "announces no %s: nothing is thrown or killed there",
    (at) => {
      const thrown = take(bare(), submit("a1", river2, { kind: "throw_at", at }), finish("a1"));
      expect(thrown.transitions.at(-1)).toBe("output_check advance ended accepted/ok");
      const crashAt: Action = { kind: "crash", where: { kind: "at", attempt: "a1", at } };
      const killed = take(bare(), submit("a1", river2), crashAt, crashAt, crashAt);
      expect(killed.transitions.at(-1)).toBe("output_check advance ended accepted/ok");
    },
  );
});

describe("a profile without a fault", () => {
  const noBadOutput = () => start(without("faults", "bad_output", "throw_at", "busy"));

  it.each<Fault>([
    { kind: "bad_output" },
    { kind: "throw_at", at: "before_business" },
    { kind: "busy", stage: "execute" },
  ])("passes $kind by in a plan", (fault) => {
    const { world, transitions } = take(
      noBadOutput(),
      submit("a1", river2, fault, { kind: "receipt_ignored" }),
    );
    expect(world.attempts[0]?.faults).toEqual([{ kind: "receipt_ignored" }]);
    expect(take(world, finish("a1")).transitions.at(-1)).toBe(
      "output_check advance ended audit_unavailable receipt_write from accepted/ok",
    );
    expect(transitions).toEqual(["new submit parked before_business"]);
  });

  it("refuses to arm it", () => {
    const action: Action = { kind: "arm", fault: { kind: "busy", stage: "receipt" } };
    expect(step(noBadOutput(), action, interpret)).toEqual({
      kind: "refused",
      reason: "the profile does not claim busy",
    });
  });
});

describe("a profile without a layer", () => {
  it("says nothing of validate: no event, and so no key in a receipt", () => {
    const { world, events } = take(start(without("layers", "validate")), submit("a1", river2), finish("a1"));
    expect(events.at(-1)).toMatchObject({ outcome: { status: "accepted", events: complete.slice(1) } });
    expect(world.receipts.map(({ key, effectExists }) => [key, effectExists])).toEqual([
      [{ kind: "none" }, true],
    ]);
  });

  it("meets what is not valid unforeseen, at check", () => {
    const { events, world } = take(start(without("layers", "validate")), submit("a1", shapeless));
    expect(events).toEqual([
      {
        kind: "ended",
        attempt: "a1",
        outcome: {
          kind: "completed",
          receiptNumber: 1,
          status: "error",
          code: "unforeseen",
          events: [],
          effectExists: false,
          released: "nothing",
        },
      },
    ]);
    expect(world.receipts.map(({ key }) => key)).toEqual([{ kind: "none" }]);
  });

  it("meets what is not valid unforeseen, at execute", () => {
    const { events, world } = take(
      start(without("layers", "validate", "check")),
      submit("a1", shapeless),
      advance("a1"),
    );
    expect(events.at(-1)).toMatchObject({
      outcome: { status: "error", code: "unforeseen", events: ["business_started"], effectExists: false },
    });
    expect(world.effects).toEqual([]);
  });

  it("takes no snapshot without check, and so commits under any policy", () => {
    const { world, events } = take(
      start(without("layers", "check")),
      submit("a1", river4),
      limit(1),
      advance("a1"),
    );
    expect(events).toEqual([
      { kind: "parked", attempt: "a1", at: "before_business", snapshotRevision: { kind: "none" } },
      { kind: "parked", attempt: "a1", at: "after_business", snapshotRevision: { kind: "none" } },
    ]);
    expect(world.effects.map(({ digest, revision }) => [digest, revision])).toEqual([["river-4", 0]]);
    expect(world.attempts.map((attempt) => attempt.events)).toEqual([
      ["arguments_valid", "business_started", "effect_committed"],
    ]);
  });

  it("asks no checker of a layer that it lacks", () => {
    const world = start(without("layers", "check", "output"));
    const hangs = [
      { kind: "checker_hangs", stage: "check" },
      { kind: "checker_hangs", stage: "output" },
    ] as const;
    expect(take(world, submit("a1", river2, ...hangs), finish("a1")).transitions.at(-1)).toBe(
      "output_check advance ended accepted/ok",
    );
  });

  it("executes nothing without execute", () => {
    const { world, events } = take(start(without("layers", "execute")), submit("a1", river2), finish("a1"));
    expect(world.effects).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      outcome: {
        status: "accepted",
        events: ["arguments_valid", "input_allowed", "output_started", "output_allowed"],
        effectExists: false,
      },
    });
  });

  it("releases a bad copy without output", () => {
    const world = start(without("layers", "output"));
    const bad = take(world, submit("a1", river2, { kind: "bad_output" }), finish("a1"));
    expect(bad.events.at(-1)).toMatchObject({
      outcome: { status: "accepted", events: complete.slice(0, 4), released: "unacceptable" },
    });
    const good = take(world, submit("a1", river2), finish("a1"));
    expect(good.events.at(-1)).toMatchObject({ outcome: { status: "accepted", released: "acceptable" } });
  });

  it("writes nothing down without receipt", () => {
    const { world, events } = take(
      start(without("layers", "receipt")),
      submit("a1", river2, { kind: "receipt_aborted" }, { kind: "throw_at", at: "before_receipt" }),
      finish("a1"),
    );
    expect(world.receipts).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      outcome: { kind: "completed", receiptNumber: 0, status: "accepted" },
    });
  });
});

describe("a profile without an ability", () => {
  it.each<{ readonly ability: string; readonly action: Action }>([
    { ability: "cancel", action: cancel("a1") },
    { ability: "policy", action: limit(1) },
    { ability: "crash", action: { kind: "crash", where: { kind: "parked" } } },
  ])("refuses what takes $ability", ({ ability, action }) => {
    const world = worldAfter(start(without("abilities", ability)), submit("a1", river2));
    expect(step(world, action, interpret)).toEqual({
      kind: "refused",
      reason: `the profile does not claim ${ability}`,
    });
  });

  it("commits on the snapshot alone without recheck_at_commit", () => {
    const { world } = take(
      start(without("abilities", "recheck_at_commit")),
      submit("a1", river2),
      limit(1),
      advance("a1"),
    );
    // The snapshot's revision, not the current one, is what the effect was checked under.
    expect(world.effects.map(({ revision }) => revision)).toEqual([1]);
  });
});

describe("a new call", () => {
  it("differs from the earlier one in its id alone", () => {
    expect(newCall(call("c-a1"), "a7")).toEqual(call("c-a7"));
  });
});
