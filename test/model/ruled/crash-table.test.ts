import { describe, expect, it } from "vitest";
import type { Action, CrashPoint } from "../../../src/model/vocabulary.js";
import { initialWorld } from "../../../src/model/world.js";
import {
  advance,
  cancel,
  finish,
  forest1,
  limit,
  retry,
  river2,
  river3,
  submit,
  take,
  three,
  worldAfter,
} from "../fixture.js";
import {
  change,
  crash,
  crashAt,
  crashEntering,
  damage,
  effectKeys,
  empty,
  entering,
  holding,
  last,
  once,
  reconcile,
  restart,
  row,
  rows,
  throwing,
  under,
  verdicts,
  without,
} from "./fixture.js";

const duplicate = "new submit ended blocked/duplicate_transaction";
const unread = "new submit ended error/ledger_unreadable";
const reserves = "new submit parked before_business via key_reserved";

/**
 * Where the executor is killed on the way of a1: what is durable then, and what a restart settles. Without an effect
 * the key is free again; with one it is done.
 */
const table: readonly {
  readonly at: CrashPoint;
  readonly way: readonly Action[];
  readonly rows: readonly string[];
  readonly effects: readonly string[];
  readonly receipts: readonly string[];
  readonly settled: readonly string[];
}[] = [
  {
    at: "after_reserve",
    way: [crashEntering("a1", river2, "after_reserve")],
    rows: [row("reserved")],
    effects: [],
    receipts: [],
    settled: [],
  },
  {
    at: "inside_transaction",
    way: [submit("a1", river2), crashAt("a1", "inside_transaction")],
    rows: [row("reserved")],
    effects: [],
    receipts: [],
    settled: [],
  },
  {
    at: "after_commit",
    way: [submit("a1", river2), crashAt("a1", "after_commit")],
    rows: [row("reserved")],
    effects: ["JOB-001"],
    receipts: [],
    settled: [row("done")],
  },
  {
    at: "before_settle",
    way: [submit("a1", river2), crashAt("a1", "before_settle")],
    rows: [row("reserved")],
    effects: ["JOB-001"],
    receipts: [],
    settled: [row("done")],
  },
  {
    at: "before_receipt",
    way: [submit("a1", river2), advance("a1"), advance("a1"), crashAt("a1", "before_receipt")],
    rows: [row("done")],
    effects: ["JOB-001"],
    receipts: [],
    settled: [row("done")],
  },
  {
    at: "after_receipt",
    way: [submit("a1", river2), advance("a1"), advance("a1"), crashAt("a1", "after_receipt")],
    rows: [row("done")],
    effects: ["JOB-001"],
    receipts: ["accepted/ok"],
    settled: [row("done")],
  },
];

