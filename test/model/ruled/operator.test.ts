import { describe, expect, it } from "vitest";
import { enabled, type Workload } from "../../../src/model/enabled.js";
import { step } from "../../../src/model/step.js";
import type { Action, Profile } from "../../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../../src/model/world.js";
import {
  advance,
  call,
  finish,
  forest1,
  interpret,
  ledger,
  refusal,
  river2,
  submit,
  take,
  three,
  worldAfter,
} from "../fixture.js";
import {
  atMost,
  change,
  crash,
  damage,
  empty,
  forbidden,
  gate,
  holding,
  once,
  others,
  reconcile,
  say,
  without,
} from "./fixture.js";

describe("what is said and ruled", () => {
  it.each<readonly [Action, string]>([
    [say("hello"), "idle say"],
    [change([once]), "idle change_rules taken"],
    [change([once], "unknown_key"), "idle change_rules refused"],
    [change([once], "broken_file"), "idle change_rules refused"],
    [change([], "unknown_key"), "idle change_rules refused"],
    [change([]), "idle change_rules taken"],
    [reconcile, "idle reconcile"],
    [damage, "idle damage_ledger"],
    [gate, "idle gate"],
    [{ kind: "gate", flaw: "unnamed_call" }, "idle gate"],
  ])("%j is named %s and heard by no attempt", (action, name) => {
    const { transitions, events } = take(holding, action);
    expect([transitions, events]).toEqual([[name], []]);
  });

  it("keeps every text of the user, in order, also the same again", () => {
    expect(worldAfter(empty, say("a"), say("b"), say("a")).turns).toEqual(["a", "b", "a"]);
  });

  it("counts the changes of the rules that were taken", () => {
    const world = worldAfter(empty, change([once]), change([others], "unknown_key"), change([forbidden]));
    expect([world.ruleChanges, world.rules]).toEqual([2, [forbidden]]);
  });

  it("changes nothing at a gate", () => {
    expect(worldAfter(holding, gate)).toEqual(holding);
  });

  it("moves no attempt", () => {
    for (const action of [say("x"), change([]), reconcile, gate, damage])
      expect(worldAfter(holding, action).attempts).toEqual(holding.attempts);
  });
});

describe("an ability that is not claimed", () => {
  it.each<readonly [Action, "rules" | "reconcile" | "reservations"]>([
    [say("x"), "rules"],
    [change([]), "rules"],
    [gate, "rules"],
    [reconcile, "reconcile"],
    [damage, "reservations"],
  ])("refuses %j without %s", (action, ability) => {
    const world = initialWorld(without("abilities", ability), three, "drafts");
    expect(step(world, action, interpret)).toEqual({
      kind: "refused",
      reason: `the profile does not claim ${ability}`,
    });
    expect(step(initialWorld(ledger, three, "drafts"), action, interpret)).toMatchObject({ kind: "refused" });
    const rest = (["rules", "reconcile", "reservations"] as const).filter((other) => other !== ability);
    expect(step(initialWorld(without("abilities", ...rest), three, "drafts"), action, interpret).kind).toBe(
      "moved",
    );
  });

  it.each([say("x"), change([]), reconcile, damage, gate])(
    "is of no use while the executor is down: %j",
    (action) => {
      expect(refusal(empty, crash, action)).toEqual({ kind: "refused", reason: "the executor is down" });
    },
  );
});

const workload: Workload = {
  requests: [river2],
  contexts: [call("c1")],
  faultPlans: [[]],
  driverFaults: [],
  limits: [],
  maxAttempts: 1,
  maxPolicyChanges: 0,
  maxCrashes: 0,
  rules: [[once], [forbidden, atMost(1)]],
  maxRuleChanges: 2,
  texts: ["a", "b"],
  maxTurns: 2,
  maxDamages: 1,
};

const new_ = new Set<Action["kind"]>(["say", "change_rules", "reconcile", "damage_ledger", "gate"]);

function offered(world: World, given: Workload = workload): readonly Action[] {
  return enabled(world, given).filter(({ kind }) => new_.has(kind));
}

const says = [say("a"), say("b")];
const sets = [change([once]), change([forbidden, atMost(1)])];

describe("what is enabled of it", () => {
  it.each<readonly [string, World, readonly Action[]]>([
    ["at the start", empty, [...says, ...sets]],
    ["after a turn", worldAfter(empty, say("a")), [...says, ...sets]],
    ["after as many turns as there may be", worldAfter(empty, say("a"), say("a")), sets],
    [
      "under a rule set of the list",
      worldAfter(empty, change([once])),
      [...says, change([forbidden, atMost(1)])],
    ],
    ["after as many changes as there may be", worldAfter(empty, change([once]), change([])), says],
    [
      "after refused changes",
      worldAfter(empty, change([], "unknown_key"), change([], "unknown_key")),
      [...says, ...sets],
    ],
    ["with a key held", holding, [...says, change([forbidden, atMost(1)]), reconcile, damage]],
    [
      "with a key done",
      worldAfter(holding, finish("a1")),
      [...says, change([forbidden, atMost(1)]), reconcile, damage],
    ],
    [
      "with a key that cannot be read",
      worldAfter(holding, damage),
      [...says, change([forbidden, atMost(1)]), reconcile],
    ],
    [
      "with one key that cannot be read, and as much damage as there may be",
      worldAfter(holding, damage, submit("a2", forest1)),
      [...says, change([forbidden, atMost(1)]), reconcile],
    ],
    ["with the executor down", worldAfter(holding, crash), []],
  ])("%s", (_, world, actions) => {
    expect(offered(world)).toEqual(actions);
  });

  it("damages what can be read beside what cannot, as often as it may", () => {
    const world = worldAfter(holding, damage, submit("a2", forest1));
    expect(offered(world, { ...workload, maxDamages: 2 })).toContainEqual(damage);
    expect(offered(worldAfter(world, damage), { ...workload, maxDamages: 3 })).not.toContainEqual(damage);
  });

  it("is nothing but reconciling where the workload names nothing", () => {
    const { rules: _r, maxRuleChanges: _c, texts: _t, maxTurns: _n, maxDamages: _d, ...bare } = workload;
    expect(offered(empty, bare)).toEqual([]);
    expect(offered(holding, bare)).toEqual([reconcile]);
  });

  it.each<keyof Workload>(["rules", "maxRuleChanges", "texts", "maxTurns"])("needs %s", (name) => {
    const lessened = { ...workload, [name]: undefined };
    const kinds = new Set(offered(empty, lessened).map(({ kind }) => kind));
    expect(kinds).toEqual(new Set([name === "texts" || name === "maxTurns" ? "change_rules" : "say"]));
  });

  it.each<readonly [string, Profile, readonly Action[]]>([
    ["rules", without("abilities", "rules"), [reconcile, damage]],
    ["reconcile", without("abilities", "reconcile"), [...says, change([forbidden, atMost(1)]), damage]],
    [
      "reservations",
      without("abilities", "reservations"),
      [...says, change([forbidden, atMost(1)]), reconcile],
    ],
  ])("is not what a profile without %s does not claim", (_, profile, actions) => {
    expect(offered({ ...holding, profile })).toEqual(actions);
  });

  it("can be taken, each of it", () => {
    const world = worldAfter(holding, advance("a1"));
    for (const action of enabled(world, workload)) expect(step(world, action, interpret).kind).toBe("moved");
    expect(offered(world).length).toBeGreaterThan(3);
  });
});
