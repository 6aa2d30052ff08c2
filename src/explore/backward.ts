import type { Graph } from "./graph.js";

/** One byte a state or edge where it is so. */
type Question = {
  readonly isGoal: Uint8Array;
  readonly isAllowed: (edge: number) => boolean;
  /** States of which it is asked; all of them if undefined. */
  readonly isAsked: Uint8Array | undefined;
};

export type Recoverable = { readonly kind: "holds" } | { readonly kind: "violated"; readonly state: number };

/** Whether from every state asked some way of allowed edges leads to a goal; else the least state from which none does. */
export function recoverable(graph: Graph, question: Question): Recoverable {
  const reversed = allowedReversed(graph, question.isAllowed);
  const reaches = Uint8Array.from(question.isGoal);
  spread(reversed, reaches, () => true);
  const state = leastOutside(reaches, question.isAsked);
  return state === undefined ? { kind: "holds" } : { kind: "violated", state };
}

export type Inevitable =
  | { readonly kind: "holds" }
  | {
      readonly kind: "violated";
      readonly state: number;
      /** States passed after it without meeting a goal, until none may follow or one comes again. */
      readonly way: readonly number[];
      /** How many steps of the way come before what goes round; undefined if it ends stuck. */
      readonly roundFrom: number | undefined;
    };

/**
 * Whether from every state asked every way of allowed edges leads to a goal; else the least state from which one does
 * not, and that way. A state without an allowed edge that is no goal is the end of a way.
 */
export function inevitable(graph: Graph, question: Question): Inevitable {
  const reversed = allowedReversed(graph, question.isAllowed);
  const left = Uint32Array.from(reversed.allowedFrom);
  const must = Uint8Array.from(question.isGoal);
  spread(reversed, must, (source) => {
    left[source] = (left[source] ?? 0) - 1;
    return left[source] === 0;
  });
  const state = leastOutside(must, question.isAsked);
  return state === undefined
    ? { kind: "holds" }
    : { kind: "violated", state, ...wayOutside(graph, question, must, state) };
}

/** Allowed edges by where they lead to, and how many there are by where they start. */
type Reversed = {
  readonly firstEdge: Uint32Array;
  readonly source: Uint32Array;
  readonly allowedFrom: Uint32Array;
};

function allowedReversed(graph: Graph, isAllowed: (edge: number) => boolean): Reversed {
  const { target } = graph;
  const states = graph.firstEdge.length - 1;
  const firstEdge = new Uint32Array(states + 1);
  const allowed = new Uint8Array(target.length);
  const allowedFrom = new Uint32Array(states);
  for (let edge = 0; edge < target.length; edge++) {
    if (!isAllowed(edge)) continue;
    allowed[edge] = 1;
    const to = target[edge] ?? 0;
    firstEdge[to] = (firstEdge[to] ?? 0) + 1;
  }
  // After this, each entry is where the edges of the next one begin; filling from the back moves it to its own.
  for (let state = 1; state <= states; state++) {
    firstEdge[state] = (firstEdge[state] ?? 0) + (firstEdge[state - 1] ?? 0);
  }
  const source = new Uint32Array(firstEdge[states] ?? 0);
  for (let state = states - 1; state >= 0; state--) {
    for (let edge = graph.firstEdge[state] ?? 0; edge < (graph.firstEdge[state + 1] ?? 0); edge++) {
      if (allowed[edge] !== 1) continue;
      const to = target[edge] ?? 0;
      const place = (firstEdge[to] ?? 0) - 1;
      firstEdge[to] = place;
      source[place] = state;
      allowedFrom[state] = (allowedFrom[state] ?? 0) + 1;
    }
  }
  return { firstEdge, source, allowedFrom };
}

/** Adds to `inside`, over and over, what has an edge into it and is let in; asked once for each such edge. */
function spread(
  { firstEdge, source }: Reversed,
  inside: Uint8Array,
  isLetIn: (state: number) => boolean,
): void {
  const queue = new Uint32Array(inside.length);
  let length = 0;
  for (let state = 0; state < inside.length; state++) if (inside[state] === 1) queue[length++] = state;
  for (let read = 0; read < length; read++) {
    const state = queue[read] ?? 0;
    for (let edge = firstEdge[state] ?? 0; edge < (firstEdge[state + 1] ?? 0); edge++) {
      const before = source[edge] ?? 0;
      if (inside[before] === 1 || !isLetIn(before)) continue;
      inside[before] = 1;
      queue[length++] = before;
    }
  }
}

/** States are numbered breadth first: the least number is of least depth. */
function leastOutside(inside: Uint8Array, isAsked: Uint8Array | undefined): number | undefined {
  const state = inside.findIndex((is, index) => is === 0 && (isAsked === undefined || isAsked[index] === 1));
  return state < 0 ? undefined : state;
}

/** Outside of what must reach a goal, every state with an allowed edge has one that stays outside. */
function wayOutside(
  graph: Graph,
  { isAllowed }: Question,
  must: Uint8Array,
  start: number,
): { readonly way: readonly number[]; readonly roundFrom: number | undefined } {
  const passedAt = new Map([[start, 0]]);
  const way: number[] = [];
  for (let state = start; ; ) {
    const edges = graph.target.subarray(graph.firstEdge[state], graph.firstEdge[state + 1]);
    const first = graph.firstEdge[state] ?? 0;
    const next = edges.find((target, index) => must[target] === 0 && isAllowed(first + index));
    if (next === undefined) return { way, roundFrom: undefined };
    way.push(next);
    const passed = passedAt.get(next);
    if (passed !== undefined) return { way, roundFrom: passed };
    passedAt.set(next, way.length);
    state = next;
  }
}
