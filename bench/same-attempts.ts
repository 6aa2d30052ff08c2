import { isDeepStrictEqual } from "node:util";
import type { Event, Observation } from "../src/model/vocabulary.js";
import type { Plan } from "../src/properties/planner.js";
import { type Bench, executeRun } from "../src/properties/run.js";
import { type Bare, runBare } from "./bare-executor.js";

/**
 * Carries every list out both ways. Throws at the first list after which the
 * two stores differ in any row, at one that the campaign did not hold to, and if one side read more often.
 */
export async function assertSameAttempts(bench: Bench, bare: Bare, plans: readonly Plan[]): Promise<void> {
  for (const [run, { actions }] of plans.entries()) {
    const readBefore = readsOfBare(bare);
    const { history, verdict, end, skipped } = await executeRun(bench, actions);
    const left = await runBare(bare, actions);
    const [violation] = verdict.violations;
    if (violation !== undefined) throw differing(run, "no violation", violation.sentence);
    if (end.kind === "broken") throw differing(run, "a run to its end", end.message);
    if (skipped > 0) throw differing(run, "no skipped action", `${skipped} skipped`);
    assertSame(run, rowsOf(lastObservation(history)), rowsOf(left));
    assertSame(run, readsOf(history), difference(readsOfBare(bare), readBefore));
  }
}

type Reads = { readonly reads: number; readonly probes: number };

function readsOf(history: readonly Event[]): Reads {
  const atRelease = history.filter(({ kind }) => kind === "ended").length;
  const observed = history.filter((event) => event.kind === "observed");
  const probed = observed.filter(({ observation }) => observation.writeLock !== "not_probed");
  return { reads: atRelease + observed.length, probes: probed.length };
}

function readsOfBare({ reads, probes }: Bare): Reads {
  return { reads, probes };
}

function difference(after: Reads, before: Reads): Reads {
  return { reads: after.reads - before.reads, probes: after.probes - before.probes };
}

function lastObservation(history: readonly Event[]): Observation | undefined {
  return history.findLast((event) => event.kind === "observed")?.observation;
}

function rowsOf(observation: Observation | undefined): unknown {
  return { effects: observation?.effects, receipts: observation?.receipts, policy: observation?.policy };
}

function assertSame(run: number, campaign: unknown, bare: unknown): void {
  if (!isDeepStrictEqual(campaign, bare))
    throw differing(run, JSON.stringify(campaign), JSON.stringify(bare));
}

function differing(run: number, expected: string, seen: string): Error {
  return new Error(
    `run ${run} is no fair comparison: the campaign and the bare executor have not done the same attempts\n` +
      `  expected ${expected}\n  seen     ${seen}`,
  );
}
