import { describe, expect, it } from "vitest";
import type { Action, CrashPoint, Fault } from "../../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../../src/model/world.js";
import {
  advance,
  cancel,
  expire,
  finish,
  forest1,
  limit,
  removePolicy,
  river2,
  river3,
  submit,
  take,
  three,
  worldAfter,
} from "../fixture.js";
import {
  begun,
  change,
  committed,
  complete,
  crashAt,
  crashEntering,
  damage,
  effectKeys,
  empty,
  forbidden,
  holding,
  last,
  once,
  reserved,
  row,
  rows,
  ruledIn,
  throwing,
  under,
  verdicts,
  without,
} from "./fixture.js";

describe("a reservation", () => {
  it("is made before the attempt parks at its business", () => {
    const { world, transitions } = take(under(once), submit("a1", river2));
    expect(rows(world)).toEqual([row("reserved")]);
    expect(transitions).toEqual(["new submit parked before_business via key_reserved"]);
    expect(world.attempts[0]).toMatchObject({ events: reserved });
  });

  it.each<readonly [string, World]>([
    ["no rule", empty],
    ["another rule", under({ ...forbidden, fromTurn: 1 })],
    ["a rule that is not active yet", under({ ...once, fromTurn: 1 })],
  ])("is not made under %s, and nothing is said of it", (_, world) => {
    const after = worldAfter(world, submit("a1", river2));
    expect([rows(after), after.attempts[0]?.events]).toEqual([[], ruledIn]);
  });

  it("is not made for a call that the rules refuse", () => {
    expect(rows(worldAfter(under(once, forbidden), submit("a1", river2)))).toEqual([]);
  });

  it("is made for each key on its own, in order", () => {
    const world = worldAfter(under(once), submit("a1", river2), submit("a2", forest1), submit("a3", river2));
    expect(rows(world)).toEqual([row("reserved"), "t1 JOB-002 reserved a2"]);
  });

  it("is let go where the attempt throws right after it", () => {
    const { world } = take(under(once), submit("a1", river2, throwing("after_reserve")));
    expect([verdicts(world), rows(world)]).toEqual([["error/after_reserve"], []]);
    expect(world.receipts[0]).toMatchObject({ events: reserved, effectExists: false });
  });

  it("is not what an attempt without one can be made to throw after", () => {
    expect(last(empty, submit("a1", river2, throwing("after_reserve")))).toBe(
      "new submit parked before_business",
    );
  });

  it("lets an attempt pass where the profile knows no such point", () => {
    const world = worldAfter(
      initialWorld(without("crashPoints", "after_reserve"), three, "drafts"),
      change([once]),
      submit("a1", river2, throwing("after_reserve")),
    );
    expect(rows(world)).toEqual([row("reserved")]);
  });

  it("outlives the rule that asked for it, and the attempt settles it all the same", () => {
    const changed = worldAfter(holding, change([]));
    expect(rows(changed)).toEqual([row("reserved")]);
    expect(rows(worldAfter(changed, finish("a1")))).toEqual([row("done")]);
  });

  it("is not asked of an attempt that was under way when the rule came", () => {
    const world = worldAfter(empty, submit("a1", river2), change([once]), finish("a1"));
    expect([verdicts(world), rows(world)]).toEqual([["accepted/ok"], []]);
  });

  it("lets exactly one of several attempts on a key execute", () => {
    const names = ["a1", "a2", "a3", "a4"] as const;
    const started = worldAfter(under(once), ...names.map((name) => submit(name, river2)));
    const world = worldAfter(started, finish("a1"));
    expect(verdicts(world)).toEqual([
      "blocked/duplicate_transaction",
      "blocked/duplicate_transaction",
      "blocked/duplicate_transaction",
      "accepted/ok",
    ]);
    expect([effectKeys(world), rows(world)]).toEqual([["JOB-001"], [row("done")]]);
  });
});

