import type { Stored } from "./exploration.js";
import { finishedGraph } from "./graph.js";
import { chainTo, pathThrough, type Trail } from "./path.js";
import type { Run } from "./run.js";

/** The states of a run, readable after it. */
export function storedOf(run: Run): Stored {
  const { table, codec, levels, graph } = run;
  const { width, count } = table;
  const depthOf = (state: number): number => {
    const deeper = levels.findIndex((first) => first > state);
    return (deeper < 0 ? levels.length : deeper) - 1;
  };
  return {
    count,
    read: (state, into) => codec.unpack(table.packed, state * width, into),
    depthOf,
    pathTo: (state) => pathThrough(trailOf(run), chainTo(table, state)),
    graph:
      graph === undefined ? { kind: "not_stored" } : { kind: "stored", graph: finishedGraph(graph, count) },
  };
}

/** What is needed to tell a path through the states of this run. */
export function trailOf({ machine, codec, table, toCanonical }: Run): Trail {
  const { width } = table;
  const packedAt = (state: number): Int32Array => table.packed.subarray(state * width, (state + 1) * width);
  return { machine, codec, packedAt, toCanonical };
}