describe("a kill", () => {
  it.each(table)("at $at leaves what was written by then", (killed) => {
    const world = worldAfter(under(once), ...killed.way);
    expect(world.executor).toBe("down");
    expect([rows(world), effectKeys(world), verdicts(world)]).toEqual([
      killed.rows,
      killed.effects,
      killed.receipts,
    ]);
  });

  it.each(table)("at $at is settled by the restart", (killed) => {
    const world = worldAfter(under(once), ...killed.way, restart);
    expect(rows(world)).toEqual(killed.settled);
    // No attempt's fate changes: it was lost, and no receipt comes of it.
    expect(world.attempts[0]).toMatchObject({ place: { kind: "lost" } });
    expect(verdicts(world)).toEqual(killed.receipts);
  });

  it.each(table)("at $at lets the same call end well after the restart, or refuses it as done", (killed) => {
    const world = worldAfter(under(once), ...killed.way, restart);
    const isDone = killed.effects.length > 0;
    expect(last(world, retry("a2", "a1"))).toBe(isDone ? duplicate : reserves);
    const after = worldAfter(world, retry("a2", "a1"), ...(isDone ? [] : [finish("a2")]));
    expect(effectKeys(after)).toEqual(["JOB-001"]);
  });

  it.each(table)("at $at of what cannot be read is settled by the effects all the same", (killed) => {
    const world = worldAfter(
      under(once),
      submit("a0", forest1),
      finish("a0"),
      damage,
      ...killed.way,
      restart,
    );
    expect(rows(world)).toEqual(["t1 JOB-002 done a0", ...killed.settled]);
  });

  it("while an attempt is parked leaves its key until the restart", () => {
    const world = worldAfter(holding, crash);
    expect(rows(world)).toEqual([row("reserved")]);
    expect(rows(worldAfter(world, restart))).toEqual([]);
  });

  it("keeps rules, turns and the count of calls", () => {
    const said: Action = { kind: "say", text: "refund" };
    const { rules, turns, calls } = worldAfter(holding, said, crash, restart);
    expect({ rules, turns, calls }).toEqual({ rules: [once], turns: ["refund"], calls: 1 });
  });

  it("of a neighbour takes the key of every attempt under way", () => {
    const two = worldAfter(holding, submit("a2", forest1));
    expect(rows(worldAfter(two, crashAt("a1", "after_commit")))).toEqual([
      row("reserved"),
      "t1 JOB-002 reserved a2",
    ]);
    expect(rows(worldAfter(two, crashAt("a1", "after_commit"), restart))).toEqual([row("done")]);
  });

  it("at a point that is not passed kills nobody", () => {
    const { world } = take(under(once), submit("a1", river2), crashAt("a1", "after_reserve"));
    expect([world.executor, rows(world)]).toEqual(["up", [row("done")]]);
  });

  it("beats a throw at the same point", () => {
    const world = worldAfter(
      under(once),
      submit("a1", river2, throwing("before_settle")),
      crashAt("a1", "before_settle"),
    );
    expect(world.executor).toBe("down");
  });
});

describe("a restart", () => {
  it("settles nothing in a profile that does not reconcile", () => {
    const start = initialWorld(without("abilities", "reconcile"), three, "drafts");
    expect(rows(worldAfter(start, change([once]), submit("a1", river2), crash, restart))).toEqual([
      row("reserved"),
    ]);
  });
});

