import { interpretFor } from "../contract/tool.js";
import { step } from "../model/step.js";
import type { Action, Event, Observation } from "../model/vocabulary.js";
import { initialWorld, type World } from "../model/world.js";
import { type Bench, executeRun, type RunRecord } from "../properties/run.js";
import type { RunVerdict } from "../properties/verdict.js";
import type { Mismatch } from "./differences.js";
import { checkExpectation } from "./expectation.js";
import type { Scenario } from "./scenario.js";

export type Replayed = {
  readonly kind: "as_expected" | "not_as_expected" | "undecided" | "broken";
  readonly history: readonly Event[];
  readonly verdict: RunVerdict;
  readonly mismatches: readonly Mismatch[];
  /** Why it is undecided or broken. */
  readonly reason?: string;
  /** How machine and store stand after the last step, line beside line. */
  readonly standing: { readonly machine: readonly string[]; readonly store: readonly string[] };
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
  const standing = {
    machine: worldLines(worldAfter(scenario, actions, bench)),
    store: storeLines(lastObservation(ran.history)),
  };
  return { ...judged(record, mismatches), history, verdict, mismatches, standing };
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

function worldLines(world: World): readonly string[] {
  return [
    policyLine(world.policy),
    ...world.effects.map(effectLine),
    ...world.receipts.map((receipt) => receiptLine(receipt, `d-${receipt.attempt}`)),
    ...world.attempts.map(({ name, place }) => {
      if (place.kind === "parked") return `${name} parked at ${place.at}`;
      return place.kind === "blocked" ? `${name} blocked on ${place.on}` : `${name} ${place.kind}`;
    }),
    `executor ${world.executor}`,
  ];
}

function storeLines(observation: Observation | undefined): readonly string[] {
  if (observation === undefined) return ["nothing was observed"];
  return [
    policyLine(observation.policy),
    ...observation.effects.map(effectLine),
    ...observation.receipts.map((receipt) => receiptLine(receipt, receipt.delivery)),
  ];
}

function policyLine(policy: Observation["policy"]): string {
  return policy.kind === "missing"
    ? "policy missing"
    : `policy revision ${policy.revision}, at most ${policy.maxCopies} copies`;
}

function effectLine(effect: { tenant: string; key: string; digest: string; revision: number }): string {
  return `effect ${effect.tenant}/${effect.key} ${effect.digest.slice(0, 8)} under revision ${effect.revision}`;
}

function receiptLine(
  receipt: Pick<Observation["receipts"][number], "number" | "status" | "code" | "effectExists">,
  delivery: string,
): string {
  const { number, status, code, effectExists } = receipt;
  return `receipt ${number} of ${delivery.replace(/^d-/, "")}: ${status}/${code}, effect ${effectExists ? "exists" : "absent"}`;
}
