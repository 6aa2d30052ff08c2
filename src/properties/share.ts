import fc from "fast-check";
import type { Action } from "../model/vocabulary.js";
import { countsAsFound } from "./fails-like.js";
import { type Plan, type PlannerSettings, planActions } from "./planner.js";
import { type Bench, executeRun } from "./run.js";
import type { Broken, PromiseId, Violation } from "./verdict.js";

/** Generated actions of one run, unless told otherwise. */
export const usualMaxActions = 30;

/** Consecutive runs of a campaign, to be executed in one go. */
export type ShareRequest = {
  readonly seed: number;
  readonly first: number;
  readonly runs: number;
  readonly maxActions: number;
  /** The share ends with the first run that breaks one of these. A broken run always ends it. */
  readonly stopAt: readonly PromiseId[];
  /** The share ends once this many actions have been generated. */
  readonly mostActions?: number;
};

/** The first run of a share that broke a promise. */
export type Failure = {
  readonly promise: PromiseId;
  readonly run: number;
  readonly violation: Violation;
  readonly actions: readonly Action[];
};

/** What a share found; shares of neighbouring runs add up. */
export type Share = {
  readonly first: number;
  readonly executed: number;
  readonly performed: number;
  readonly skipped: number;
  readonly byKind: { readonly [kind: string]: number };
  readonly occurred: { readonly [promise: string]: number };
  readonly reached: { readonly [transition: string]: number };
  readonly undecided: { readonly [promise: string]: string };
  readonly failures: readonly Failure[];
  readonly broken: readonly Broken[];
  /** Why no later run was executed. */
  readonly end: "complete" | "bailed" | "broken" | "stopped";
};

export type ShareControl = {
  /** Asked before every run. */
  readonly stopped: () => boolean;
  /** Told of every run that begins and ends. */
  readonly began: (run: number) => void;
  readonly ended: (actions: number) => void;
};

type Tally = { [word: string]: number };

/**
 * Executes a share. The runs are those of `fc.check` with this seed, skipped to `first`: a share executes exactly
 * the runs that an undivided campaign would have executed there.
 */
export async function executeShare(
  bench: Bench,
  request: ShareRequest,
  control: ShareControl,
): Promise<Share> {
  const { seed, first, runs, maxActions, stopAt, mostActions = Number.POSITIVE_INFINITY } = request;
  const settings = { profile: bench.port.profile, contract: bench.contract, policy: bench.policy };
  const byKind: Tally = {};
  const occurred: Tally = {};
  const reached: Tally = {};
  const undecided: { [promise: string]: string } = {};
  const failures: Failure[] = [];
  const broken: Broken[] = [];
  let executed = 0;
  let performed = 0;
  let skipped = 0;
  let end: Share["end"] = "complete";

  const oneRun = async (mask: number, draws: readonly number[]): Promise<boolean> => {
    if (control.stopped()) {
      end = "stopped";
      return false;
    }
    const run = first + executed;
    control.began(run);
    const plan = planActions(settings, mask, draws);
    const record = await executeRun(bench, plan.actions);
    executed++;
    performed += record.performed;
    skipped += record.skipped;
    for (const action of plan.actions) count(byKind, action.kind);
    for (const promise of record.verdict.occurred) count(occurred, promise);
    for (const transition of plan.transitions) count(reached, transition);
    for (const { promise, reason } of record.verdict.undecided) undecided[promise] ??= reason;
    for (const violation of record.verdict.violations) {
      const { promise } = violation;
      const failure = { promise, run, violation, actions: plan.actions };
      const known = failures.findIndex((one) => one.promise === promise);
      if (known < 0) failures.push(failure);
      else if (isPlainer(failure, failures[known])) failures[known] = failure;
    }
    control.ended(record.performed + record.skipped);
    if (record.end.kind === "broken") {
      broken.push({ run, where: record.end.where, message: record.end.message, actions: plan.actions });
      end = "broken";
      return false;
    }
    const isWanted = (violation: Violation): boolean =>
      stopAt.includes(violation.promise) && countsAsFound(bench, violation, plan.actions);
    if (record.verdict.violations.some(isWanted)) {
      end = "bailed";
      return false;
    }
    return performed + skipped < mostActions;
  };

  const isPlainer = (failure: Failure, known: Failure | undefined): boolean =>
    known !== undefined &&
    !countsAsFound(bench, known.violation, known.actions) &&
    countsAsFound(bench, failure.violation, failure.actions);

  const property = fc.asyncProperty(maskArbitrary, drawsArbitrary(maxActions), oneRun);
  await fc.check(property, { seed, path: String(first), numRuns: runs, endOnFailure: true });
  return { first, executed, performed, skipped, byKind, occurred, reached, undecided, failures, broken, end };
}

/** The list that a campaign with this seed generates for one run. */
export function planOfRun(settings: PlannerSettings, seed: number, run: number, maxActions: number): Plan {
  const [plan = { actions: [], transitions: [] }] = plansOfRuns(settings, seed, run, 1, maxActions);
  return plan;
}

/** The lists of `count` runs from `first` on; to ask for one after the other would skip the earlier ones each time. */
export function plansOfRuns(
  settings: PlannerSettings,
  seed: number,
  first: number,
  count: number,
  maxActions: number,
): readonly Plan[] {
  const inputs = fc.tuple(maskArbitrary, drawsArbitrary(maxActions));
  const samples = fc.sample(inputs, { seed, path: String(first), numRuns: count });
  return samples.map(([mask, draws]) => planActions(settings, mask, draws));
}

const word = { min: 0, max: 0xffff_ffff };
const maskArbitrary = fc.noBias(fc.integer(word));
const drawsArbitrary = (maxActions: number): fc.Arbitrary<number[]> =>
  fc.noBias(fc.array(fc.integer(word), { minLength: 1, maxLength: maxActions, size: "max" }));

function count(tally: Tally, of: string): void {
  tally[of] = (tally[of] ?? 0) + 1;
}

/** The sum of shares, in order of their runs; only the first failure of each promise is kept. */
export function addShares(shares: readonly Share[]): Share {
  const inOrder = [...shares].sort((left, right) => left.first - right.first);
  const failures: Failure[] = [];
  for (const failure of inOrder.flatMap((share) => share.failures)) {
    if (failures.every((known) => known.promise !== failure.promise)) failures.push(failure);
  }
  const sum = (of: (share: Share) => number): number =>
    inOrder.reduce((total, share) => total + of(share), 0);
  const undecided: { [promise: string]: string } = {};
  for (const share of inOrder) {
    for (const [promise, reason] of Object.entries(share.undecided)) undecided[promise] ??= reason;
  }
  return {
    first: inOrder[0]?.first ?? 0,
    executed: sum((share) => share.executed),
    performed: sum((share) => share.performed),
    skipped: sum((share) => share.skipped),
    byKind: addTallies(inOrder.map((share) => share.byKind)),
    occurred: addTallies(inOrder.map((share) => share.occurred)),
    reached: addTallies(inOrder.map((share) => share.reached)),
    undecided,
    failures,
    broken: inOrder.flatMap((share) => share.broken),
    end: inOrder.find((share) => share.end !== "complete")?.end ?? "complete",
  };
}

export function addTallies(tallies: readonly { readonly [word: string]: number }[]): {
  readonly [word: string]: number;
} {
  const total: Tally = {};
  for (const tally of tallies)
    for (const [name, amount] of Object.entries(tally)) total[name] = (total[name] ?? 0) + amount;
  return Object.fromEntries(Object.entries(total).sort(([left], [right]) => (left < right ? -1 : 1)));
}
