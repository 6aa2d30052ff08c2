import { describe, expect, it } from "vitest";
import { step } from "../../../src/model/step.js";
import type { Action } from "../../../src/model/vocabulary.js";
import { initialWorld } from "../../../src/model/world.js";
import { interpret, ledger, refusal, take, three, worldAfter } from "../fixture.js";
import {
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
