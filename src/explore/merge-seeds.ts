import assert from "node:assert/strict";
import type { BitstateSearch } from "./bitstate.js";

/** What bitstate searches of one machine with several seeds found together. */
export type MergedSeeds = {
  readonly machine: string;
  readonly seeds: readonly number[];
  readonly outcome: BitstateSearch["outcome"];
  /** Each broken promise once, over the shortest of the ways met. */
  readonly violations: BitstateSearch["violations"];
  readonly occurred: readonly string[];
  readonly mostStates: number;
  /** The probability that all seeds miss a state that each was offered, their hash functions being independent. */
  readonly missedByAll: number;
  /** How many states that is, of as many as the largest search was offered. */
  readonly expectedMissedByAll: number;
};

/** Puts together the searches of several seeds; throws if there is none, or they are of different machines. */
export function mergeSeeds(searches: readonly BitstateSearch[]): MergedSeeds {
  const [first, ...others] = searches;
  assert(first !== undefined, "there is no search to merge");
  assert(
    others.every(({ machine }) => machine === first.machine),
    "searches of different machines do not add up",
  );
  const violations = new Map<string, BitstateSearch["violations"][number]>();
  for (const violation of searches.flatMap((search) => search.violations)) {
    const known = violations.get(violation.id);
    if (known === undefined || violation.path.length < known.path.length)
      violations.set(violation.id, violation);
  }
  const missedByAll = searches.reduce((product, { missProbability }) => product * missProbability, 1);
  const offered = Math.max(...searches.map(({ states, expectedOmitted }) => states + expectedOmitted));
  return {
    machine: first.machine,
    seeds: searches.map(({ seed }) => seed),
    outcome:
      searches.find(({ outcome }) => outcome.kind === "violated")?.outcome ?? leastReason(searches, first),
    violations: [...violations.values()],
    occurred: [...new Set(searches.flatMap(({ occurred }) => occurred))],
    mostStates: Math.max(...searches.map(({ states }) => states)),
    missedByAll,
    expectedMissedByAll: missedByAll * offered,
  };
}

/** That a search was cut short says more than that states may be missing. */
function leastReason(searches: readonly BitstateSearch[], first: BitstateSearch): BitstateSearch["outcome"] {
  const cutShort = searches.find(
    ({ outcome }) => outcome.kind === "undecided" && outcome.reason !== "states_may_be_missing",
  );
  return (cutShort ?? first).outcome;
}
