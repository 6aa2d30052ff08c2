import { describe, expect, it } from "vitest";
import { smallModel } from "../../bench/explore/small-model.js";
import { type BitstateOptions, bitstate } from "../../src/explore/bitstate.js";
import { searchWithSeeds } from "../../src/explore/bitstate-pool.js";
import type { Machine } from "../../src/explore/machine.js";
import { mergeSeeds } from "../../src/explore/merge-seeds.js";
import { search } from "../../src/explore/search.js";
import { breaks, type Edge, promise, shows, toyMachine } from "./toy-machine.js";
import { toyProcesses } from "./toy-processes.js";

const full = { partialOrder: false, symmetry: false };
const both = { partialOrder: true, symmetry: true };
const roomy: BitstateOptions = { reduction: full, bits: 24, hashes: 3, seed: 1 };

/** 0 to 1 to 2 to 0, and 1 to 3. */
const loop: readonly Edge[] = [
  [0, 1],
  [1, 2],
  [2, 0],
  [1, 3],
];

/** So many states, each one step from the initial one: none is behind another. */
function star(leaves: number): Machine {
  return {
    ...toyMachine({ edges: [] }),
    schema: { fields: [{ name: "leaf", length: 2, values: 256 }] },
    initial: (into) => {
      into.fill(0);
    },
    mostEnabled: leaves,
    enabled: (state, into) => {
      if (state[0] !== 0 || state[1] !== 0) return 0;
      for (let leaf = 0; leaf < leaves; leaf++) into[leaf] = leaf + 1;
      return leaves;
    },
    step: (_, action, next) => {
      next[0] = action & 255;
      next[1] = action >> 8;
    },
  };
}

describe("a bitstate search", () => {
  it("meets all states while the field has room, and is undecided all the same", () => {
    const found = bitstate(smallModel({ attempts: 2, keys: 2, policyChanges: 2, retries: 1 }), roomy);
    expect(found.outcome).toEqual({ kind: "undecided", reason: "states_may_be_missing" });
    expect([found.states, found.transitions]).toEqual([22_687, 67_530]);
    // 22,687 times up to (3 * 22,687 / 2^24)^3 are less than a thousandth of a state.
    expect(found.expectedOmitted).toBeLessThan(0.01);
    expect(found.fill).toBeCloseTo((3 * 22_687) / 2 ** 24, 4);
  });

  it("meets as many reduced states as a search that stores them", () => {
    const machine = smallModel({ attempts: 2, keys: 2, policyChanges: 2, retries: 1 });
    const stored = search(machine, { reduction: both, stored: "states" });
    const found = bitstate(machine, { ...roomy, reduction: both });
    expect([found.states, found.transitions]).toEqual([stored.states, stored.transitions]);
  });

  it("expects about as many omitted states as there are", () => {
    const leaves = 20_000;
    const omitted: number[] = [];
    const expected: number[] = [];
    for (let seed = 1; seed <= 8; seed++) {
      const found = bitstate(star(leaves), { ...roomy, bits: 16, hashes: 2, seed });
      omitted.push(leaves + 1 - found.states);
      expected.push(found.expectedOmitted);
    }
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
    // Some thousands in all, so that chance is a few per cent.
    expect(sum(omitted)).toBeGreaterThan(8_000);
    expect(sum(expected) / sum(omitted)).toBeGreaterThan(0.9);
    expect(sum(expected) / sum(omitted)).toBeLessThan(1.1);
  });

  it("shows the way on which a promise was broken, by a state or by a step", () => {
    const always = [promise("P"), promise("Q"), promise("R")];
    const machine = toyMachine({
      edges: loop,
      always,
      inState: { 3: breaks("P") },
      onEdge: { 2: breaks("Q") },
    });
    const { outcome, violations } = bitstate(machine, roomy);
    expect(outcome).toEqual({ kind: "violated" });
    const ways = new Map(violations.map(({ id, path }) => [id, path.map(({ name }) => name)]));
    expect(ways.get("P")).toEqual(["0 to 1", "1 to 3"]);
    expect(ways.get("Q")).toEqual(["0 to 1", "1 to 2", "2 to 0"]);
    expect(ways.has("R")).toBe(false);
  });

  it("keeps what occurred", () => {
    expect(bitstate(toyMachine({ edges: loop, inState: { 2: shows("S") } }), roomy).occurred).toEqual(["S"]);
  });

  it("ends at a bound", () => {
    const machine = smallModel({ attempts: 2, keys: 2, policyChanges: 2, retries: 1 });
    expect(bitstate(machine, { ...roomy, maxStates: 100 })).toMatchObject({
      states: 100,
      outcome: { kind: "undecided", reason: "max_states" },
    });
    let clock = 0;
    expect(bitstate(machine, { ...roomy, timeMs: 0, now: () => clock++ }).outcome).toMatchObject({
      reason: "time",
    });
    const interrupted = bitstate(machine, { ...roomy, isInterrupted: () => true });
    expect(interrupted.outcome).toMatchObject({ reason: "interrupted" });
  });

  it("takes its actions in an order of the seed", () => {
    const machine = smallModel({ attempts: 2, keys: 2, policyChanges: 2, retries: 1 });
    const depths = [1, 2, 3, 4].map(
      (seed) => bitstate(machine, { ...roomy, seed, maxStates: 500 }).transitions,
    );
    expect(new Set(depths).size).toBeGreaterThan(1);
    expect(bitstate(machine, { ...roomy, maxStates: 500 }).transitions).toBe(depths[0]);
  });

  it("is not reduced where a machine may go round in circles", () => {
    const machine = toyProcesses({ programs: [[{ kind: "own", next: [0] }]], badPlace: 8 });
    expect(() => bitstate(machine, { ...roomy, reduction: both })).toThrow("may go round in circles");
  });

  it.each([
    { bits: 9, hashes: 3 },
    { bits: 33, hashes: 3 },
    { bits: 20, hashes: 0 },
    { bits: 20, hashes: 17 },
  ])("refuses a field of 2^$bits bits and $hashes for a state", (field) => {
    expect(() => bitstate(toyMachine({ edges: loop }), { ...roomy, ...field })).toThrow(/bits/);
  });
});

