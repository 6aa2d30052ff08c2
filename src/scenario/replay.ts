import { interpretFor } from "../contract/tool.js";
import { step } from "../model/step.js";
import type { Action, Event, Observation } from "../model/vocabulary.js";
import { initialWorld, type World } from "../model/world.js";
import { type Bench, executeRun, type RunRecord } from "../properties/run.js";
import type { RunVerdict } from "../properties/verdict.js";
import type { Mismatch } from "./differences.js";
import { checkExpectation } from "./expectation.js";
import type { Scenario } from "./scenario.js";
import { type Standing, standing } from "./standing.js";

export type Replayed = {
  readonly kind: "as_expected" | "not_as_expected" | "undecided" | "broken";
  readonly history: readonly Event[];
  readonly verdict: RunVerdict;
  readonly mismatches: readonly Mismatch[];
  /** Why it is undecided or broken. */
  readonly reason?: string;
  /** How machine and store stand after the last step, line beside line. */
  readonly standing: Standing;
};

export type ReplayOptions = {
  /** Stop after this many steps; nothing is expected then, and no epilogue is driven. */
  readonly until?: number;
  /** `holds`: whatever the file expects of its own executor, here every promise must hold. */
  readonly wanted?: "as_written" | "holds";
};

/**
 * Runs a scenario's steps on a bench from its own starting policy and compares what they left behind. What is
 * expected is compared before the epilogue; the epilogue then decides the promises about what comes in the end.
 */
export async function replayScenario(
  scenario: Scenario,
  bench: Bench,
  { until, wanted = "as_written" }: ReplayOptions = {},
): Promise<Replayed> {
  const actions = scenario.actions.slice(0, until);
  const own: Bench = { ...bench, policy: scenario.policy };
  const record = await executeRun(own, actions, { epilogue: until === undefined ? "driven" : "left_out" });
  const { history, verdict } = record;
  const ran = { history: beforeEpilogue(history), verdict };
  const mismatches = mismatchesOf(scenario, ran, until, wanted);
  const stood = standing(worldAfter(scenario, actions, bench), lastObservation(ran.history));
  return { ...judged(record, mismatches), history, verdict, mismatches, standing: stood };
}

function mismatchesOf(
  scenario: Scenario,
  ran: { readonly history: readonly Event[]; readonly verdict: RunVerdict },
  until: number | undefined,
  wanted: "as_written" | "holds",
): readonly Mismatch[] {
  if (until !== undefined) return [];
  // A kept counterexample says what its own executor breaks; another executor has to hold.
  const isCounterexample = scenario.expect.violates !== undefined;
  return checkExpectation(wanted === "holds" && isCounterexample ? {} : scenario.expect, ran);
}

function judged(record: RunRecord, mismatches: readonly Mismatch[]): Pick<Replayed, "kind" | "reason"> {
  if (record.end.kind === "broken") {
    return { kind: "broken", reason: `${record.end.where}: ${record.end.message}` };
  }
  if (mismatches.length > 0) return { kind: "not_as_expected" };
  const [undecided] = record.verdict.undecided;
  if (undecided !== undefined) {
    return { kind: "undecided", reason: `${undecided.promise}: ${undecided.reason}` };
  }
  return { kind: "as_expected" };
}

function beforeEpilogue(history: readonly Event[]): readonly Event[] {
  const at = history.findIndex(({ kind }) => kind === "epilogue");
  return at < 0 ? history : history.slice(0, at);
}

function lastObservation(history: readonly Event[]): Observation | undefined {
  return history.findLast((event) => event.kind === "observed")?.observation;
}

function worldAfter(scenario: Scenario, actions: readonly Action[], bench: Bench): World {
  let world = initialWorld(
    bench.port.profile,
    scenario.policy,
    bench.contract.name,
    bench.contract.toolbox?.capabilities,
  );
  for (const action of actions) {
    const moved = step(world, action, interpretFor(bench.contract));
    if (moved.kind === "moved") world = moved.world;
  }
  return world;
}
