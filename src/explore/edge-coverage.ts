import assert from "node:assert/strict";
import { assertGraph, type DirectedGraph, depthsOf, sourcesOf, unreached } from "./directed-graph.js";

export type EdgeCoverage = {
  /** Counts an edge as walked, however often it is noted. Throws for one that node 0 does not lead to. */
  readonly note: (edge: number) => void;
  /** How many edges were noted. */
  readonly walked: () => number;
  /** How many edges node 0 leads to. */
  readonly reachable: () => number;
  /** The first `limit` reachable edges that were not noted, in order of their numbers. */
  readonly left: (limit: number) => readonly number[];
};

/** Coverage of a graph in edges walked out of edges reachable, whoever walks them. */
export const createEdgeCoverage = (graph: DirectedGraph): EdgeCoverage => {
  assertGraph(graph);
  const depth = depthsOf(graph, () => true);
  /** 0 out of reach, 1 left, 2 walked. */
  const standing = Uint8Array.from(sourcesOf(graph), (node) => (depth[node] === unreached ? 0 : 1));
  const reachable = standing.reduce((sum, one) => sum + one, 0);
  let walked = 0;
  return {
    note: (edge) => {
      const before = standing[edge] ?? 0;
      if (before === 0) assert.fail(`edge ${edge} is none of the ${reachable} that can be reached`);
      if (before === 1) walked += 1;
      standing[edge] = 2;
    },
    walked: () => walked,
    reachable: () => reachable,
    left: (limit) => {
      const left: number[] = [];
      for (let edge = standing.indexOf(1); edge >= 0 && left.length < limit; ) {
        left.push(edge);
        edge = standing.indexOf(1, edge + 1);
      }
      return left;
    },
  };
};
