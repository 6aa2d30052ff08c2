import type { Liveness, Machine, PromiseScope, Showing } from "../../src/explore/machine.js";

/** From a state to another; the action is the edge's place in the list. */
export type Edge = readonly [from: number, to: number];

type Toy = {
  /** Of states 0 to 255; 0 is the initial one. */
  readonly edges: readonly Edge[];
  readonly inState?: { readonly [state: number]: Showing };
  readonly onEdge?: { readonly [edge: number]: Showing };
  readonly always?: readonly PromiseScope[];
  readonly sometimes?: readonly PromiseScope[];
  readonly liveness?: readonly Liveness[];
};

/** What one promise broken shows. */
export function breaks(...broken: readonly string[]): Showing {
  return { broken, occurred: [] };
}

/** What one situation shows. */
export function shows(...occurred: readonly string[]): Showing {
  return { broken: [], occurred };
}

/** A promise that no reduction but symmetry of names harms. */
export function promise(id: string, scope: Partial<PromiseScope> = {}): PromiseScope {
  return { id, over: "one_attempt", looksAt: "values", ...scope };
}

/** A machine whose states are numbers and whose steps are listed. */
export function toyMachine({ edges, inState = {}, onEdge = {}, ...promises }: Toy): Machine {
  const showings: Showing[] = [shows()];
  const numbered = (shown: { readonly [at: number]: Showing }): Map<number, number> =>
    new Map(Object.entries(shown).map(([at, showing]) => [Number(at), showings.push(showing) - 1]));
  const ofStates = numbered(inState);
  const ofEdges = numbered(onEdge);
  return {
    name: "toy",
    schema: { fields: [{ name: "state", length: 1, values: 256 }] },
    initial: (into) => {
      into[0] = 0;
    },
    mostEnabled: Math.max(1, edges.length),
    enabled: (state, into) => {
      let count = 0;
      for (const [edge, [from]] of edges.entries()) if (from === state[0]) into[count++] = edge;
      return count;
    },
    step: (_, action, next) => {
      next[0] = edges[action]?.[1] ?? 0;
    },
    actionKinds: ["even", "odd"],
    kindOf: (action) => action % 2,
    actionName: (state, action) => `${state[0]} to ${edges[action]?.[1]}`,
    showings,
    showingOfState: (state) => ofStates.get(state[0] ?? 0) ?? 0,
    showingOfStep: (_, action) => ofEdges.get(action) ?? 0,
    always: [],
    sometimes: [],
    liveness: [],
    ...promises,
  };
}