describe("leaving for the business", () => {
  it.each<readonly [string, readonly Action[], string]>([
    ["a cancel", [cancel("a1"), advance("a1")], "before_business cancelled ended cancelled"],
    [
      "a cancel of what cannot be read",
      [damage, cancel("a1"), advance("a1")],
      "before_business cancelled ended cancelled",
    ],
  ])("lets the key go at %s", (_, actions, there) => {
    const { world, transitions } = take(holding, ...actions);
    expect(transitions.at(-1)).toBe(there);
    expect([rows(world), world.effects, verdicts(world)]).toEqual([[], [], ["cancelled/cancelled"]]);
    expect(world.receipts[0]).toMatchObject({ events: reserved });
  });

  it("lets the key go where the attempt throws there", () => {
    const world = worldAfter(under(once), submit("a1", river2, throwing("before_business")), advance("a1"));
    expect([rows(world), verdicts(world)]).toEqual([[], ["error/before_business"]]);
    expect(world.receipts[0]).toMatchObject({ events: reserved });
  });

  it("passes no point at which a cancelled attempt could throw or be killed with its key", () => {
    const world = worldAfter(under(once), submit("a1", river2, throwing("before_settle")), cancel("a1"));
    expect(last(world, advance("a1"))).toBe("before_business cancelled ended cancelled");
    const killed = take(world, crashAt("a1", "before_settle"));
    expect([killed.world.executor, killed.transitions]).toEqual([
      "up",
      ["before_business cancelled ended cancelled"],
    ]);
  });

  it("lets the key go before the receipt is written, which may then fail", () => {
    const world = worldAfter(
      under(once),
      submit("a1", river2, { kind: "receipt_aborted" }),
      cancel("a1"),
      advance("a1"),
    );
    expect([rows(world), verdicts(world)]).toEqual([[], []]);
  });

  it("leaves the keys of others alone", () => {
    const world = worldAfter(holding, submit("a2", forest1), cancel("a1"), advance("a1"));
    expect(rows(world)).toEqual(["t1 JOB-002 reserved a2"]);
  });

  it("has a cancelled key free for the next attempt", () => {
    const world = worldAfter(holding, cancel("a1"), advance("a1"), submit("a2", river2), finish("a2"));
    expect([effectKeys(world), rows(world)]).toEqual([["JOB-001"], [row("done", "a2")]]);
  });
});

/** a1 holds its key while a2, which never reserved one, has executed under it. */
function overtakenBy(request: string): World {
  return worldAfter(empty, submit("a2", request), change([once]), submit("a1", river2), finish("a2"));
}

const fails = (kind: "busy" | "commit_refused" | "disk_full" | "read_only"): Fault => ({
  kind,
  stage: "execute",
});

