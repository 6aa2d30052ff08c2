import assert from "node:assert/strict";
import type { Graph } from "./graph.js";

/** A stored graph as it is walked, whatever its actions are. Node 0 is the initial one. */
export type DirectedGraph = Pick<Graph, "firstEdge" | "target">;

/** Throws an `AssertionError` unless there is a node 0 and every edge leads to a node. */
export const assertGraph = ({ firstEdge, target }: DirectedGraph): void => {
  const nodes = firstEdge.length - 1;
  assert(nodes > 0, "a graph to walk needs its initial node");
  assert.equal(firstEdge[nodes], target.length, "the last entry of firstEdge counts the edges");
  for (let edge = 0; edge < target.length; edge += 1) {
    const node = target[edge] ?? nodes;
    if (node >= nodes) assert.fail(`edge ${edge} leads to ${node}, of ${nodes} nodes`);
  }
};

/** The node that each edge leaves. */
export const sourcesOf = ({ firstEdge, target }: DirectedGraph): Uint32Array => {
  const source = new Uint32Array(target.length);
  for (let node = 0; node + 1 < firstEdge.length; node += 1) {
    source.fill(node, firstEdge[node], firstEdge[node + 1]);
  }
  return source;
};

/** The edges that arrive at node `n` are `edge[first[n]]` up to, not including, `edge[first[n + 1]]`. */
export type Arrivals = { readonly first: Uint32Array; readonly edge: Uint32Array };

/** The edges of the graph in order of the node they lead to. */
export const arrivalsOf = ({ firstEdge, target }: DirectedGraph): Arrivals => {
  const first = new Uint32Array(firstEdge.length);
  for (const node of target) first[node + 1] = (first[node + 1] ?? 0) + 1;
  for (let node = 1; node < first.length; node += 1) {
    first[node] = (first[node] ?? 0) + (first[node - 1] ?? 0);
  }
  const edge = new Uint32Array(target.length);
  const free = first.slice();
  for (let index = 0; index < target.length; index += 1) {
    const node = target[index] ?? 0;
    const at = free[node] ?? 0;
    edge[at] = index;
    free[node] = at + 1;
  }
  return { first, edge };
};

/** The depth of a node that was not reached. */
export const unreached = 0xffff_ffff;

/** The fewest steps from node 0 to each node over edges that are `passable`; `unreached` for the others. */
export const depthsOf = (
  { firstEdge, target }: DirectedGraph,
  passable: (edge: number) => boolean,
): Uint32Array => {
  const nodes = firstEdge.length - 1;
  const depth = new Uint32Array(nodes).fill(unreached);
  const queue = new Uint32Array(nodes);
  depth[0] = 0;
  for (let head = 0, tail = 1; head < tail; head += 1) {
    const node = queue[head] ?? 0;
    const end = firstEdge[node + 1] ?? 0;
    for (let edge = firstEdge[node] ?? 0; edge < end; edge += 1) {
      const next = target[edge] ?? 0;
      if (depth[next] !== unreached || !passable(edge)) continue;
      depth[next] = (depth[node] ?? 0) + 1;
      queue[tail] = next;
      tail += 1;
    }
  }
  return depth;
};
