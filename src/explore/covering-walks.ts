import type { DirectedGraph } from "./directed-graph.js";
import { createWalker, type WalkOptions } from "./walker.js";

/**
 * Walks from node 0 that together use every edge that it leads to at least once, and few steps in total; each is a
 * list of edges, the one starting where the one before it ends. Ends when no edge is left that a walk of at most
 * `mostSteps` reaches.
 */
export function* coveringWalks(graph: DirectedGraph, options: WalkOptions = {}): Iterable<readonly number[]> {
  const walker = createWalker(graph, options);
  for (let walk = walker.next(); walk !== "done"; walk = walker.next()) {
    for (const edge of walk) walker.walked(edge);
    yield walk;
  }
}
