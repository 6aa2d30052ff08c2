import type { ExecutorEntry } from "../config/executors.js";
import { UsageError } from "../config/usage-error.js";
import type {
  Ability,
  Action,
  Context,
  CrashPoint,
  CrashWhere,
  Fault,
  PolicySetting,
  Profile,
} from "../model/vocabulary.js";
import { faultWords, plannedFaults } from "../report/words.js";
import type { ScenarioFile } from "../scenario/load.js";
import { isCheckerFault } from "../sut/fault-kinds.js";

/**
 * Makes sure that each scenario asks of its executor only what that claims.
 *
 * @throws UsageError with every step that asks for more, by file and line
 */
export function checkFits(pairs: readonly (ScenarioFile & { readonly executor: ExecutorEntry })[]): void {
  const misfits = pairs.flatMap(({ file, scenario, executor }) => [
    ...lackingRule(scenario.policy, executor.profile).map(
      (what) => `${file}: its policy needs ${what}, which ${executor.name} does not claim`,
    ),
    ...scenario.actions.flatMap((action, index) => {
      const place = `${file}:${scenario.lines[index] ?? 1}: step ${index + 1}`;
      return [
        ...lacking(action, executor.profile).map(
          (what) => `${place} needs ${what}, which ${executor.name} does not claim`,
        ),
        ...(leavesToolOpen(action, executor)
          ? [`${place} names no tool, and ${executor.name} has several`]
          : []),
      ];
    }),
  ]);
  if (misfits.length === 0) return;
  throw new UsageError({
    message: misfits.join("\n"),
    nextStep: "Nothing was run. Choose an executor that claims it with --executor.",
  });
}

/** A call that goes nowhere, where each has to go to one tool of several. */
function leavesToolOpen(action: Action, { contract }: ExecutorEntry): boolean {
  const entry = action.kind === "crash" && action.where.kind === "entering" ? action.where.entry : action;
  return entry.kind === "submit" && entry.context.dispatch === undefined && contract.toolbox !== undefined;
}

const needs: { readonly [kind in Action["kind"]]?: readonly Ability[] } = {
  cancel: ["cancel"],
  change_policy: ["policy"],
  restart: ["crash"],
  crash: ["crash"],
  approve: ["approvals"],
  deny: ["approvals"],
  revoke: ["approvals"],
  settle: ["approvals"],
  advance_clock: ["clock"],
  set_capability: ["capabilities"],
  round_trip: ["round_trip"],
  drive: ["driver"],
};

/** What an action needs and a profile does not claim. */
function lacking(action: Action, profile: Profile): readonly string[] {
  const abilities = lackingAbilities(needs[action.kind] ?? [], profile);
  switch (action.kind) {
    case "submit":
      return [...lackingDispatch(action.context, profile), ...lackingFaults(action, profile)];
    case "change_policy":
      return [...abilities, ...lackingRule(action.to, profile)];
    case "crash":
      return [...abilities, ...lackingAtCrash(action.where, profile)];
    case "arm":
    case "disarm":
      return lackingFault(action.fault, profile);
    default:
      return [...abilities, ...lackingFaults(action, profile)];
  }
}

function lackingAbilities(names: readonly Ability[], { abilities }: Profile): readonly string[] {
  return names.filter((name) => !abilities.includes(name)).map((name) => `the ability ${name}`);
}

/** An executor with neither runs nor approvals nor capabilities would not look at where a call is sent. */
function lackingDispatch({ dispatch }: Context, profile: Profile): readonly string[] {
  if (dispatch === undefined) return [];
  const looks = (["run", "capability", "approval"] as const).some((layer) => profile.layers.includes(layer));
  if (!looks) return ["a layer that looks at its dispatch"];
  const inRun = dispatch.step > 0 || dispatch.replaces !== "none";
  return inRun ? lackingAbilities(["runs"], profile) : [];
}

/** A rule about approvals, where somebody has to be asked. */
function lackingRule(setting: PolicySetting, profile: Profile): readonly string[] {
  return setting.kind === "limit" && setting.approval !== undefined
    ? lackingAbilities(["approvals"], profile)
    : [];
}

function lackingAtCrash(where: CrashWhere, profile: Profile): readonly string[] {
  switch (where.kind) {
    case "parked":
      return [];
    case "at":
      return lackingPoint(where.at, profile);
    case "entering":
      return [...lackingPoint(where.at, profile), ...lacking(where.entry, profile)];
    case "deciding":
      return lackingAbilities(["approvals"], profile);
  }
}

function lackingPoint(at: CrashPoint, { crashPoints }: Profile): readonly string[] {
  return crashPoints.includes(at) ? [] : [`the crash point ${at}`];
}

function lackingFaults(action: Action, profile: Profile): readonly string[] {
  return plannedFaults(action).flatMap((fault) => lackingFault(fault, profile));
}

function lackingFault(fault: Fault, profile: Profile): readonly string[] {
  return profile.faults.includes(fault.kind) && strikes(fault, profile)
    ? []
    : [`the fault ${faultWords(fault)}`];
}

/** Whether the profile has the place at which a fault strikes. */
function strikes(fault: Fault, { checkpoints, crashPoints, layers }: Profile): boolean {
  if (fault.kind === "throw_at") {
    const points: readonly string[] = [...checkpoints, ...crashPoints];
    return points.includes(fault.at);
  }
  return !isCheckerFault(fault) || layers.includes(fault.stage);
}
