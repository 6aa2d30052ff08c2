import { describe, expect, it } from "vitest";
import { waitingRequests } from "../../../src/model/consent/rules.js";
import type { Action, Profile } from "../../../src/model/vocabulary.js";
import { initialWorld } from "../../../src/model/world.js";
import {
  approve,
  asked,
  deny,
  drive,
  empty,
  finish,
  granted,
  guarded,
  held,
  last,
  page,
  paged,
  policy,
  refusal,
  removePolicy,
  retry,
  revoke,
  right,
  river2,
  settle,
  submit,
  take,
  tick,
  without,
  worldAfter,
} from "./fixture.js";

describe("the clock", () => {
  it("starts at 0 and moves only when it is put forward", () => {
    expect(empty.clock).toBe(0);
    expect(paged.clock).toBe(0);
    const { world, transitions } = take(empty, tick(1), tick(2));
    expect(transitions).toEqual(["idle advance_clock", "idle advance_clock"]);
    expect(world).toEqual({ ...empty, clock: 3 });
  });
});

describe("a right", () => {
  const other = right("draft", "attic");
  const set = (capability: typeof other, isHeld: boolean): Action => ({
    kind: "set_capability",
    capability,
    held: isHeld,
  });

  it("is given once, and taken as a whole", () => {
    const given = take(empty, set(other, true), set(other, true));
    expect(given.transitions).toEqual(["idle set_capability held", "idle set_capability held"]);
    expect(given.world.capabilities).toEqual([...held, other]);
    const taken = take(given.world, set(other, false), set(other, false));
    expect(taken.transitions).toEqual(["idle set_capability not_held", "idle set_capability not_held"]);
    expect(taken.world.capabilities).toEqual(held);
  });

  it.each([
    { ...other, principal: "p2" },
    { ...other, tenant: "t2" },
    { ...other, tool: "write_file" },
    { ...other, resource: "drafts2" },
  ])("is another one in each of its parts: %o", (neighbour) => {
    const world = worldAfter(empty, set(other, true), set(neighbour, true), set(other, false));
    expect(world.capabilities).toEqual([...held, neighbour]);
  });
});

describe("the policy of a profile with approvals", () => {
  it("says always whether it wants writes approved", () => {
    const row = { kind: "present", revision: 2, maxCopies: 1 };
    expect(worldAfter(empty, policy({ kind: "limit", maxCopies: 1 })).policy).toEqual({
      ...row,
      approval: "not_required",
    });
    expect(worldAfter(empty, policy({ kind: "limit", maxCopies: 1, approval: "required" })).policy).toEqual({
      ...row,
      approval: "required",
    });
    const { policy: first } = initialWorld(
      guarded,
      { kind: "limit", maxCopies: 1, approval: "required" },
      "x",
    );
    expect(first).toEqual({ ...row, revision: 1, approval: "required" });
  });

  it("says nothing of it where there is no such layer", () => {
    const setting = { kind: "limit", maxCopies: 1, approval: "required" } as const;
    const { policy: bare } = initialWorld(without("layers", "approval"), setting, "x");
    expect(bare).toEqual({ kind: "present", revision: 1, maxCopies: 1 });
  });

  it("is gone when it is removed, and back under the next revision", () => {
    expect(worldAfter(empty, removePolicy).policy).toEqual({ kind: "missing" });
    expect(worldAfter(empty, removePolicy, policy({ kind: "limit", maxCopies: 3 })).policy).toMatchObject({
      revision: 2,
    });
  });
});

describe("a world at its start", () => {
  it("has asked, decided and held nothing, and holds no right that it is not given", () => {
    expect(initialWorld(guarded, { kind: "remove" }, "x")).toMatchObject({
      consent: { steps: [], requests: [], decisions: [], uses: [], escalations: [] },
      held: [],
      decisionsMade: 0,
      capabilities: [],
      clock: 0,
    });
    expect(empty.capabilities).toEqual(held);
  });
});

describe("what waits", () => {
  const numbers = (world: typeof empty): readonly number[] =>
    waitingRequests(world).map(({ number }) => number);
  const next = worldAfter(asked, tick(2), retry("a2", "a1"), finish("a2"));

  it.each([
    ["nothing", empty, []],
    ["a request that nobody decided", asked, [1]],
    ["one that is granted and unused", granted, [1]],
    ["one that has expired", worldAfter(asked, tick(2)), [1]],
    ["the latest of a call", next, [2]],
    ["that of each call", worldAfter(next, submit("a3", page), finish("a3")), [2, 3]],
    ["none that was used", paged, []],
    ["none that was denied", worldAfter(asked, deny("d1", 1)), []],
    ["none whose grant was revoked", worldAfter(granted, revoke("d2", 1)), []],
    ["none of a call that was denied by an older request", worldAfter(next, deny("d1", 1)), []],
  ] as const)("is %s", (_, world, waiting) => {
    expect(numbers(world)).toEqual(waiting);
  });

  it.each([
    [false, "restored"],
    [true, "refused"],
  ] as const)("is told the same again unless the text was changed: tampered %s", (tampered, answer) => {
    expect(take(asked, { kind: "round_trip", tampered })).toEqual({
      kind: "moved",
      world: asked,
      events: [],
      transitions: [`idle round_trip ${answer}`],
    });
  });

  it.each([true, false])("cannot be told where nothing waits: tampered %s", (tampered) => {
    expect(refusal(empty, { kind: "round_trip", tampered })).toBe("nothing waits");
    expect(refusal(paged, { kind: "round_trip", tampered })).toBe("nothing waits");
  });
});

describe("a control that the profile does not claim", () => {
  const bare = (ability: string): typeof empty => ({ ...asked, profile: without("abilities", ability) });

  it.each<readonly [ability: Profile["abilities"][number], Action]>([
    ["approvals", approve("d1", 1)],
    ["approvals", deny("d1", 1)],
    ["approvals", revoke("d1", 1)],
    ["approvals", settle("d1")],
    ["clock", tick()],
    ["capabilities", { kind: "set_capability", capability: right("draft", "drafts"), held: false }],
    ["round_trip", { kind: "round_trip", tampered: false }],
    ["driver", drive("a2", "a1")],
  ])("is refused: %s", (ability, action) => {
    expect(refusal(bare(ability), action)).toBe(`the profile does not claim ${ability}`);
  });

  it("needs the executor, too", () => {
    const down = worldAfter(asked, { kind: "crash", where: { kind: "parked" } });
    for (const action of [approve("d1", 1), tick(), drive("a2", "a1")])
      expect(refusal(down, action)).toBe("the executor is down");
  });
});

describe("a layer that the profile does not have", () => {
  it("is passed by: run and approval", () => {
    const world = { ...empty, profile: without("layers", "run", "approval") };
    const after = worldAfter(world, submit("a1", page), finish("a1"));
    expect(after.consent).toBe(empty.consent);
    expect(after.receipts.map(({ status }) => status)).toEqual(["accepted"]);
    expect(last(world, submit("a1", river2, { step: 4 }))).toBe("new submit parked before_business");
  });
});
