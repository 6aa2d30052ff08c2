import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exploration } from "../../src/explore/exploration.js";
import type { Machine } from "../../src/explore/machine.js";
import { type SearchOptions, search, startSearch } from "../../src/explore/search.js";
import { breaks, type Edge, promise, shows, toyMachine } from "./toy-machine.js";

const plain: SearchOptions = { reduction: { partialOrder: false, symmetry: false }, stored: "states" };
const graph: SearchOptions = { ...plain, stored: "graph" };

/** 0 to 1 to 3 to 4, 0 to 2 to 3, and 4 back to 1; 5 is reached by nothing. */
const diamond: readonly Edge[] = [
  [0, 1],
  [0, 2],
  [1, 3],
  [2, 3],
  [3, 4],
  [4, 1],
  [5, 0],
];

const edges = fc.array(fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 11 })), { maxLength: 30 });

function stateOf(exploration: Exploration, state: number): number {
  const slots = new Uint8Array(1);
  exploration.stored.read(state, slots);
  return slots[0] ?? -1;
}

function statesOf(exploration: Exploration): readonly number[] {
  return Array.from({ length: exploration.stored.count }, (_, state) => stateOf(exploration, state));
}

/** Fewest steps to each state, in the order met, by an ordinary queue. */
function depthsByHand(all: readonly Edge[]): ReadonlyMap<number, number> {
  const depths = new Map([[0, 0]]);
  for (const [state, depth] of depths) {
    for (const [from, to] of all) if (from === state && !depths.has(to)) depths.set(to, depth + 1);
  }
  return depths;
}

function actionsTo(
  verdict: Exploration["always"][number]["verdict"] | undefined,
): readonly number[] | undefined {
  return verdict?.kind === "violated" ? verdict.path.map(({ action }) => action) : undefined;
}

describe("a search", () => {
  it("meets each state once, breadth first, and counts every step", () => {
    const found = search(toyMachine({ edges: diamond }), plain);
    expect(statesOf(found)).toEqual([0, 1, 2, 3, 4]);
    // Six of the seven edges can be walked, three with an even number.
    expect([found.states, found.transitions, found.depth]).toEqual([5, 6, 3]);
    expect(found.steps).toEqual([
      { kind: "even", count: 3 },
      { kind: "odd", count: 3 },
    ]);
    expect(found.outcome).toEqual({ kind: "complete" });
    expect(found.deadEnds).toHaveLength(0);
  });

  it("agrees with an ordinary search on states, depths, dead ends and edges", () => {
    fc.assert(
      fc.property(edges, (all) => {
        const found = search(toyMachine({ edges: all }), graph);
        const depths = depthsByHand(all);
        const met = statesOf(found);
        expect(met).toEqual([...depths.keys()]);
        expect(met.map((_, state) => found.stored.depthOf(state))).toEqual([...depths.values()]);
        expect(found.depth).toBe(Math.max(...depths.values()));
        const walkable = all.filter(([from]) => depths.has(from));
        expect(found.transitions).toBe(walkable.length);
        const ended = met.filter((state) => all.every(([from]) => from !== state));
        expect([...found.deadEnds].map((state) => met[state])).toEqual(ended);
        expect(edgesOf(found).sort()).toEqual(walkable.map(([from, to]) => `${from} ${to}`).sort());
      }),
    );
  });

  it("tells a shortest path to every state", () => {
    fc.assert(
      fc.property(edges, (all) => {
        const found = search(toyMachine({ edges: all }), plain);
        statesOf(found).forEach((state, number) => {
          const path = found.stored.pathTo(number);
          expect(path).toHaveLength(found.stored.depthOf(number));
          expect(
            path.reduce((at, { action }) => (all[action]?.[0] === at ? (all[action]?.[1] ?? -1) : -1), 0),
          ).toBe(state);
        });
      }),
    );
  });

  it("names the steps of a path as the machine does", () => {
    const found = search(toyMachine({ edges: diamond }), plain);
    expect(found.stored.pathTo(4)).toEqual([
      { action: 0, name: "0 to 1" },
      { action: 2, name: "1 to 3" },
      { action: 4, name: "3 to 4" },
    ]);
  });

  it("throws when a value does not fit the schema", () => {
    const machine = toyMachine({ edges: [[0, 7]] });
    const narrow = { ...machine, schema: { fields: [{ name: "state", length: 1, values: 5 }] } };
    // 7 fits the 3 bits that 5 values take, and is another state than the five; 8 would be taken for 0.
    expect(search(narrow, plain).states).toBe(2);
    const wide = { ...narrow, step: toyMachine({ edges: [[0, 8]] }).step };
    expect(() => search(wide, plain)).toThrow("after action 0 state is 8, and takes 0 to 4");
  });
});

