import type { Graph } from "./graph.js";
import { createRandom } from "./schedules/random.js";

/** What runs of random actions walk of a graph: the measure that walks made on purpose are held against. */
export type RandomCoverage = { readonly walked: number; readonly actions: number; readonly runs: number };

/** Actions of one run, as in a campaign unless told otherwise. */
const longestRun = 30;

/** Runs from node 0 over edges chosen with equal chances, until so many actions are taken; the same for the same seed. */
export function randomCoverage(
  { firstEdge, target }: Graph,
  { actions, seed }: { readonly actions: number; readonly seed: number },
): RandomCoverage {
  const random = createRandom(seed);
  const isWalked = new Uint8Array(target.length);
  let [walked, taken, runs] = [0, 0, 0];
  while (taken < actions) {
    runs++;
    let node = 0;
    for (let step = 0; step < longestRun && taken < actions; step++) {
      const first = firstEdge[node] ?? 0;
      const count = (firstEdge[node + 1] ?? first) - first;
      if (count === 0) break;
      const edge = first + random.below(count);
      if (isWalked[edge] === 0) walked++;
      isWalked[edge] = 1;
      node = target[edge] ?? 0;
      taken++;
    }
    // A graph without edges has nothing to take.
    if ((firstEdge[1] ?? 0) === 0) break;
  }
  return { walked, actions: taken, runs };
}
