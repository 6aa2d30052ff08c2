import { describe, expect, it } from "vitest";
import type { Action, Context, Fault, PolicySetting } from "../../../src/model/vocabulary.js";
import { isOneMinimal, minimise } from "../../../src/properties/minimise.js";
import { detached, repaired } from "../../../src/properties/minimise-repair.js";
import { type Simpler, simplerActions } from "../../../src/properties/minimise-simplify.js";
import {
  advance,
  approve,
  asking,
  contextOf,
  crashAt,
  deny,
  drive,
  finish,
  lose,
  page,
  policy,
  restart,
  retry,
  revoke,
  settle,
  submit,
  tick,
} from "../../model/guarded/fixture.js";

const none: Simpler = () => [];
const trip = (tampered: boolean): Action => ({ kind: "round_trip", tampered });

describe("a simpler guarded action", () => {
  it.each<[string, Action, readonly Action[]]>([
    ["nothing, of a plain decision", approve("d1", 1), []],
    ["a genuine decision, of a flawed one", approve("d1", 1, "role"), [approve("d1", 1)]],
    ["one at once, of a held one", deny("d1", 1, "none", "held"), [deny("d1", 1)]],
    ["a denial, of a revocation", revoke("d1", 1), [deny("d1", 1)]],
    ["one of the request before, of a later request", approve("d1", 3), [approve("d1", 2)]],
    [
      "each of these alone, where all apply",
      revoke("d2", 2, "digest", "held"),
      [
        revoke("d2", 2, "none", "held"),
        revoke("d2", 2, "digest"),
        deny("d2", 2, "digest", "held"),
        revoke("d2", 1, "digest", "held"),
      ],
    ],
    ["one tick, of two", tick(2), [tick(1)]],
    ["nothing, of one tick", tick(1), []],
    ["a genuine round trip, of a tampered one", trip(true), [trip(false)]],
    ["nothing, of a genuine round trip", trip(false), []],
    ["a plain retry, of a drive", drive("a2", "a1"), [retry("a2", "a1")]],
    ["nothing, of a settled decision", settle("d1"), []],
    ["nothing, of a capability that is taken", lose("draft", "drafts"), []],
  ])("is %s", (_, action, simpler) => {
    expect(simplerActions(action, none)).toEqual(simpler);
  });

  it("is, of a crash on the way in or in a decision, one while parked", () => {
    const parked = { kind: "crash", where: { kind: "parked" } } as const;
    const entry = submit("a1", page);
    expect(
      simplerActions({ kind: "crash", where: { kind: "entering", entry, at: "after_step" } }, none),
    ).toEqual([parked]);
    expect(
      simplerActions(
        { kind: "crash", where: { kind: "deciding", decision: "d1", at: "after_decision" } },
        none,
      ),
    ).toEqual([parked]);
  });

  it("is, of a submission, one with a plainer place in its run", () => {
    const plain = { sideEffects: "not_permitted" } as const;
    const action = submit("a1", page, { step: 2, replaces: "c-a0", sideEffects: "permitted" });
    const to = (context: Context): Action => ({ ...action, context });
    expect(simplerActions(action, none)).toEqual([
      to(contextOf("a1", page, { step: 0, replaces: "c-a0" })),
      to(contextOf("a1", page, { step: 2, replaces: "none" })),
      to(contextOf("a1", page, { step: 2, replaces: "c-a0", ...plain })),
    ]);
    expect(simplerActions(submit("a1", page, plain), none)).toEqual([]);
  });

  it("is, of a value that is spoilt several times, one that is spoilt once less", () => {
    const spoilt = (tries: 1 | 2 | 3): Fault => ({ kind: "spoilt_output", as: "format", tries });
    const to = (faults: readonly Fault[]): Action => retry("a2", "a1", ...faults);
    expect(simplerActions(to([spoilt(3)]), none)).toEqual([to([]), to([spoilt(2)])]);
    expect(simplerActions(to([spoilt(2)]), none)).toEqual([to([]), to([spoilt(1)])]);
    expect(simplerActions(to([spoilt(1)]), none)).toEqual([to([])]);
  });

  it.each<[string, PolicySetting, readonly PolicySetting[]]>([
    ["the same limit without approval", asking, [{ kind: "limit", maxCopies: 3 }]],
    [
      "the limit of a new store, too",
      { kind: "limit", maxCopies: 1, approval: "required" },
      [{ kind: "limit", maxCopies: 1 }, asking],
    ],
  ])("is, of a policy that wants approval, %s", (_, to, nearer) => {
    expect(simplerActions(policy(to), none)).toEqual(nearer.map(policy));
  });

  it("asks for simpler requests of the tool that the context names", () => {
    const byTool: Simpler = (request, context) =>
      context?.dispatch?.tool === page.tool ? [`less of ${request}`] : [];
    const action = submit("a1", page, { sideEffects: "not_permitted" });
    expect(simplerActions(action, byTool)).toEqual([{ ...action, request: `less of ${page.request}` }]);
  });
});