describe("searches with several seeds", () => {
  const machine = star(20_000);
  const narrow = { ...roomy, bits: 16, hashes: 2 };

  it("miss together what each of them misses", () => {
    const searches = [1, 2].map((seed) => bitstate(machine, { ...narrow, seed }));
    const [first, second] = searches.map(({ missProbability }) => missProbability);
    const merged = mergeSeeds(searches);
    expect(merged.missedByAll).toBeCloseTo((first ?? 0) * (second ?? 0), 12);
    expect(merged.expectedMissedByAll / merged.missedByAll).toBeCloseTo(20_001, -3);
    expect(merged.seeds).toEqual([1, 2]);
    expect(merged.outcome).toEqual({ kind: "undecided", reason: "states_may_be_missing" });
  });

  it("tell the shortest way, and that one was cut short", () => {
    const always = [promise("P")];
    // Two ways to 3: one of two steps, one of three.
    const edges: readonly Edge[] = [
      [0, 1],
      [1, 3],
      [1, 2],
      [2, 3],
    ];
    const found = bitstate(toyMachine({ edges, always, inState: { 3: breaks("P") } }), roomy);
    const long = {
      ...found,
      seed: 2,
      violations: [{ id: "P", path: Array(9).fill({ action: 0, name: "0 to 1" }) }],
    };
    expect(mergeSeeds([long, found]).violations).toEqual(found.violations);
    const whole = bitstate(machine, narrow);
    const cut = bitstate(machine, { ...narrow, maxStates: 5 });
    expect(mergeSeeds([whole, cut]).outcome).toEqual({ kind: "undecided", reason: "max_states" });
  });

  it("are of one machine, and at least one", () => {
    expect(() => mergeSeeds([])).toThrow("there is no search");
    const one = bitstate(machine, narrow);
    expect(() => mergeSeeds([one, { ...one, machine: "another" }])).toThrow("different machines");
  });

  it("run over processes, each making the machine for itself", async () => {
    const source = {
      module: new URL("../../bench/explore/small-model.ts", import.meta.url).href,
      exportName: "smallModel",
      description: { attempts: 2, keys: 1, policyChanges: 1, retries: 1 },
    };
    const options = { reduction: full, bits: 20, hashes: 3 };
    const task = { source, options, seeds: [1, 2, 3], processes: 2 };
    const merged = await searchWithSeeds(task, new AbortController().signal);
    expect(merged).toMatchObject({ machine: "small model 2/1/1/1", seeds: [1, 2, 3], mostStates: 1_339 });
    const wrong = { ...task, source: { ...source, exportName: "nothing" } };
    await expect(searchWithSeeds(wrong, new AbortController().signal)).rejects.toThrow(
      "does not export a function",
    );
  });
});
