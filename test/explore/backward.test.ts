import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inevitable, recoverable } from "../../src/explore/backward.js";
import type { LivenessVerdict } from "../../src/explore/exploration.js";
import type { Graph } from "../../src/explore/graph.js";
import type { Liveness } from "../../src/explore/machine.js";
import { search } from "../../src/explore/search.js";
import { type Edge, toyMachine } from "./toy-machine.js";

const size = 7;
const node = fc.nat({ max: size - 1 });
const edges: fc.Arbitrary<readonly Edge[]> = fc.array(fc.tuple(node, node), { maxLength: 14 });

function graphOf(all: readonly Edge[]): Graph & { readonly order: readonly number[] } {
  const order = [...all.keys()].sort((one, other) => (all[one]?.[0] ?? 0) - (all[other]?.[0] ?? 0));
  return {
    order,
    firstEdge: Uint32Array.from(
      { length: size + 1 },
      (_, state) => all.filter(([from]) => from < state).length,
    ),
    target: Uint32Array.from(order, (edge) => all[edge]?.[1] ?? 0),
    action: Int32Array.from(order),
  };
}

function marks(states: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: size }, (_, state) => (states.includes(state) ? 1 : 0));
}

/** Whether a goal can be reached over at most `size` edges: more are never needed. */
function canReach(all: readonly Edge[], goals: readonly number[], from: number, left = size): boolean {
  if (goals.includes(from)) return true;
  return left > 0 && all.some(([start, to]) => start === from && canReach(all, goals, to, left - 1));
}

/** Whether every way reaches a goal within `size` edges: one that does not passes a state twice. */
function mustReach(all: readonly Edge[], goals: readonly number[], from: number, left = size): boolean {
  if (goals.includes(from)) return true;
  const onwards = all.filter(([start]) => start === from);
  return left > 0 && onwards.length > 0 && onwards.every(([, to]) => mustReach(all, goals, to, left - 1));
}

const cases = fc.record({
  all: edges,
  goals: fc.uniqueArray(node, { maxLength: 3 }),
  asked: fc.option(fc.uniqueArray(node), { nil: undefined }),
  forbidden: fc.uniqueArray(fc.nat({ max: 13 }), { maxLength: 4 }),
});

describe("backward analysis", () => {
  it.each([
    ["recoverable", recoverable, canReach],
    ["inevitable", inevitable, mustReach],
  ] as const)("of %s agrees with following every way", (_, analyse, reaches) => {
    fc.assert(
      fc.property(cases, ({ all, goals, asked, forbidden }) => {
        const graph = graphOf(all);
        const isAllowed = (edge: number): boolean => !forbidden.includes(graph.action[edge] ?? 0);
        const isAsked = asked === undefined ? undefined : marks(asked);
        const found = analyse(graph, { isGoal: marks(goals), isAllowed, isAsked });
        const allowed = all.filter((_edge, index) => !forbidden.includes(index));
        const wrong = Array.from({ length: size }, (_state, state) => state).find(
          (state) => (asked?.includes(state) ?? true) && !reaches(allowed, goals, state),
        );
        expect(found.kind === "holds" ? undefined : found.state).toBe(wrong);
      }),
      { numRuns: 1000 },
    );
  });

  it("shows how it goes on where a goal is not inevitable", () => {
    fc.assert(
      fc.property(edges, fc.uniqueArray(node, { maxLength: 3 }), (all, goals) => {
        const graph = graphOf(all);
        const found = inevitable(graph, { isGoal: marks(goals), isAllowed: () => true, isAsked: undefined });
        if (found.kind === "holds") return;
        const passed = [found.state, ...found.way];
        expect(passed.filter((state) => goals.includes(state))).toEqual([]);
        passed.slice(1).forEach((to, index) => {
          expect(all).toContainEqual([passed[index], to]);
        });
        const last = passed.at(-1) ?? -1;
        if (found.roundFrom === undefined) expect(all.filter(([from]) => from === last)).toEqual([]);
        else expect(passed[found.roundFrom]).toBe(last);
      }),
    );
  });

  it("takes time in proportion to the edges", () => {
    // A line of a million states, which is the worst for anything that goes over it more than once.
    const states = 1_000_000;
    const graph = {
      firstEdge: Uint32Array.from({ length: states + 1 }, (_, state) => Math.min(state, states - 1)),
      target: Uint32Array.from({ length: states - 1 }, (_, state) => state + 1),
      action: new Int32Array(states - 1),
    };
    const isGoal = new Uint8Array(states);
    isGoal[states - 1] = 1;
    const question = { isGoal, isAllowed: () => true, isAsked: undefined };
    expect(recoverable(graph, question)).toEqual({ kind: "holds" });
    expect(inevitable(graph, question)).toEqual({ kind: "holds" });
  });
});

