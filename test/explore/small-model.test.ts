import { describe, expect, it } from "vitest";
import { naiveSearch } from "../../bench/explore/naive-search.js";
import { smallModel } from "../../bench/explore/small-model.js";
import { smallModelObjects } from "../../bench/explore/small-model-objects.js";
import { act, phase, sizeNamed } from "../../bench/explore/small-model-shape.js";
import type { Exploration } from "../../src/explore/exploration.js";
import type { Machine, Slots } from "../../src/explore/machine.js";
import { codecOf, offsetsOf } from "../../src/explore/schema.js";
import { search } from "../../src/explore/search.js";

const full = { partialOrder: false, symmetry: false };
const partialOrder = { partialOrder: true, symmetry: false };
const symmetry = { partialOrder: false, symmetry: true };
const both = { partialOrder: true, symmetry: true };

function explore(machine: Machine, reduction: Exploration["reduction"]): Exploration {
  return search(machine, { reduction, stored: "states" });
}

/** The dead ends, as text, each once, rewritten by `rewrite` first. */
function endsOf(
  machine: Machine,
  { deadEnds, stored }: Exploration,
  rewrite: (state: Slots) => void,
): ReadonlySet<string> {
  const { layout, pack } = codecOf(machine.schema);
  const slots = new Uint8Array(layout.slots);
  const words = new Int32Array(layout.words);
  const ends = new Set<string>();
  for (const state of deadEnds) {
    stored.read(state, slots);
    rewrite(slots);
    pack(slots, words, 0);
    ends.add(words.join());
  }
  return ends;
}

const asIs = (): void => {};

function verdictsOf({ always }: Exploration): readonly (readonly string[])[] {
  return always.map(({ id, verdict }) => [id, verdict.kind]);
}

describe("the small model", () => {
  // Counted by TLC, SPIN and others; see the baselines. TLC's depth counts states, ours steps.
  it.each([
    ["2/1/1/1", 1_339],
    ["2/2/2/1", 22_687],
    ["3/1/1/1", 41_239],
    ["3/2/1/1", 552_896],
  ])("has at %s the states that other checkers count", (size, states) => {
    const found = explore(smallModel(sizeNamed(size)), full);
    expect(found.outcome).toEqual({ kind: "complete" });
    expect(found.states).toBe(states);
    expect(verdictsOf(found).map(([, kind]) => kind)).toEqual(["holds", "holds", "holds"]);
  });

  it("is the same of slots and of plain objects", () => {
    const size = sizeNamed("2/2/2/1");
    const { states, transitions, depth } = explore(smallModel(size), full);
    expect(naiveSearch(smallModelObjects(size))).toEqual({ states, transitions, depth, broken: new Set() });
  });

  it("has at 3/2/2/1 the states, steps and dead ends that other checkers count, and keeps all dead ends reduced", () => {
    const machine = smallModel(sizeNamed("3/2/2/1"));
    const found = explore(machine, full);
    expect([found.states, found.transitions, found.depth]).toEqual([2_316_557, 9_693_888, 30]);
    expect(found.deadEnds).toHaveLength(56_182);
    const reduced = explore(machine, partialOrder);
    // SPIN's own count with partial order; the states of a model checker that does better would be fewer.
    expect(reduced.states).toBeLessThanOrEqual(735_625);
    expect(endsOf(machine, reduced, asIs)).toEqual(endsOf(machine, found, asIs));
    const smallest = explore(machine, both);
    expect(smallest.states).toBeLessThanOrEqual(185_651);
    const { toCanonical = asIs } = machine.reductions ?? {};
    expect(endsOf(machine, smallest, asIs)).toEqual(endsOf(machine, found, toCanonical));
  });

  it.each(["2/1/1/1", "2/2/2/1", "3/1/1/1", "2/3/1/1", "4/1/1/0", "3/2/1/0"])(
    "keeps dead ends and verdicts at %s however it is reduced",
    (size) => {
      const machine = smallModel(sizeNamed(size));
      const { toCanonical = asIs } = machine.reductions ?? {};
      const found = explore(machine, full);
      expect(found.deadEnds.length).toBeGreaterThan(0);
      for (const reduction of [partialOrder, symmetry, both]) {
        const reduced = explore(machine, reduction);
        expect(reduced.states).toBeLessThanOrEqual(found.states);
        expect(verdictsOf(reduced)).toEqual(verdictsOf(found));
        const rewrite = reduction.symmetry ? toCanonical : asIs;
        expect(endsOf(machine, reduced, asIs)).toEqual(endsOf(machine, found, rewrite));
      }
    },
  );

  it("takes at most 40 bytes a state with its parent at 3/2/1/1, growing included", () => {
    const found = explore(smallModel(sizeNamed("3/2/1/1")), full);
    expect(found.bytes.peak / found.states).toBeLessThanOrEqual(40);
    // Two words of state, and the parent: less cannot be.
    expect(found.bytes.now / found.states).toBeGreaterThan(12);
  });
});