/** What execute came to, with a1 about to leave for its business, and what becomes of its key. */
const comesTo: readonly {
  readonly why: string;
  readonly faults: readonly Fault[];
  readonly start?: (faults: readonly Fault[]) => World;
  readonly row: readonly string[];
  readonly ends: string;
  /** Where a throw at the settling leaves it. */
  readonly unsettled: string;
}[] = [
  {
    why: "a commit",
    faults: [],
    row: [row("done")],
    ends: "parked after_business via effect_committed",
    unsettled: "ended error/before_settle via effect_committed",
  },
  {
    why: "a reuse",
    faults: [],
    start: (faults) => again(overtakenBy(river2), faults),
    row: [row("done")],
    ends: "parked after_business via effect_reused",
    unsettled: "ended error/before_settle via effect_reused",
  },
  {
    why: "a key conflict",
    faults: [],
    start: (faults) => again(overtakenBy(river3), faults),
    row: [],
    ends: "ended key_conflict/key_conflict",
    unsettled: "ended key_conflict/key_conflict",
  },
  {
    why: "a policy that moved on",
    faults: [],
    start: (faults) => worldAfter(under(once), submit("a1", river2, ...faults), limit(3)),
    row: [],
    ends: "ended policy_changed/policy_changed",
    unsettled: "ended policy_changed/policy_changed",
  },
  {
    why: "a policy that is gone",
    faults: [],
    start: (faults) => worldAfter(under(once), submit("a1", river2, ...faults), removePolicy),
    row: [],
    ends: "ended policy_changed/policy_changed",
    unsettled: "ended policy_changed/policy_changed",
  },
  ...(["busy", "read_only", "disk_full", "commit_refused"] as const).map((kind) => ({
    why: kind,
    faults: [fails(kind)],
    row: [],
    ends: `ended error/${kind}`,
    unsettled: `ended error/${kind}`,
  })),
  {
    why: "an ignored effect",
    faults: [{ kind: "effect_ignored" }],
    row: [],
    ends: "ended error/effect_not_written",
    unsettled: "ended error/effect_not_written",
  },
  {
    why: "a throw inside",
    faults: [throwing("inside_transaction")],
    row: [],
    ends: "ended error/inside_transaction",
    unsettled: "ended error/inside_transaction",
  },
  {
    why: "a throw after the commit",
    faults: [throwing("after_commit")],
    row: [row("unknown")],
    ends: "ended error/after_commit via effect_committed",
    unsettled: "ended error/after_commit via effect_committed",
  },
];

/** The attempt that was submitted first, had it come with these faults. */
function again(world: World, faults: readonly Fault[]): World {
  const attempts = world.attempts.map((attempt) =>
    attempt.name === "a1" ? { ...attempt, faults } : attempt,
  );
  return { ...world, attempts };
}

function ready({ start }: (typeof comesTo)[number], faults: readonly Fault[]): World {
  return start === undefined ? worldAfter(under(once), submit("a1", river2, ...faults)) : start(faults);
}