describe("a liveness promise", () => {
  /** 0 to 1 to 2; 1 to 3, which goes round with 4; 4 to 5, where it ends. */
  const all: readonly Edge[] = [
    [0, 1],
    [1, 2],
    [1, 3],
    [3, 4],
    [4, 3],
    [4, 5],
  ];

  function verdictOf(
    liveness: Omit<Liveness, "id">,
    stored: "graph" | "states" = "graph",
  ): LivenessVerdict | undefined {
    const machine = toyMachine({ edges: all, liveness: [{ id: "L", ...liveness }] });
    const reduction = { partialOrder: false, symmetry: false };
    return search(machine, { reduction, stored }).liveness[0]?.verdict;
  }

  const goalIs =
    (...goals: readonly number[]): Liveness["goal"] =>
    ([state]) =>
      goals.includes(state ?? -1);
  const any = (): boolean => true;

  it("holds where there is always a way", () => {
    expect(verdictOf({ kind: "recoverable", goal: goalIs(2, 5), via: any })).toEqual({ kind: "holds" });
  });

  it("is violated at the state of least depth from which there is none", () => {
    // From 2 there is no way to 5, and 2 comes before 3, from which there is none to 2.
    const verdict = verdictOf({ kind: "recoverable", goal: goalIs(5), via: any });
    expect(verdict?.kind === "violated" && verdict.path.map(({ name }) => name)).toEqual([
      "0 to 1",
      "1 to 2",
    ]);
    expect(verdict?.kind === "violated" && verdict.failure).toEqual({ kind: "no_way_to_the_goal" });
  });

  it("is not violated by states of which it is not asked", () => {
    expect(verdictOf({ kind: "recoverable", goal: goalIs(5), via: any, from: goalIs(3, 4, 0) })).toEqual({
      kind: "holds",
    });
  });

  it("uses no step that it may not", () => {
    // Without the step from 4 to 5, edge 5, there is no way out of the round.
    const verdict = verdictOf({ kind: "recoverable", goal: goalIs(2, 5), via: (action) => action !== 5 });
    expect(verdict?.kind === "violated" && verdict.path.map(({ name }) => name)).toEqual([
      "0 to 1",
      "1 to 3",
    ]);
  });

  it("is violated by a way that goes round before the goal", () => {
    const verdict = verdictOf({ kind: "inevitable", goal: goalIs(2, 5), via: any });
    expect(verdict).toMatchObject({
      kind: "violated",
      path: [],
      failure: {
        kind: "goes_round",
        after: [{ name: "0 to 1" }, { name: "1 to 3" }],
        round: [{ name: "3 to 4" }, { name: "4 to 3" }],
      },
    });
  });

  it("is violated by a way that ends before the goal", () => {
    const verdict = verdictOf({ kind: "inevitable", goal: goalIs(3), via: any });
    expect(verdict).toMatchObject({
      kind: "violated",
      path: [],
      failure: { kind: "stuck", after: [{ name: "0 to 1" }, { name: "1 to 2" }] },
    });
  });

  it("holds where every way leads to the goal", () => {
    expect(verdictOf({ kind: "inevitable", goal: goalIs(2, 3), via: any, from: goalIs(0, 1) })).toEqual({
      kind: "holds",
    });
  });

  it("is not checked without the graph", () => {
    expect(verdictOf({ kind: "recoverable", goal: goalIs(5), via: any }, "states")).toEqual({
      kind: "not_checked",
      why: "the_graph_is_not_stored",
    });
  });
});
