import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unlimited } from "../../../bench/explore/schedule-bench.js";
import { allSchedules } from "../../../src/explore/schedules/all-schedules.js";
import { traceKey } from "../../../src/explore/schedules/happens-before.js";
import { auditIndependence } from "../../../src/explore/schedules/independence-audit.js";
import type { Program, StepRecord } from "../../../src/explore/schedules/program.js";
import { exploreSchedules } from "../../../src/explore/schedules/source-dpor.js";
import { stateSearch } from "../../../src/explore/schedules/state-search.js";
import { plans, programOf } from "./random-programs.js";
import type { ToyJudge } from "./toy-programs.js";

/** Larger programs are passed over: the oracle takes every schedule. */
const small = { ...unlimited, executions: 200 };

/** Some of these are broken by few schedules only. */
const judge: ToyJudge = (look) => [
  ...(look("a") === 1 && look("b") === 2 ? ["a is 1 and b is 2"] : []),
  ...(look("c") === 1 ? ["c is 1"] : []),
  ...(look("a") === 2 && look("c") === 0 ? ["a is 2 and c untouched"] : []),
];

async function compareSearches(program: Program): Promise<void> {
  const all = await allSchedules(program, small);
  fc.pre(all.outcome.kind === "complete");
  const sequences: (readonly StepRecord[])[] = [];
  const search = await exploreSchedules(program, {
    ...unlimited,
    repeat: "each",
    onExecution: ({ kind, records }) => {
      if (kind === "complete") sequences.push(records);
    },
  });
  const states = await stateSearch(program, unlimited);
  const textsOf = (found: { readonly violations: readonly { readonly text: string }[] }) =>
    found.violations.map(({ text }) => text).sort();
  expect(search.outcome).toEqual({ kind: "complete" });
  expect(search.executions.complete).toBe(all.traces.size);
  const traces = sequences.map((records) => traceKey(program.threads.length, records));
  expect(new Set(traces)).toEqual(all.traces);
  expect(search.states).toEqual(all.states);
  expect(textsOf(search)).toEqual(textsOf(all));
  expect(states.states).toEqual(all.states);
  expect(textsOf(states)).toEqual(textsOf(all));
  const audit = await auditIndependence(program, sequences, unlimited);
  expect(audit.differences).toEqual([]);
}

describe("searches over random programs", () => {
  it("agree with the enumeration of all schedules: the same traces once each, states and violations", async () => {
    const property = fc.asyncProperty(plans([]), (drawn) => compareSearches(programOf(drawn, judge)));
    await fc.assert(property, { numRuns: 250 });
  });

  it("agree with it also when threads wait for one another, for ever in some schedules", async () => {
    const property = fc.asyncProperty(plans(["k", "l"]), (drawn) => compareSearches(programOf(drawn, judge)));
    await fc.assert(property, { numRuns: 100 });
  });
});