describe("settling", () => {
  it.each(comesTo)("leaves $row of the key after $why", (outcome) => {
    const { world, transitions } = take(ready(outcome, outcome.faults), advance("a1"));
    expect(rows(world)).toEqual(outcome.row);
    expect(transitions).toEqual([`before_business advance ${outcome.ends}`]);
  });

  it.each(comesTo)("finds a key again that cannot be read, after $why", (outcome) => {
    const world = worldAfter(ready(outcome, outcome.faults), damage, advance("a1"));
    expect(rows(world)).toEqual(outcome.row);
  });

  it.each(comesTo)("leaves the key reserved where it throws, after $why", (outcome) => {
    const faults = [...outcome.faults, throwing("before_settle")];
    const { world, transitions } = take(ready(outcome, faults), advance("a1"));
    expect(rows(world)).toEqual([row("reserved")]);
    expect(transitions).toEqual([`before_business advance ${outcome.unsettled}`]);
  });

  it.each(comesTo)("leaves a key unreadable where it throws, after $why", (outcome) => {
    const faults = [...outcome.faults, throwing("before_settle")];
    expect(rows(worldAfter(ready(outcome, faults), damage, advance("a1")))).toEqual([row("unreadable")]);
  });

  it.each(comesTo)("leaves the key reserved where it is killed, after $why", (outcome) => {
    const world = worldAfter(ready(outcome, outcome.faults), crashAt("a1", "before_settle"));
    expect([world.executor, rows(world)]).toEqual(["down", [row("reserved")]]);
    expect(world.attempts.find(({ name }) => name === "a1")).toMatchObject({ place: { kind: "lost" } });
  });

  it("says no word of its own", () => {
    const thrown = worldAfter(under(once), submit("a1", river2, throwing("before_settle")), advance("a1"));
    expect(thrown.receipts[0]).toMatchObject({
      status: "error",
      code: "before_settle",
      effectExists: true,
      events: committed,
    });
    const failed = worldAfter(under(once), submit("a1", river2, fails("busy")), advance("a1"));
    expect(failed.receipts[0]?.events).toEqual(begun);
    expect(worldAfter(holding, finish("a1")).receipts[0]?.events).toEqual(complete);
  });

  it("is passed in silence by an attempt that holds no key", () => {
    const start = worldAfter(empty, submit("a1", river2, throwing("before_settle")));
    expect(last(start, advance("a1"))).toBe(
      "before_business advance parked after_business via effect_committed",
    );
    expect(last(start, crashAt("a1", "before_settle"))).toBe(
      "before_business advance parked after_business via effect_committed",
    );
  });

  it("is not done for the keys of others", () => {
    const world = worldAfter(holding, submit("a2", forest1), advance("a1"));
    expect(rows(world)).toEqual([row("done"), "t1 JOB-002 reserved a2"]);
  });

  it("keeps a key done whatever the attempt comes to later", () => {
    const later: readonly (readonly [readonly Fault[], readonly Action[]])[] = [
      [[], [advance("a1"), cancel("a1"), advance("a1")]],
      [[], [advance("a1"), advance("a1"), cancel("a1"), advance("a1")]],
      [[throwing("after_business")], [finish("a1")]],
      [[throwing("output_check")], [finish("a1")]],
      [[{ kind: "bad_output" }], [finish("a1")]],
      [[{ kind: "checker_hangs", stage: "output" }], [finish("a1"), expire("a1")]],
      [[{ kind: "receipt_ignored" }], [finish("a1")]],
      [[throwing("before_receipt")], [finish("a1")]],
      [[throwing("after_receipt")], [finish("a1")]],
    ];
    for (const [faults, actions] of later) {
      const world = worldAfter(under(once), submit("a1", river2, ...faults), ...actions);
      expect([world.attempts[0]?.place.kind, rows(world)]).toEqual(["ended", [row("done")]]);
    }
  });

  it("comes after the throw at the commit, and its own throw changes no verdict", () => {
    const both = [throwing("after_commit"), throwing("before_settle")];
    const world = worldAfter(under(once), submit("a1", river2, ...both), advance("a1"));
    expect([verdicts(world), rows(world)]).toEqual([["error/after_commit"], [row("reserved")]]);
  });

  it.each<CrashPoint>(["before_settle"])("is not heard of where the profile knows no %s", (point) => {
    const world = worldAfter(
      initialWorld(without("crashPoints", point), three, "drafts"),
      change([once]),
      submit("a1", river2, throwing(point)),
      finish("a1"),
    );
    expect([verdicts(world), rows(world)]).toEqual([["accepted/ok"], [row("done")]]);
  });

  it("needs a business that has begun", () => {
    const idle = initialWorld(without("layers", "execute"), three, "drafts");
    const world = worldAfter(idle, change([once]), submit("a1", river2), finish("a1"));
    expect(rows(world)).toEqual([row("reserved")]);
  });
});

describe("an attempt that stops nowhere", () => {
  const straight = worldAfter(
    initialWorld(
      without("checkpoints", "before_business", "after_business", "output_check"),
      three,
      "drafts",
    ),
    change([once]),
  );

  it("reserves, executes and settles in one move", () => {
    const { world, transitions } = take(straight, submit("a1", river2));
    expect(transitions).toEqual(["new submit ended accepted/ok via effect_committed"]);
    expect([rows(world), world.receipts[0]?.events]).toEqual([[row("done")], complete]);
  });

  it.each<readonly [CrashPoint, readonly string[]]>([
    ["after_reserve", []],
    ["inside_transaction", []],
    ["after_commit", ["JOB-001"]],
    ["before_settle", ["JOB-001"]],
  ])("holds its key where it is killed at %s", (point, effects) => {
    const world = worldAfter(straight, crashEntering("a1", river2, point));
    expect([rows(world), effectKeys(world)]).toEqual([[row("reserved")], effects]);
  });
});