describe("a search of a machine that breaks its word", () => {
  it("throws when a state has more actions than any may have", () => {
    const machine = { ...toyMachine({ edges: diamond }), mostEnabled: 1 };
    expect(() => search(machine, plain)).toThrow("a state has 2 actions, and none may have more than 1");
  });
});

/** As "from to", by the graph. */
function edgesOf(found: Exploration): string[] {
  if (found.stored.graph.kind === "not_stored") return [];
  const { firstEdge, target } = found.stored.graph.graph;
  return statesOf(found).flatMap((state, number) =>
    [...target.subarray(firstEdge[number], firstEdge[number + 1])].map(
      (to) => `${state} ${stateOf(found, to)}`,
    ),
  );
}

describe("an always promise", () => {
  const always = [promise("P"), promise("Q")];

  it("is violated over a shortest path where a state breaks it, and holds where none does", () => {
    const found = search(toyMachine({ edges: diamond, always, inState: { 4: breaks("P") } }), plain);
    // Over state 1, which is met before 2.
    expect(actionsTo(found.always[0]?.verdict)).toEqual([0, 2, 4]);
    expect(found.always[1]).toEqual({ id: "Q", verdict: { kind: "holds" } });
  });

  it("is violated by the step that breaks it, which need not be the first way to its state", () => {
    const found = search(toyMachine({ edges: diamond, always, onEdge: { 3: breaks("P") } }), plain);
    expect(actionsTo(found.always[0]?.verdict)).toEqual([1, 3]);
  });

  it("is violated by the second of two steps between the same states", () => {
    const twice: readonly Edge[] = [
      [0, 1],
      [0, 1],
    ];
    const found = search(toyMachine({ edges: twice, always, onEdge: { 1: breaks("P") } }), plain);
    expect(actionsTo(found.always[0]?.verdict)).toEqual([1]);
  });

  it("is violated at once if the initial state breaks it", () => {
    const found = search(toyMachine({ edges: diamond, always, inState: { 0: breaks("Q") } }), plain);
    expect(actionsTo(found.always[1]?.verdict)).toEqual([]);
  });

  it("does not stop the search, unless asked", () => {
    const machine = toyMachine({ edges: diamond, always, inState: { 1: breaks("P"), 4: breaks("Q") } });
    const whole = search(machine, plain);
    expect(whole.outcome).toEqual({ kind: "complete" });
    expect(whole.always.map(({ verdict }) => verdict.kind)).toEqual(["violated", "violated"]);
    const stopped = search(machine, { ...plain, stopAtFirst: true });
    expect(stopped.outcome).toEqual({ kind: "undecided", reason: "violation" });
    expect(actionsTo(stopped.always[0]?.verdict)).toEqual([0]);
  });

  it("is violated over as few steps as in an ordinary search", () => {
    fc.assert(
      fc.property(edges, fc.nat({ max: 11 }), (all, bad) => {
        const found = search(toyMachine({ edges: all, always, inState: { [bad]: breaks("P") } }), plain);
        expect(actionsTo(found.always[0]?.verdict)?.length).toBe(depthsByHand(all).get(bad));
      }),
    );
  });
});

describe("a sometimes promise", () => {
  it("occurs over a shortest path, or never", () => {
    const sometimes = ["far", "by step", "nowhere"].map((id) => promise(id));
    const inState = { 3: shows("far"), 5: shows("nowhere") };
    const found = search(
      toyMachine({ edges: diamond, sometimes, inState, onEdge: { 5: shows("by step") } }),
      plain,
    );
    expect(found.sometimes.map(({ verdict }) => verdict.kind)).toEqual(["occurs", "occurs", "never_occurs"]);
    const paths = found.sometimes.map(({ verdict }) =>
      verdict.kind === "occurs" ? verdict.path.length : undefined,
    );
    expect(paths).toEqual([2, 4, undefined]);
  });
});

