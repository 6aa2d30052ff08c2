import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftContract } from "../../src/contract/draft.js";
import { step } from "../../src/model/step.js";
import { actionKinds, type Profile } from "../../src/model/vocabulary.js";
import { initialWorld } from "../../src/model/world.js";
import { planActions } from "../../src/properties/planner.js";
import { ledgerProfile } from "../../src/sut/ledger/system.js";

const policy = { kind: "limit", maxCopies: 3 } as const;
const settings = { profile: ledgerProfile, contract: draftContract, policy };
const everything = 0xffff_ffff;
const draws = fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), {
  minLength: 1,
  maxLength: 40,
  size: "max",
});
const masks = fc.integer({ min: 0, max: 0xffff_ffff });

describe("the planner", () => {
  it("plans only actions that the machine takes, one a draw", () => {
    fc.assert(
      fc.property(masks, draws, (mask, drawn) => {
        const { actions } = planActions(settings, mask, drawn);
        let world = initialWorld(ledgerProfile, policy, draftContract.name);
        for (const action of actions) {
          const moved = step(world, action, draftContract.interpret);
          if (moved.kind === "refused") throw new Error(`${action.kind} is refused: ${moved.reason}`);
          world = moved.world;
        }
        expect(actions).toHaveLength(drawn.length);
      }),
      { numRuns: 300 },
    );
  });

  it("plans the same list from the same draws", () => {
    fc.assert(
      fc.property(masks, draws, (mask, drawn) => {
        expect(planActions(settings, mask, drawn)).toEqual(planActions(settings, mask, drawn));
      }),
      { numRuns: 50 },
    );
  });

  it("uses every kind of action when nothing is switched off", () => {
    const kinds = new Set(
      fc
        .sample(draws, { numRuns: 300, seed: 1 })
        .flatMap((drawn) => planActions(settings, everything, drawn).actions.map(({ kind }) => kind)),
    );
    // The others take approvals, capabilities, a clock, a driver or rules, which a ledger does not claim.
    const guarded = [
      "approve",
      "deny",
      "revoke",
      "settle",
      "advance_clock",
      "set_capability",
      "round_trip",
      "drive",
    ];
    const ruled = ["say", "change_rules", "reconcile", "damage_ledger", "gate"];
    const others = [...guarded, ...ruled];
    expect([...kinds].sort()).toEqual(actionKinds.filter((kind) => !others.includes(kind)).sort());
  });

  it("leaves out what the mask switches off: all bits 0 leave neither cancel, crash, arm nor a plan of faults", () => {
    const actions = fc
      .sample(draws, { numRuns: 100, seed: 1 })
      .flatMap((drawn) => planActions(settings, 0, drawn).actions);
    const kinds = new Set(actions.map(({ kind }) => kind));
    expect(
      ["cancel", "crash", "arm", "retry", "change_policy"].filter((kind) =>
        [...kinds].some((other) => other === kind),
      ),
    ).toEqual([]);
    expect(actions.flatMap((action) => ("faults" in action ? action.faults : []))).toEqual([]);
  });

  it("asks an executor for nothing that it does not claim", () => {
    const modest: Profile = {
      ...ledgerProfile,
      checkpoints: ["before_business"],
      crashPoints: [],
      faults: [],
      abilities: [],
    };
    const actions = fc
      .sample(draws, { numRuns: 200, seed: 1 })
      .flatMap((drawn) => planActions({ ...settings, profile: modest }, everything, drawn).actions);
    const unclaimed = ["cancel", "crash", "restart", "change_policy", "arm", "disarm", "expire"];
    expect(actions.map(({ kind }) => kind).filter((kind) => unclaimed.includes(kind))).toEqual([]);
    expect(actions.flatMap((action) => ("faults" in action ? action.faults : []))).toEqual([]);
    // An executor that claims no tenants sees one.
    expect(
      new Set(actions.flatMap((action) => (action.kind === "submit" ? [action.context.tenant] : []))),
    ).toEqual(new Set(["t1"]));
  });
});
