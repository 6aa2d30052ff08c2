import { describe, expect, it } from "vitest";
import { step } from "../../../src/model/step.js";
import type { Action, Facts, RuleSetting } from "../../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../../src/model/world.js";
import {
  allowed,
  call,
  cancel,
  finish,
  forest1,
  interpret,
  limit,
  removePolicy,
  retry,
  river2,
  river3,
  river4,
  shapeless,
  submit,
  take,
  three,
  valid,
  worldAfter,
} from "../fixture.js";
import {
  atMost,
  change,
  complete,
  crash,
  damage,
  effectKeys,
  empty,
  entering,
  forbidden,
  holding,
  last,
  once,
  others,
  passed,
  reserving,
  restart,
  row,
  rows,
  rule,
  ruledIn,
  throwing,
  under,
  without,
} from "./fixture.js";

/** A world in which the key of `river2` is in that state, and these rules hold now. */
function keyIs(state: "free" | "reserved" | "done" | "unknown" | "unreadable", rules: RuleSetting): World {
  const made: { readonly [of in typeof state]: readonly Action[] } = {
    free: [],
    reserved: [submit("a1", river2)],
    done: [submit("a1", river2), finish("a1")],
    unknown: [submit("a1", river2, throwing("after_commit")), finish("a1")],
    unreadable: [submit("a1", river2), finish("a1"), damage],
  };
  return worldAfter(under(once), ...made[state], change(rules));
}

describe("the rules", () => {
  /** In the order in which a refusal is named: what is known of the key, forbid, the list, the budget. */
  it.each<readonly [string, World, string]>([
    ["no rule at all", empty, passed],
    ["a reserved key without a rule that asks", keyIs("reserved", []), passed],
    ["a done key without a rule that asks", keyIs("done", []), passed],
    ["an unreadable key without a rule that asks", keyIs("unreadable", []), passed],
    ["a free key", keyIs("free", [once]), reserving],
    ["a reserved key", keyIs("reserved", [once]), "new submit ended blocked/duplicate_transaction"],
    ["a done key", keyIs("done", [once]), "new submit ended blocked/duplicate_transaction"],
    ["a key of unknown fate", keyIs("unknown", [once]), "new submit ended blocked/duplicate_transaction"],
    ["a key that cannot be read", keyIs("unreadable", [once]), "new submit ended error/ledger_unreadable"],
    ["forbid", under(forbidden), "new submit ended blocked/forbidden_tool"],
    ["a closed list", under(others), "new submit ended blocked/tool_not_allowed"],
    ["a budget of none", under(atMost(0)), "new submit ended blocked/too_many_calls"],
    ["a budget of one", under(atMost(1)), passed],
    [
      "the list before forbid in the set",
      under(others, forbidden),
      "new submit ended blocked/forbidden_tool",
    ],
    [
      "the budget before forbid in the set",
      under(atMost(0), forbidden),
      "new submit ended blocked/forbidden_tool",
    ],
    [
      "the budget before the list in the set",
      under(atMost(0), others),
      "new submit ended blocked/tool_not_allowed",
    ],
    [
      "all of them on a done key",
      keyIs("done", [atMost(0), others, forbidden, once]),
      "new submit ended blocked/duplicate_transaction",
    ],
    [
      "all of them on an unreadable key",
      keyIs("unreadable", [atMost(0), others, forbidden, once]),
      "new submit ended error/ledger_unreadable",
    ],
    [
      "all of them on a free key",
      keyIs("free", [atMost(0), others, forbidden, once]),
      "new submit ended blocked/forbidden_tool",
    ],
    [
      "all but once on an unreadable key",
      keyIs("unreadable", [atMost(0), others, forbidden]),
      "new submit ended blocked/forbidden_tool",
    ],
    [
      "a rule once that is not active yet",
      keyIs("done", [rule({ kind: "idempotent" }, { fromTurn: 1 })]),
      passed,
    ],
    [
      "several budgets, the first exceeded",
      under(atMost(0), atMost(5)),
      "new submit ended blocked/too_many_calls",
    ],
    [
      "several budgets, the last exceeded",
      under(atMost(5), atMost(0)),
      "new submit ended blocked/too_many_calls",
    ],
  ])("decide on %s", (_, world, there) => {
    expect(entering(world)).toBe(there);
  });

  it("keep the keys of tenants apart", () => {
    const context = call("c-a9", "t2");
    const other: Action = { kind: "submit", attempt: "a9", request: river2, context, faults: [] };
    const { world, transitions } = take(holding, other);
    expect(transitions).toEqual([reserving]);
    expect(rows(world)).toEqual([row("reserved"), "t2 JOB-001 reserved a9"]);
  });

  it("keep different keys of a tenant apart", () => {
    expect(entering(holding, "a9", forest1)).toBe(reserving);
  });

  it("refuse the same call again under one key, as any other", () => {
    expect(last(holding, finish("a1"), retry("a2", "a1"))).toBe(
      "new submit ended blocked/duplicate_transaction",
    );
  });

  it("refuse other arguments under one key before the transaction can", () => {
    expect(last(holding, finish("a1"), submit("a2", river3))).toBe(
      "new submit ended blocked/duplicate_transaction",
    );
  });

  it("write what they refuse into a receipt with its key, and leave nothing else", () => {
    const { world, events } = take(under(forbidden), submit("a1", river2));
    expect(world.receipts).toEqual([
      {
        number: 1,
        attempt: "a1",
        tenant: "t1",
        runId: "r1",
        callId: "c-a1",
        key: { kind: "key", key: "JOB-001" },
        status: "blocked",
        code: "forbidden_tool",
        effectExists: false,
        events: allowed,
      },
    ]);
    expect([world.effects, world.reservations]).toEqual([[], []]);
    expect(events).toMatchObject([{ kind: "ended", outcome: { released: "nothing", events: allowed } }]);
  });

  it("say that they passed", () => {
    const { world } = take(empty, submit("a1", river2));
    expect(world.attempts[0]).toMatchObject({ events: ruledIn, snapshot: { kind: "seen", revision: 1 } });
  });

  it("see the effect of a call that they refuse as a duplicate", () => {
    const { events } = take(keyIs("done", [once]), submit("a2", river2));
    expect(events).toMatchObject([{ outcome: { status: "blocked", effectExists: true } }]);
  });

  it("stay out of the way of an attempt that passed them before", () => {
    const { world } = take(holding, change([forbidden, atMost(0)]), finish("a1"));
    expect(world.receipts.at(-1)).toMatchObject({ status: "accepted", events: complete });
  });
});