describe("an unfinished search", () => {
  const line: readonly Edge[] = Array.from({ length: 200 }, (_, at) => [at, at + 1]);
  const machine = toyMachine({
    edges: line,
    always: [promise("P"), promise("Q")],
    sometimes: [promise("early"), promise("late")],
    liveness: [{ id: "ends", kind: "recoverable", goal: () => true, via: () => true }],
    inState: { 2: { broken: ["P"], occurred: ["early"] }, 199: { broken: ["Q"], occurred: ["late"] } },
  });

  function verdictsOf({ always, sometimes, liveness }: Exploration): readonly string[] {
    return [...always, ...sometimes, ...liveness].map(({ verdict }) => verdict.kind);
  }

  it("keeps what it saw and is undecided about the rest", () => {
    const found = search(machine, { ...graph, maxStates: 100 });
    expect(found.outcome).toEqual({ kind: "undecided", reason: "max_states" });
    expect(found.states).toBe(100);
    expect(verdictsOf(found)).toEqual(["violated", "undecided", "occurs", "undecided", "undecided"]);
    expect(found.stored.graph.kind === "stored" && found.stored.graph.graph.firstEdge.length).toBe(101);
  });

  it("is complete with exactly as many states as it may have", () => {
    expect(search(machine, { ...graph, maxStates: 201 }).outcome).toEqual({ kind: "complete" });
    expect(search(machine, { ...graph, maxStates: 200 }).outcome.kind).toBe("undecided");
  });

  it("ends when its time is over", () => {
    let clock = 0;
    const found = search(machine, { ...plain, timeMs: 0, now: () => clock++ });
    expect(found.outcome).toEqual({ kind: "undecided", reason: "time" });
  });

  it("ends when it is interrupted", () => {
    const found = search(machine, { ...plain, isInterrupted: () => true });
    expect(found.outcome).toEqual({ kind: "undecided", reason: "interrupted" });
    expect(verdictsOf(found)).toEqual(["undecided", "undecided", "undecided", "undecided", "not_checked"]);
  });

  it("ends when its memory is used up, be it by states or by the graph", () => {
    const wide = counters(3);
    const whole = search(wide, graph);
    expect(whole.outcome).toEqual({ kind: "complete" });
    for (const maxBytes of [300_000, 600_000, 900_000]) {
      const found = search(wide, { ...graph, maxBytes });
      expect(found.outcome).toEqual({ kind: "undecided", reason: "memory" });
      expect(found.bytes.peak).toBeLessThanOrEqual(maxBytes);
      expect(found.states).toBeLessThan(whole.states);
    }
  });

  it("goes on where it was left", () => {
    const going = startSearch(counters(2), plain);
    let turns = 0;
    while (!going.advance(100)) turns++;
    // 1,024 states, 100 in a turn, and a turn to see that there are no more.
    expect(turns).toBe(10);
    const { states, expanded, depth } = going.progress();
    expect([states, expanded, depth]).toEqual([1024, 1024, 62]);
    expect(going.exploration().outcome).toEqual({ kind: "complete" });
  });

  it("is interrupted where it was left", () => {
    const going = startSearch(counters(2), plain);
    going.advance(100);
    expect(going.progress().expanded).toBeGreaterThanOrEqual(100);
    expect(going.exploration().outcome).toEqual({ kind: "undecided", reason: "interrupted" });
  });
});

/** So many counters from 0 to 31: 32 to that power states. */
function counters(count: number): Machine {
  const toy = toyMachine({ edges: [] });
  return {
    ...toy,
    schema: { fields: [{ name: "counter", length: count, values: 32 }] },
    initial: (into) => {
      into.fill(0);
    },
    mostEnabled: count,
    enabled: (state, into) => {
      let enabled = 0;
      for (let counter = 0; counter < count; counter++)
        if ((state[counter] ?? 0) < 31) into[enabled++] = counter;
      return enabled;
    },
    step: (state, action, next) => {
      next[action] = (state[action] ?? 0) + 1;
    },
  };
}
