import type { ExecutorEntry } from "../config/executors.js";
import { UsageError } from "../config/usage-error.js";
import type { Ability, Action, Fault, Profile } from "../model/vocabulary.js";
import { faultWords, plannedFaults } from "../report/words.js";
import type { ScenarioFile } from "../scenario/load.js";

/**
 * Makes sure that each scenario asks of its executor only what that claims.
 *
 * @throws UsageError with every step that asks for more, by file and line
 */
export function checkFits(pairs: readonly (ScenarioFile & { readonly executor: ExecutorEntry })[]): void {
  const misfits = pairs.flatMap(({ file, scenario, executor }) =>
    scenario.actions.flatMap((action, index) =>
      lacking(action, executor.profile).map(
        (what) =>
          `${file}:${scenario.lines[index] ?? 1}: step ${index + 1} needs ${what}, which ${executor.name} does not claim`,
      ),
    ),
  );
  if (misfits.length === 0) return;
  throw new UsageError({
    message: misfits.join("\n"),
    nextStep: "Nothing was run. Choose an executor that claims it with --executor.",
  });
}

/** What an action needs and a profile does not claim. */
function lacking(action: Action, profile: Profile): readonly string[] {
  const ability = (name: Ability) => (profile.abilities.includes(name) ? [] : [`the ability ${name}`]);
  switch (action.kind) {
    case "cancel":
      return ability("cancel");
    case "change_policy":
      return ability("policy");
    case "restart":
      return ability("crash");
    case "crash": {
      const { where } = action;
      const point =
        where.kind === "at" && !profile.crashPoints.includes(where.at) ? [`the crash point ${where.at}`] : [];
      return [...ability("crash"), ...point];
    }
    case "arm":
    case "disarm":
      return lackingFault(action.fault, profile);
    default:
      return plannedFaults(action).flatMap((fault) => lackingFault(fault, profile));
  }
}

function lackingFault(fault: Fault, profile: Profile): readonly string[] {
  const points: readonly string[] = [...profile.checkpoints, ...profile.crashPoints];
  const claimed =
    profile.faults.includes(fault.kind) && (fault.kind !== "throw_at" || points.includes(fault.at));
  return claimed ? [] : [`the fault ${faultWords(fault)}`];
}