/** The model with one thing done otherwise. */
function broken(
  size: string,
  change: (next: Slots, action: number, at: (field: string) => number) => void,
): Machine {
  const machine = smallModel(sizeNamed(size));
  const offsets = offsetsOf(machine.schema);
  return {
    ...machine,
    step: (state, action, next) => {
      machine.step(state, action, next);
      change(next, action, (field) => offsets.get(field) ?? -1);
    },
  };
}

describe("a small model that breaks a promise", () => {
  const committed = (action: number): boolean => (action & 15) === act.commit;

  // Each path is the least that the fault needs, counted by hand.
  it.each([
    {
      // Both attempts validate, check and commit, whatever is there.
      name: "OneDraft",
      steps: 6,
      machine: broken("2/2/1/0", (next, action, at) => {
        const attempt = action >> 4;
        if (!committed(action) || next[at(`snap ${attempt}`)] !== next[at("rev")]) return;
        if (next[at(`pc ${attempt}`)] !== phase.refused) return;
        const key = next[at(`key ${attempt}`)] ?? 0;
        next[at(`pc ${attempt}`)] = phase.committed;
        next[at(`crev ${attempt}`)] = next[at(`snap ${attempt}`)] ?? 0;
        next[at("cnt") + key] = 2;
      }),
    },
    {
      // Validate, check, commit, pass, write, release.
      name: "RelRcpt",
      steps: 6,
      machine: broken("2/2/1/0", (next, action, at) => {
        if ((action & 15) === act.writeReceipt) next[at(`rcpt ${action >> 4}`)] = 0;
      }),
    },
    {
      // Validate, check, policy change, commit.
      name: "CommitRev",
      steps: 4,
      machine: broken("2/2/1/0", (next, action, at) => {
        const attempt = action >> 4;
        if (!committed(action) || next[at(`pc ${attempt}`)] !== phase.refused) return;
        next[at(`pc ${attempt}`)] = phase.committed;
        next[at(`crev ${attempt}`)] = next[at("rev")] ?? 0;
      }),
    },
  ])("is found to break $name in $steps steps, however it is reduced", ({ name, steps, machine }) => {
    const stepsIn = (reduction: Exploration["reduction"]): number => {
      const found = explore(machine, reduction).always.find(({ id }) => id === name)?.verdict;
      return found?.kind === "violated" ? found.path.length : Number.NaN;
    };
    expect([stepsIn(full), stepsIn(symmetry)]).toEqual([steps, steps]);
    // In the reduced order the other attempt validates first, since that is its own affair.
    for (const reduction of [partialOrder, both]) {
      expect(stepsIn(reduction)).toBeGreaterThanOrEqual(steps);
      expect(stepsIn(reduction)).toBeLessThanOrEqual(steps + 1);
    }
  });
});
