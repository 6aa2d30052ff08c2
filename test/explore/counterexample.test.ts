import { describe, expect, it } from "vitest";
import { interleavings } from "../../bench/explore/interleavings.js";
import { unlimited } from "../../bench/explore/schedule-bench.js";
import { counterexampleOf, type FoundFailure } from "../../src/explore/counterexample.js";
import { executorProgram } from "../../src/explore/schedules/executor-program.js";
import { exploreSchedules } from "../../src/explore/schedules/source-dpor.js";
import type { Action } from "../../src/model/vocabulary.js";
import { switchesIn } from "../../src/properties/minimise-switches.js";
import { type Bench, executeRun } from "../../src/properties/run.js";
import type { PromiseId } from "../../src/properties/verdict.js";
import { faultyExecutors } from "../../src/sut/faulty/faulty-executors.js";
import { openerOf, withBench } from "./executor-bench.js";

/** A list that breaks the promise, as a search hands it on. */
async function failureOf(
  bench: Bench,
  actions: readonly Action[],
  promises: readonly PromiseId[],
): Promise<FoundFailure> {
  const { verdict } = await executeRun(bench, actions);
  const violation = verdict.violations.find(({ promise }) => promises.includes(promise));
  if (violation === undefined) throw new Error(`the list breaks none of ${promises.join(", ")}`);
  return { promise: violation.promise, run: 1, violation, actions };
}

async function breaks(bench: Bench, actions: readonly Action[], promise: PromiseId): Promise<boolean> {
  const { verdict } = await executeRun(bench, actions);
  return verdict.violations.some((violation) => violation.promise === promise);
}

const rows = interleavings.map(({ name, threads, finds }) => ({ name, threads, finds }));

describe("the counterexample of a schedule that breaks a promise", () => {
  it.each(rows)("is a list for $name from which no step can be dropped", async ({ name, threads, finds }) => {
    await withBench(openerOf(name), async (bench) => {
      const program = executorProgram(bench, threads);
      const { violations } = await exploreSchedules(program, { ...unlimited, repeat: "none" });
      const found = violations.find(({ text }) => finds.some((promise) => promise === text));
      if (found === undefined) throw new Error(`${name} is not found`);
      const actions = program.actionsOf(found.schedule.labels);
      const failure = await failureOf(bench, actions, finds);
      const { minimal, ...kept } = await counterexampleOf(bench, failure);
      expect(kept).toEqual(failure);
      expect(minimal.kind).toBe("one_minimal");
      expect(minimal.violation.promise).toBe(failure.promise);
      expect(await breaks(bench, minimal.actions, failure.promise)).toBe(true);
      for (const index of minimal.actions.keys()) {
        const shorter = minimal.actions.toSpliced(index, 1);
        expect(await breaks(bench, shorter, failure.promise), `without action ${index}`).toBe(false);
      }
      expect(switchesIn(minimal.actions)).toBeLessThanOrEqual(switchesIn(actions));
    });
  });

  it("is put into an order with fewer switches that shows the same", async () => {
    const bug = faultyExecutors.find(({ name }) => name === "skips-the-output-check-on-reuse");
    if (bug === undefined) throw new Error("the executor is gone");
    await withBench(bug.open, async (bench) => {
      const told = ({ kind, ...rest }: Action): string =>
        "attempt" in rest ? `${kind} ${rest.attempt}` : kind;
      expect(bug.witness.map(told)).toEqual(["submit a1", "submit a2", "finish a1", "finish a2"]);
      const failure = await failureOf(bench, bug.witness, bug.caughtBy);
      const { minimal } = await counterexampleOf(bench, failure);
      // Each of the four is needed, but not that the attempts overlap.
      expect(minimal.actions.map(told)).toEqual(["submit a1", "finish a1", "submit a2", "finish a2"]);
      // The history and the violation are those of that order: the last action shows it.
      expect(minimal.violation.action).toBe(3);
      expect(minimal.history.find(({ position }) => position === minimal.violation.position)?.action).toBe(3);
    });
  });
});
