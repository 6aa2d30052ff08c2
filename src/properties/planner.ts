import { interpretFor, type ToolContract } from "../contract/tool.js";
import { step } from "../model/step.js";
import type { Action, ActionKind, Fault, PolicySetting, Profile } from "../model/vocabulary.js";
import { initialWorld, type World } from "../model/world.js";
import { isCheckerFault, stageOf } from "../sut/fault-kinds.js";
import { type Chooser, chooserOf, pickWeighted } from "./chooser.js";
import { driverFaultsOf, faultsOf } from "./fault-plan.js";
import { guardedPlanner } from "./guarded-planner.js";
import { type Feature, features, type Means, planAction, type Situation } from "./planned-action.js";

export type PlannerSettings = {
  readonly profile: Profile;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
};

/** An applicable action list and the transitions of the machine that it walks. */
export type Plan = { readonly actions: readonly Action[]; readonly transitions: readonly string[] };

const mostAttempts = 8;

/**
 * Turns fast-check draws into actions that apply, one a draw, by walking the machine. Pure: the same mask and draws
 * give the same list. Kinds are weighted; each bit pair of `mask` that is 0 switches one feature off for the run.
 */
export function planActions(settings: PlannerSettings, mask: number, draws: readonly number[]): Plan {
  const planner = createPlanner(settings, mask);
  const actions: Action[] = [];
  const transitions: string[] = [];
  const { profile, policy, contract } = settings;
  const interpret = interpretFor(contract);
  let world = initialWorld(profile, policy, contract.name, contract.toolbox?.capabilities);
  for (const draw of draws) {
    const action = planner(world, chooserOf(draw));
    if (action === undefined) continue;
    const moved = step(world, action, interpret);
    if (moved.kind === "refused") {
      // The machine has nothing to move there; an executor that has is wrong, and shows it.
      if (action.kind === "advance") actions.push(action);
      continue;
    }
    actions.push(action);
    transitions.push(...moved.transitions);
    world = moved.world;
  }
  return { actions, transitions };
}

function createPlanner(
  { profile, contract }: PlannerSettings,
  mask: number,
): (world: World, pick: Chooser) => Action | undefined {
  if (profile.layers.includes("approval")) return guardedPlanner(profile, contract, mask);
  const on = new Set<Feature>(features.filter((_, index) => ((mask >>> (2 * index)) & 3) !== 0));
  const can = (feature: Feature): boolean => on.has(feature);
  const faults = faultsOf(profile).filter((fault) => can(featureOf(fault)));
  const means: Means = {
    profile,
    contract,
    claims: new Set(profile.abilities),
    can,
    faults,
    lateFaults: faults.filter(hitsLate),
    driverFaults: driverFaultsOf(profile),
  };
  return (world, pick) => {
    const situation = situationOf(world, means);
    const kind = pickWeighted(pick, world.executor === "down" ? whenDown : weightsIn(situation, means));
    return kind === undefined ? undefined : planAction(kind, situation, means, pick);
  };
}

function situationOf(world: World, { driverFaults }: Means): Situation {
  const parked = world.attempts.filter(({ place }) => place.kind === "parked");
  const blocked = world.attempts.filter(({ place }) => place.kind === "blocked");
  const isArmed = (stage: string): boolean => world.armed.some((other) => stageOf(other) === stage);
  return {
    world,
    parked,
    blocked,
    cancellable: [...parked, ...blocked].filter(({ cancel }) => cancel === "none"),
    unarmed: driverFaults.filter((fault) => !isArmed(stageOf(fault))),
  };
}

type Weighed = { readonly weight: number; readonly item: ActionKind };

const whenDown: readonly Weighed[] = [
  { weight: 9, item: "restart" },
  { weight: 1, item: "observe" },
];

function weightsIn(
  { world, parked, blocked, cancellable, unarmed }: Situation,
  { claims, can }: Means,
): readonly Weighed[] {
  const { attempts, armed, policy } = world;
  const mayStart = attempts.length < mostAttempts && (can("interleave") || parked.length === 0);
  const mayRepeat = attempts.length > 0 && mayStart;
  // Under a tight policy, or none, little else gets far.
  const isTight = policy.kind === "missing" || policy.maxCopies < 2;
  const weigh = (item: ActionKind, applies: boolean, weight: number): Weighed => ({
    weight: applies ? weight : 0,
    item,
  });
  return [
    weigh("submit", mayStart, attempts.length === 0 ? 40 : 16),
    weigh("retry", mayRepeat && can("retry"), 7),
    weigh("retry_changed", mayRepeat && can("retry_changed"), 4),
    weigh("resubmit_new_key", mayRepeat && can("resubmit_new_key"), 2),
    weigh("advance", parked.length > 0, 34),
    weigh("finish", parked.length > 0, 14),
    weigh("cancel", cancellable.length > 0 && claims.has("cancel") && can("cancel"), 7),
    weigh("expire", blocked.length > 0, 14),
    weigh("change_policy", claims.has("policy") && (isTight || can("policy")), isTight ? 20 : 7),
    weigh("arm", unarmed.length > 0 && can("arm"), 2),
    weigh("disarm", armed.length > 0, 5),
    weigh("crash", claims.has("crash") && can("crash"), 4),
    weigh("observe", true, 1),
    ...ruledWeights(world, claims),
  ];
}

/** Without a rule there is nothing to see, and without an attempt after it neither. */
function ruledWeights({ rules, turns, reservations }: World, claims: Means["claims"]): readonly Weighed[] {
  if (!claims.has("rules")) return [];
  const open = reservations.filter(({ state }) => state !== "done").length;
  return [
    { weight: rules.length === 0 ? 60 : 5, item: "change_rules" },
    { weight: turns.length < 4 ? 6 : 1, item: "say" },
    { weight: open > 0 ? 4 : 1, item: "reconcile" },
    { weight: reservations.length > 0 ? 3 : 0, item: "damage_ledger" },
    { weight: 3, item: "gate" },
  ];
}

function hitsLate(fault: Fault): boolean {
  return fault.kind === "bad_output" || (isCheckerFault(fault) && fault.stage === "output");
}

function featureOf(fault: Fault): Feature {
  switch (fault.kind) {
    case "throw_at":
      return "throws";
    case "bad_output":
      return "bad_output";
    case "checker_throws":
    case "checker_rejects_falsy":
    case "checker_hangs":
    case "checker_garbled":
      return "checker_faults";
    default:
      return "driver_faults";
  }
}