describe("the count of calls", () => {
  it.each<readonly [string, readonly Action[], number]>([
    ["nothing", [], 0],
    ["a call that passes", [submit("a1", river2)], 1],
    ["a call no further for its end", [submit("a1", river2), finish("a1")], 1],
    ["a retry as a call of its own", [submit("a1", river2), finish("a1"), retry("a2", "a1")], 2],
    ["a call that is refused", [change([forbidden]), submit("a1", river2)], 1],
    [
      "a call on a key that cannot be read",
      [change([once]), submit("a1", river2), damage, submit("a2", river2)],
      2,
    ],
    ["no call that has no shape", [submit("a1", shapeless)], 0],
    ["no call over the limit", [submit("a1", river4)], 0],
    ["no call without a policy", [removePolicy, submit("a1", river2)], 0],
    ["no call whose checker hangs", [submit("a1", river2, { kind: "checker_hangs", stage: "check" })], 0],
    ["a cancelled call", [submit("a1", river2), cancel("a1"), finish("a1")], 1],
    ["a call that a crash takes along, for good", [submit("a1", river2), crash, restart], 1],
  ])("holds %s", (_, actions, calls) => {
    expect(worldAfter(empty, ...actions).calls).toBe(calls);
  });

  it.each([0, 1, 2, 3])("lets %i calls through under a budget of as many, and not one more", (most) => {
    const names = [1, 2, 3, 4].map((number) => `a${number}` as const);
    const world = worldAfter(under(atMost(most)), ...names.flatMap((name) => [submit(name, river2)]));
    const through = world.attempts.filter(({ place }) => place.kind === "parked").map(({ name }) => name);
    expect(through).toEqual(names.slice(0, most));
  });

  it("counts refused calls and those of other tenants and keys alike", () => {
    const start = worldAfter(under(forbidden), submit("a1", forest1), change([atMost(1)]));
    expect(entering(start)).toBe("new submit ended blocked/too_many_calls");
  });

  it("began before the budget was set", () => {
    const start = worldAfter(empty, submit("a1", river2), submit("a2", river2), change([atMost(2)]));
    expect(entering(start)).toBe("new submit ended blocked/too_many_calls");
  });
});

describe("a profile", () => {
  it("without rules has no opinion and counts nothing", () => {
    const world = initialWorld(without("layers", "rules", "reserve"), three, "drafts");
    const { world: after } = take(world, change([forbidden, once]), submit("a1", river2), finish("a1"));
    expect(after.calls).toBe(0);
    expect(after.receipts[0]).toMatchObject({ status: "accepted" });
    expect(after.receipts[0]?.events).not.toContain("rules_passed");
  });

  it("without reservations passes rules and reserves nothing", () => {
    const world = worldAfter(initialWorld(without("layers", "reserve"), three, "drafts"), change([once]));
    expect(rows(worldAfter(world, submit("a1", river2), finish("a1")))).toEqual([]);
    expect(effectKeys(worldAfter(world, submit("a1", river2), finish("a1")))).toEqual(["JOB-001"]);
  });

  it("that validates nothing fails where its rules meet a request without meaning", () => {
    const lenient = initialWorld(without("layers", "validate", "check"), three, "drafts");
    const answer = step(lenient, submit("a1", shapeless), (): Facts => interpret(shapeless));
    expect(answer).toMatchObject({
      kind: "moved",
      transitions: ["new submit ended error/unforeseen"],
      world: { calls: 1 },
    });
  });

  it("comes to its rules after its check", () => {
    const { world } = take(under(forbidden), limit(1), submit("a1", river2));
    expect(world.receipts[0]).toMatchObject({ status: "input_rejected", code: "batch_limit", events: valid });
  });
});
