import { describe, expect, it } from "vitest";
import { guardedContract } from "../../../src/contract/guarded/toolbox.js";
import { interpretFor } from "../../../src/contract/tool.js";
import { step } from "../../../src/model/step.js";
import type { Action, Profile } from "../../../src/model/vocabulary.js";
import { initialWorld } from "../../../src/model/world.js";
import { wordsOf } from "../../../src/properties/chooser.js";
import { planActions } from "../../../src/properties/planner.js";
import { guardedProfile } from "../../../src/sut/guarded/system.js";

const policy = { kind: "limit", maxCopies: 3 } as const;
const settings = { profile: guardedProfile, contract: guardedContract, policy };
const length = 40;

type Planned = {
  readonly mask: number;
  readonly drawn: readonly number[];
  readonly actions: readonly Action[];
};

/** `count` plans, each with a mask of its own unless one is given. */
function plans(
  count: number,
  seed: number,
  mask?: number,
  profile: Profile = guardedProfile,
): readonly Planned[] {
  const next = wordsOf(seed);
  return Array.from({ length: count }, () => {
    const own = mask ?? next();
    const drawn = Array.from({ length }, next);
    return { mask: own, drawn, actions: planActions({ ...settings, profile }, own, drawn).actions };
  });
}

const many = plans(150, 1);
const all = many.flatMap(({ actions }) => actions);

/** The faults that an action plans. */
function faultsIn(actions: readonly Action[]) {
  return actions.flatMap((action) => ("faults" in action ? action.faults : []));
}

describe("the guarded planner", () => {
  it("plans only actions that the machine takes, save an advance of what it holds to be over", () => {
    const interpret = interpretFor(guardedContract);
    for (const { actions } of many) {
      let world = initialWorld(
        guardedProfile,
        policy,
        guardedContract.name,
        guardedContract.toolbox?.capabilities,
      );
      for (const action of actions) {
        const moved = step(world, action, interpret);
        if (moved.kind === "refused") expect(`${action.kind}: ${moved.reason}`).toMatch(/^advance: /);
        else world = moved.world;
      }
    }
  });

  it("plans nearly one action a draw: of 6000 draws at most 5 % are lost", () => {
    expect(all.length).toBeLessThanOrEqual(150 * length);
    expect(all.length).toBeGreaterThanOrEqual(0.95 * 150 * length);
  });

  it("plans the same list from the same draws", () => {
    for (const { mask, drawn, actions } of many.slice(0, 20)) {
      expect(planActions(settings, mask, drawn).actions).toEqual(actions);
    }
  });

  // What a guarded profile claims; other kinds of action belong to other profiles.
  const kinds: readonly Action["kind"][] = [
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
    "approve",
    "deny",
    "revoke",
    "settle",
    "advance_clock",
    "set_capability",
    "round_trip",
    "drive",
    "crash",
    "restart",
    "observe",
  ];

  it("uses every kind of action that the profile claims", () => {
    expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual(kinds.toSorted());
  });

  it("goes to every tool, both tenants, both runs and later steps", () => {
    const contexts = all.flatMap((action) => (action.kind === "submit" ? [action.context] : []));
    const of = <Value>(values: readonly Value[]) => new Set(values);
    expect(of(contexts.map(({ dispatch }) => dispatch?.tool))).toEqual(
      of(guardedContract.toolbox?.tools.map(({ name }) => name) ?? []),
    );
    expect(of(contexts.map(({ tenant }) => tenant))).toEqual(of(["t1", "t2"]));
    expect(of(contexts.map(({ runId }) => runId))).toEqual(of(["r1", "r2"]));
    expect(of(contexts.map(({ dispatch }) => dispatch?.step))).toEqual(of([0, 1]));
    expect(contexts.some(({ dispatch }) => dispatch?.replaces !== "none")).toBe(true);
    expect(of(contexts.map(({ dispatch }) => dispatch?.sideEffects))).toEqual(
      of(["permitted", "not_permitted"]),
    );
  });

  it("makes decisions with every flaw, at once and held", () => {
    const decisions = all.flatMap((action) =>
      action.kind === "approve" || action.kind === "deny" || action.kind === "revoke" ? [action] : [],
    );
    const flaws = new Set(decisions.map(({ flaw }) => flaw));
    expect([...flaws].sort()).toEqual(
      ["none", "request", "tenant", "role", "requester", "tool", "call", "digest"].sort(),
    );
    expect(new Set(decisions.map(({ pace }) => pace))).toEqual(new Set(["at_once", "held"]));
  });

  it("crashes at rest, at a point, on the way in and in the midst of a decision", () => {
    const where = all.flatMap((action) => (action.kind === "crash" ? [action.where.kind] : []));
    expect(new Set(where)).toEqual(new Set(["parked", "at", "entering", "deciding"]));
  });

  it("plans faults that the profile claims, a bad form alone more than once", () => {
    const faults = faultsIn(all);
    expect(faults.filter(({ kind }) => !guardedProfile.faults.includes(kind))).toEqual([]);
    const repeated = faults.filter((fault) => fault.kind === "spoilt_output" && fault.tries > 1);
    expect(new Set(repeated.map((fault) => fault.kind === "spoilt_output" && fault.as))).toEqual(
      new Set(["format"]),
    );
  });

  // Each switch is off in one run of four. No plot drives or makes a round trip.
  it.each(["drive", "round_trip"] as const)(
    "switches %s off for some runs, and for the whole run",
    (kind) => {
      const masks = Array.from({ length: 24 }, (_, mask) => mask);
      const without = masks.filter((mask) =>
        plans(10, mask + 1, mask).every(({ actions }) => actions.every((action) => action.kind !== kind)),
      );
      expect(without.length).toBeGreaterThan(0);
      expect(without.length).toBeLessThan(masks.length / 2);
    },
  );

  it("plans no fault that an executor does not claim", () => {
    const profile: Profile = { ...guardedProfile, faults: [] };
    const actions = plans(30, 3, undefined, profile).flatMap((plan) => plan.actions);
    expect(faultsIn(actions)).toEqual([]);
    expect(actions.filter(({ kind }) => kind === "arm" || kind === "disarm")).toEqual([]);
  });
});
