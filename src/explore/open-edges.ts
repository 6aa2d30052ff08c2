import { arrivalsOf, type DirectedGraph } from "./directed-graph.js";
import { type Distances, distanceToOpen, newDistances } from "./open-distances.js";

/** The edges of a graph that are still to be walked, and the way to the nearest of them. */
export type OpenEdges = {
  readonly isOpen: (edge: number) => boolean;
  /** Whether a way may lead over the edge, open or closed. */
  readonly isPassable: (edge: number) => boolean;
  /** How many open edges leave the node. */
  readonly openFrom: (node: number) => number;
  readonly close: (edge: number) => void;
  /** Opens a closed edge again, unless it is blocked. */
  readonly reopen: (edge: number) => void;
  /** Closes the edge for good, and lets no way lead over it any more. */
  readonly block: (edge: number) => void;
  /** The fewest steps from this node to one that an open edge leaves; `never` if there is none. */
  readonly distance: (node: number) => number;
  /** The first edge of that way; an open one if the distance is 0. Only right after `distance(node)`. */
  readonly towards: (node: number) => number;
};

const closed = 1;
const blocked = 2;

/** All edges are open at first. */
export const createOpenEdges = (graph: DirectedGraph): OpenEdges => {
  const flags = new Uint8Array(graph.target.length);
  const isPassable = (edge: number): boolean => ((flags[edge] ?? blocked) & blocked) === 0;
  const distances = newDistances(graph, isPassable);
  const { openAt, cursor, source } = distances;
  const arrivals = arrivalsOf(graph);
  const isOpen = (edge: number): boolean => flags[edge] === 0;
  const shut = (edge: number, flag: number): void => {
    const node = source[edge] ?? 0;
    if (isOpen(edge)) openAt[node] = (openAt[node] ?? 0) - 1;
    flags[edge] = (flags[edge] ?? 0) | flag;
  };
  return {
    isOpen,
    isPassable,
    openFrom: (node) => openAt[node] ?? 0,
    close: (edge) => shut(edge, closed),
    block: (edge) => shut(edge, blocked),
    reopen: (edge) => {
      if (flags[edge] !== closed) return;
      const node = source[edge] ?? 0;
      flags[edge] = 0;
      openAt[node] = (openAt[node] ?? 0) + 1;
      bringNearer(distances, node, (arrived) => {
        const into = arrivals.edge.subarray(arrivals.first[arrived], arrivals.first[arrived + 1]);
        return into.map((edgeInto) => source[edgeInto] ?? 0);
      });
    },
    distance: (node) => distanceToOpen(distances, node),
    towards: (node) => {
      let edge = cursor[node] ?? 0;
      if (openAt[node] !== 0) while (!isOpen(edge)) edge += 1;
      cursor[node] = edge;
      return edge;
    },
  };
};

/** Lowers the bounds of `node`, which an open edge leaves again, and of those before it that this may bring nearer. */
const bringNearer = (
  { bound, cursor, firstEdge }: Distances,
  node: number,
  before: (node: number) => Uint32Array,
): void => {
  bound[node] = 0;
  cursor[node] = firstEdge[node] ?? 0;
  const queue = [node];
  for (const nearer of queue) {
    const through = (bound[nearer] ?? 0) + 1;
    for (const earlier of before(nearer)) {
      if ((bound[earlier] ?? 0) <= through) continue;
      bound[earlier] = through;
      queue.push(earlier);
    }
  }
};
