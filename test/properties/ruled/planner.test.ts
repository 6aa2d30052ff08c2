import { describe, expect, it } from "vitest";
import { draftContract } from "../../../src/contract/draft.js";
import { step } from "../../../src/model/step.js";
import type { Action, ActionKind } from "../../../src/model/vocabulary.js";
import { initialWorld } from "../../../src/model/world.js";
import { wordsOf } from "../../../src/properties/chooser.js";
import { reachableTransitions } from "../../../src/properties/coverage.js";
import { type Plan, planActions } from "../../../src/properties/planner.js";
import { ruledProfile } from "../../../src/sut/ruled/system.js";

const policy = { kind: "limit", maxCopies: 3 } as const;
const settings = { profile: ruledProfile, contract: draftContract, policy };
const length = 40;

type Planned = Plan & { readonly mask: number; readonly drawn: readonly number[] };

/** `count` plans, each with a mask of its own. */
function plans(count: number, seed: number): readonly Planned[] {
  const next = wordsOf(seed);
  return Array.from({ length: count }, () => {
    const mask = next();
    const drawn = Array.from({ length }, next);
    return { mask, drawn, ...planActions(settings, mask, drawn) };
  });
}

const many = plans(150, 1);
const all = many.flatMap(({ actions }) => actions);
const ofKind = <Kind extends ActionKind>(kind: Kind) =>
  all.filter((action): action is Extract<Action, { kind: Kind }> => action.kind === kind);
const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)].sort();

describe("the planner of a ruled profile", () => {
  it("plans only actions that the machine takes, save an advance of what it holds to be over", () => {
    for (const { actions } of many) {
      let world = initialWorld(ruledProfile, policy, draftContract.name);
      for (const action of actions) {
        const moved = step(world, action, draftContract.interpret);
        if (moved.kind === "refused") expect(`${action.kind}: ${moved.reason}`).toMatch(/^advance: /);
        else world = moved.world;
      }
    }
  });

  it("plans nearly one action a draw: of 6000 draws at most 5 % are lost", () => {
    expect(all.length).toBeLessThanOrEqual(150 * length);
    expect(all.length).toBeGreaterThanOrEqual(0.95 * 150 * length);
  });

  it("takes no transition that is not counted among those within reach", () => {
    const reachable = new Set(reachableTransitions(ruledProfile, draftContract, policy));
    const taken = distinct(plans(400, 2).flatMap(({ transitions }) => transitions));
    expect(taken.filter((transition) => !reachable.has(transition))).toEqual([]);
  });

  it("plans the same list from the same draws", () => {
    for (const { mask, drawn, actions } of many.slice(0, 20)) {
      expect(planActions(settings, mask, drawn).actions).toEqual(actions);
    }
  });

  // What a ruled profile claims; the other kinds of action take approvals, capabilities, a clock or a driver.
  const kinds: readonly ActionKind[] = [
    "submit",
    "retry",
    "retry_changed",
    "resubmit_new_key",
    "advance",
    "finish",
    "cancel",
    "expire",
    "change_policy",
    "arm",
    "disarm",
    "say",
    "change_rules",
    "reconcile",
    "damage_ledger",
    "gate",
    "crash",
    "restart",
    "observe",
  ];

  it("uses every kind of action that the profile claims", () => {
    expect(distinct(all.map(({ kind }) => kind))).toEqual(kinds.toSorted());
  });

  it("sets rules of every claim, with and without conditions, alone and together, sound and flawed", () => {
    const changes = ofKind("change_rules");
    const rules = changes.flatMap(({ to }) => to);
    expect(distinct(rules.map(({ claim }) => claim.kind))).toEqual(
      ["allow_others", "budget", "forbid", "idempotent"].toSorted(),
    );
    expect(distinct(changes.map(({ to }) => to.length))).toEqual([0, 1, 2]);
    expect(distinct(changes.map(({ flaw }) => flaw))).toEqual(["broken_file", "none", "unknown_key"]);
    for (const has of [true, false]) {
      expect(rules.some(({ saidAny, fromTurn }) => saidAny.length > 0 === has && fromTurn > 0 === has)).toBe(
        true,
      );
    }
    // A report names a rule by its name.
    for (const { to } of changes) expect(new Set(to.map(({ name }) => name)).size).toBe(to.length);
  });

  it("plans runs in which the rules refuse for every reason that they have", () => {
    const taken = many.flatMap(({ transitions }) => transitions);
    const codes = [
      "ledger_unreadable",
      "duplicate_transaction",
      "forbidden_tool",
      "tool_not_allowed",
      "too_many_calls",
    ];
    for (const code of codes) {
      expect(
        taken.some((transition) => transition.includes(code)),
        code,
      ).toBe(true);
    }
    expect(new Set(ofKind("say").map(({ text }) => text)).size).toBeGreaterThan(1);
  });

  it("asks the gate about whole traces and about flawed ones", () => {
    expect(distinct(ofKind("gate").map(({ flaw }) => flaw))).toEqual([
      "no_arguments",
      "none",
      "unnamed_call",
    ]);
  });

  it("kills the executor at every point, behind a reservation too", () => {
    const points = ofKind("crash").flatMap(({ where }) => ("at" in where ? [where.at] : []));
    expect(distinct(points)).toEqual(ruledProfile.crashPoints.toSorted());
    const wheres = ofKind("crash").map(({ where }) => where);
    expect(distinct(wheres.map(({ kind }) => kind))).toEqual(["at", "entering", "parked"]);
    // A key is reserved before an attempt first halts: only a new one can be killed right behind that.
    const behind = wheres.filter((where) => "at" in where && where.at === "after_reserve");
    expect(distinct(behind.map(({ kind }) => kind))).toEqual(["entering"]);
    expect(behind.length).toBeGreaterThan(wheres.filter(({ kind }) => kind === "entering").length / 2);
  });
});
