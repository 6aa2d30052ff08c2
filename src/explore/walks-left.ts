import { type DirectedGraph, depthsOf, sourcesOf, unreached } from "./directed-graph.js";

/** Why an edge was not walked. */
export type Left =
  /** It can still be walked. */
  | { readonly kind: "waiting"; readonly edge: number }
  | { readonly kind: "given_up"; readonly edge: number }
  /** Every way to it leads over edges that were given up; `because` is the first of them on one such way. */
  | { readonly kind: "behind_given_up"; readonly edge: number; readonly because: number }
  /** The shortest walk to its end takes this many steps, more than a walk may have. */
  | { readonly kind: "too_deep"; readonly edge: number; readonly steps: number };

/** What is left of a graph to walk, in order of the edges' numbers; edges that node 0 does not lead to are not. */
export const edgesLeft = (
  graph: DirectedGraph,
  at: {
    readonly isWalked: (edge: number) => boolean;
    readonly isPassable: (edge: number) => boolean;
    readonly mostSteps: number;
  },
): readonly Left[] => {
  const source = sourcesOf(graph);
  const depth = depthsOf(graph, at.isPassable);
  const because = obstacles(graph, depth, source);
  const left: Left[] = [];
  for (let edge = 0; edge < source.length; edge += 1) {
    if (at.isWalked(edge)) continue;
    const node = source[edge] ?? 0;
    const steps = depth[node] === unreached ? unreached : (depth[node] ?? 0) + 1;
    const obstacle = because[node] ?? noObstacle;
    if (steps === unreached) {
      if (obstacle !== noObstacle) left.push({ kind: "behind_given_up", edge, because: obstacle });
    } else if (!at.isPassable(edge)) left.push({ kind: "given_up", edge });
    else if (steps > at.mostSteps) left.push({ kind: "too_deep", edge, steps });
    else left.push({ kind: "waiting", edge });
  }
  return left;
};

const noObstacle = -1;

/** For each node that `depth` does not reach: an edge from where it does, behind which the node lies. */
const obstacles = (
  { firstEdge, target }: DirectedGraph,
  depth: Uint32Array,
  source: Uint32Array,
): Int32Array => {
  const because = new Int32Array(depth.length).fill(noObstacle);
  const queue: number[] = [];
  const find = (node: number, obstacle: number): void => {
    if (depth[node] !== unreached || because[node] !== noObstacle) return;
    because[node] = obstacle;
    queue.push(node);
  };
  for (let edge = 0; edge < target.length; edge += 1) {
    if (depth[source[edge] ?? 0] !== unreached) find(target[edge] ?? 0, edge);
  }
  for (const node of queue) {
    const end = firstEdge[node + 1] ?? 0;
    for (let edge = firstEdge[node] ?? 0; edge < end; edge += 1) {
      find(target[edge] ?? 0, because[node] ?? noObstacle);
    }
  }
  return because;
};