describe("a repaired guarded list", () => {
  const entering = (entry: Extract<Action, { kind: "submit" | "retry" }>): Action => ({
    kind: "crash",
    where: { kind: "entering", entry, at: "after_step" },
  });
  const deciding: Action = {
    kind: "crash",
    where: { kind: "deciding", decision: "d1", at: "before_decision" },
  };

  it("lacks a decision to settle, or to be struck in, that is not held", () => {
    expect(repaired([settle("d1"), deciding])).toEqual([]);
    expect(repaired([approve("d1", 1), settle("d1"), deciding])).toEqual([approve("d1", 1)]);
    const held = approve("d1", 1, "none", "held");
    expect(repaired([held, settle("d1")])).toEqual([held, settle("d1")]);
    expect(repaired([held, deciding])).toEqual([held, deciding]);
    expect(repaired([approve("d2", 1, "none", "held"), settle("d1")])).toHaveLength(1);
  });

  it("lacks a drive of an attempt that is gone, and what depends on the attempt that it makes", () => {
    const all = [
      submit("a1", page),
      finish("a1"),
      drive("a2", "a1"),
      advance("a2"),
      crashAt("a2", "after_commit"),
    ];
    expect(repaired(all)).toEqual(all);
    expect(repaired(all.slice(1))).toEqual([]);
  });

  it("keeps what names an attempt that is killed on its way in", () => {
    const all = [entering(submit("a1", page)), restart, retry("a2", "a1"), finish("a2")];
    expect(repaired(all)).toEqual(all);
    expect(repaired([entering(retry("a2", "a1")), restart, finish("a2")])).toEqual([restart]);
  });

  it("keeps what depends on no attempt", () => {
    const all = [approve("d1", 1), tick(2), lose("draft", "drafts"), trip(true), policy(asking)];
    expect(repaired(all)).toEqual(all);
  });

  it("makes of a drive a submission of its own, where what it drives is to go", () => {
    const first = submit("a1", page, { step: 1 });
    expect(detached([first, drive("a2", "a1")], "a1")).toEqual([
      first,
      { ...first, attempt: "a2", faults: [] },
    ]);
    expect(detached([entering(first), drive("a2", "a1")], "a1").at(-1)).toEqual({ ...first, attempt: "a2" });
  });
});

describe("minimising a guarded list", () => {
  /** Fails as long as a page is asked for, somebody says no to it, and it is tried again. */
  const fails = async (actions: readonly Action[]) => {
    const has = (...kinds: readonly Action["kind"][]) => actions.some(({ kind }) => kinds.includes(kind));
    return has("submit") && has("deny", "revoke") && has("retry", "drive") ? "same" : "none";
  };
  const plain = submit("a1", page, { sideEffects: "not_permitted" });
  const minimal = [plain, deny("d1", 1), retry("a2", "a1")];

  it("leaves what the failure needs, in its plainest form", async () => {
    const actions = [
      submit("a1", page, { step: 2, sideEffects: "permitted" }),
      finish("a1"),
      tick(2),
      approve("d3", 1, "role"),
      revoke("d1", 2, "none", "held"),
      settle("d1"),
      trip(true),
      drive("a2", "a1"),
      finish("a2"),
    ];
    const { kind, actions: left } = await minimise({
      actions,
      fails,
      simpler: none,
      budget: { candidates: 500 },
    });
    expect(kind).toBe("one_minimal");
    expect(left).toEqual(minimal);
    expect(await isOneMinimal({ actions: left, fails, simpler: none })).toEqual({ kind: "one_minimal" });
  });

  it.each<[string, readonly Action[]]>([
    ["a step", [{ ...plain, context: contextOf("a1", page, { step: 1, sideEffects: "not_permitted" }) }]],
    ["a permission", [submit("a1", page)]],
    ["another tenant", [submit("a1", page, { tenant: "t2", sideEffects: "not_permitted" })]],
  ])("does not take a list for minimal that can do without %s", async (_, [first = plain]) => {
    const answer = await isOneMinimal({ actions: [first, ...minimal.slice(1)], fails, simpler: none });
    expect(answer).toEqual({ kind: "smaller", actions: minimal });
  });
});
