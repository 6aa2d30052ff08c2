import { type DirectedGraph, sourcesOf } from "./directed-graph.js";

/** The distance of a node from which no open edge can be reached. */
export const never = 0xffff_ffff;

/**
 * What is known of the way from each node to the nearest one that an open edge leaves. A bound is never more than
 * the distance, and never more than one above that of a node one step on.
 */
export type Distances = DirectedGraph & {
  readonly source: Uint32Array;
  readonly isPassable: (edge: number) => boolean;
  /** How many open edges leave each node. */
  readonly openAt: Uint32Array;
  readonly bound: Uint32Array;
  /** Where to look next among the edges of a node; no open edge stands before it. */
  readonly cursor: Uint32Array;
  readonly search: Search;
};

/** What a breadth-first search keeps of the nodes that it has found: see `searched`. */
type Search = {
  readonly queue: Uint32Array;
  readonly foundBy: Uint32Array;
  readonly depth: Uint32Array;
  /** The number of the search that found a node last. */
  readonly foundIn: Uint32Array;
  readonly runs: { count: number };
};

/** The distances while all edges are open. */
export const newDistances = (graph: DirectedGraph, isPassable: (edge: number) => boolean): Distances => {
  const { firstEdge } = graph;
  const nodes = firstEdge.length - 1;
  const openAt = Uint32Array.from({ length: nodes }, (_, node) =>
    Math.max(0, (firstEdge[node + 1] ?? 0) - (firstEdge[node] ?? 0)),
  );
  return {
    ...graph,
    source: sourcesOf(graph),
    isPassable,
    openAt,
    bound: openAt.map((open) => (open > 0 ? 0 : never)),
    cursor: firstEdge.slice(0, nodes),
    search: {
      queue: new Uint32Array(nodes),
      foundBy: new Uint32Array(nodes),
      depth: new Uint32Array(nodes),
      foundIn: new Uint32Array(nodes),
      runs: { count: 0 },
    },
  };
};

/** How many edges are looked at in the first attempt of either kind. */
const firstPatience = 512;

/**
 * The fewest steps from `node` to one that an open edge leaves, or `never`; leaves the cursors along that way at its
 * edges. As long as edges are only closed, bounds only grow, so that in a graph without cycles all questions together
 * cost no more than edges times the longest distance. Where a cycle has no open edge left, bounds would chase each
 * other upwards: there a search finds out, and what it visits in vain is never visited again. As it is not known
 * which of the two is quicker, they take turns, each time with more patience.
 */
export const distanceToOpen = (distances: Distances, node: number): number => {
  let patience = firstPatience;
  while (!settled(distances, node, patience) && !searched(distances, node, patience)) patience *= 4;
  return distances.bound[node] ?? never;
};

/** Raises bounds below `start` until its own is exact; false if patience ran out first. */
const settled = (distances: Distances, start: number, patience: number): boolean => {
  const { bound, target, openAt } = distances;
  // Bounds fall along this way at each step, so that no node is on it twice.
  const way = [start];
  let exact = bound.length;
  let left = patience;
  for (let node = way.at(-1); node !== undefined && bound[node] !== never; node = way.at(-1)) {
    if (left < 0) return false;
    const edge = openAt[node] === 0 ? candidate(distances, node) : noEdge;
    const next = target[edge] ?? exact;
    if (openAt[node] !== 0 || (edge !== noEdge && next === exact)) {
      exact = node;
      way.pop();
    } else if (edge !== noEdge) {
      way.push(next);
      left -= 1;
    } else {
      const before = bound[node];
      left -= raised(distances, node);
      // A node further away than its predecessor hoped is of no use to it; the predecessor looks elsewhere.
      if (node !== start && bound[node] !== before) way.pop();
    }
  }
  return true;
};

const noEdge = -1;

/** Moves the cursor on to an edge that begins a way as short as the bound, if bounds are right; `noEdge` if none is left. */
const candidate = (distances: Distances, node: number): number => {
  const { firstEdge, target, bound, cursor, isPassable } = distances;
  const level = bound[node] ?? 0;
  const end = firstEdge[node + 1] ?? 0;
  let edge = cursor[node] ?? 0;
  while (edge < end && !((bound[target[edge] ?? 0] ?? never) < level && isPassable(edge))) edge += 1;
  cursor[node] = edge;
  return edge < end ? edge : noEdge;
};

/** Sets the bound one above the least of the next nodes, and the cursor back; how many edges that took. */
const raised = (distances: Distances, node: number): number => {
  const { firstEdge, target, bound, cursor, isPassable } = distances;
  const begin = firstEdge[node] ?? 0;
  const end = firstEdge[node + 1] ?? 0;
  let least = never;
  for (let edge = begin; edge < end; edge += 1) {
    const next = target[edge] ?? node;
    if (next !== node && isPassable(edge)) least = Math.min(least, bound[next] ?? never);
  }
  bound[node] = least === never ? never : least + 1;
  cursor[node] = begin;
  return end - begin + 1;
};

/**
 * Finds the exact distance of `start` breadth-first, and raises the bounds of all that it comes by; false if patience
 * ran out first.
 */
const searched = (distances: Distances, start: number, patience: number): boolean => {
  const { bound, target, openAt, firstEdge, isPassable, search } = distances;
  const { queue, foundBy, depth, foundIn, runs } = search;
  runs.count += 1;
  queue[0] = start;
  foundIn[start] = runs.count;
  depth[start] = 0;
  let tail = 1;
  let left = patience;
  for (let head = 0; head < tail; head += 1) {
    const node = queue[head] ?? 0;
    if (openAt[node] !== 0) {
      raiseAround(distances, queue.subarray(0, tail), node);
      return true;
    }
    const begin = firstEdge[node] ?? 0;
    const end = firstEdge[node + 1] ?? 0;
    left -= end - begin;
    if (left < 0) return false;
    for (let edge = begin; edge < end; edge += 1) {
      const next = target[edge] ?? 0;
      if (foundIn[next] === runs.count || bound[next] === never || !isPassable(edge)) continue;
      foundIn[next] = runs.count;
      foundBy[next] = edge;
      depth[next] = (depth[node] ?? 0) + 1;
      queue[tail] = next;
      tail += 1;
    }
  }
  for (const node of queue.subarray(0, tail)) bound[node] = never;
  return true;
};

/** None of the nodes found has an open edge nearer than `nearest`, the last that the search looked at. */
const raiseAround = (distances: Distances, found: Uint32Array, nearest: number): void => {
  const { bound, cursor, source, search } = distances;
  const { foundBy, depth } = search;
  const distance = depth[nearest] ?? 0;
  for (const node of found) {
    const least = distance - (depth[node] ?? 0);
    if (least > (bound[node] ?? 0)) bound[node] = least;
  }
  for (let node = nearest; node !== found[0]; ) {
    const edge = foundBy[node] ?? 0;
    node = source[edge] ?? 0;
    cursor[node] = edge;
  }
};