/** What reconciling makes of each row, with the executor up. */
describe("reconciling", () => {
  it.each<readonly [string, readonly Action[], readonly string[]]>([
    ["no row", [], []],
    ["a done row", [submit("a1", river2), finish("a1")], [row("done")]],
    [
      "an unknown row with its effect",
      [submit("a1", river2, throwing("after_commit")), finish("a1")],
      [row("done")],
    ],
    [
      "a reserved row with its effect",
      [submit("a1", river2, throwing("before_settle")), finish("a1")],
      [row("done")],
    ],
    [
      "a reserved row without",
      [submit("a1", river2, { kind: "busy", stage: "execute" }, throwing("before_settle")), finish("a1")],
      [],
    ],
    ["an unreadable row with its effect", [submit("a1", river2), finish("a1"), damage], [row("done")]],
    [
      "an unreadable row without",
      [
        submit("a1", river2, { kind: "busy", stage: "execute" }, throwing("before_settle")),
        finish("a1"),
        damage,
      ],
      [],
    ],
    ["the row of an attempt under way", [submit("a1", river2)], [row("reserved")]],
    ["the unreadable row of an attempt under way", [submit("a1", river2), damage], [row("unreadable")]],
    ["the done row of an attempt under way", [submit("a1", river2), advance("a1")], [row("done")]],
    ["the row of an attempt whose cancel waits", [submit("a1", river2), cancel("a1")], [row("reserved")]],
    [
      "the unreadable row of an attempt that hangs after its effect",
      [submit("a1", river2, { kind: "checker_hangs", stage: "output" }), finish("a1"), damage],
      [row("unreadable")],
    ],
  ])("of %s", (_, actions, settled) => {
    const before = worldAfter(under(once), ...actions);
    const after = worldAfter(before, reconcile);
    expect(rows(after)).toEqual(settled);
    // Nothing else changes.
    expect({ ...after, reservations: [] }).toEqual({ ...before, reservations: [] });
  });

  it("settles each row by what is known of it alone", () => {
    const world = worldAfter(
      under(once),
      submit("a1", river2, throwing("after_commit")),
      finish("a1"),
      submit("a2", forest1),
      reconcile,
    );
    expect(rows(world)).toEqual([row("done"), "t1 JOB-002 reserved a2"]);
  });

  /** The key is held without an effect, and one of these lies beside it. */
  it.each<readonly [string, Partial<{ tenant: string; tool: string; key: string }>]>([
    ["of another tenant", { tenant: "t2" }],
    ["of another tool", { tool: "others" }],
    ["under another key", { key: "JOB-002" }],
  ])("takes no effect %s for its own", (_, other) => {
    const before = worldAfter(
      under(once),
      submit("a1", river2, { kind: "busy", stage: "execute" }, throwing("before_settle")),
      finish("a1"),
    );
    const effect = {
      tenant: "t1",
      tool: "drafts",
      key: "JOB-001",
      digest: "d",
      revision: 1,
      runId: "r1",
      callId: "c",
    };
    const with_ = (effects: typeof before.effects) => rows(worldAfter({ ...before, effects }, reconcile));
    expect(with_([effect])).toEqual([row("done")]);
    expect(with_([{ ...effect, ...other }])).toEqual([]);
  });

  it("takes an effect for the key's own whoever made it, with whatever arguments", () => {
    const world = worldAfter(
      empty,
      submit("a2", river3),
      change([once]),
      submit("a1", river2, throwing("before_settle")),
      finish("a2"),
      finish("a1"),
    );
    expect(verdicts(world)).toEqual(["accepted/ok", "key_conflict/key_conflict"]);
    expect(rows(worldAfter(world, reconcile))).toEqual([row("done")]);
  });

  it("leaves what is done as it is, even without an effect to be seen", () => {
    const done = worldAfter(under(once), submit("a1", river2), finish("a1"));
    expect(rows(worldAfter({ ...done, effects: [] }, reconcile))).toEqual([row("done")]);
  });

  it("frees a stuck key for the next attempt", () => {
    const stuck = worldAfter(
      under(once),
      submit("a1", river2, { kind: "busy", stage: "execute" }, throwing("before_settle")),
      finish("a1"),
    );
    expect(entering(stuck)).toBe(duplicate);
    expect(entering(worldAfter(stuck, reconcile))).toBe(reserves);
  });

  it("makes a key that cannot be read a duplicate again where it has its effect", () => {
    const done = worldAfter(under(once), submit("a1", river2), finish("a1"), damage);
    expect(entering(done)).toBe(unread);
    expect(entering(worldAfter(done, reconcile))).toBe(duplicate);
  });

  it("is named as what an operator does", () => {
    expect(last(holding, reconcile)).toBe("idle reconcile");
  });
});

describe("damage to the ledger", () => {
  it("makes every row unreadable, whatever it said, and keeps whose it is", () => {
    const world = worldAfter(under(once), submit("a1", river2), finish("a1"), submit("a2", forest1), damage);
    expect(rows(world)).toEqual([row("unreadable"), "t1 JOB-002 unreadable a2"]);
    expect(world.damages).toBe(1);
  });

  it("touches nothing else", () => {
    const before = worldAfter(holding, limit(2));
    expect({ ...worldAfter(before, damage), reservations: [], damages: 0 }).toEqual({
      ...before,
      reservations: [],
    });
  });

  it("is an error for the next attempt on the key, in the receipt and for the caller", () => {
    const { world, events } = take(holding, damage, submit("a2", river2));
    expect(world.receipts).toMatchObject([
      { status: "error", code: "ledger_unreadable", events: ["arguments_valid", "input_allowed"] },
    ]);
    expect(events).toMatchObject([{ outcome: { status: "error", released: "nothing" } }]);
  });

  it("never lets a key pass as free", () => {
    const done = worldAfter(under(once), submit("a1", river2), finish("a1"), damage, submit("a2", river2));
    expect([effectKeys(done), rows(done)]).toEqual([["JOB-001"], [row("unreadable")]]);
  });

  it("leaves other keys alone that come later", () => {
    expect(entering(worldAfter(holding, damage), "a9", forest1)).toBe(reserves);
  });

  it("does nothing to a ledger without rows", () => {
    expect(last(empty, damage)).toBe("idle damage_ledger");
    expect(rows(worldAfter(empty, damage))).toEqual([]);
  });
});
