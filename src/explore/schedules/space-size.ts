import { type Limits, reachedLimit } from "./limits.js";
import type { Program } from "./program.js";
import { createRandom } from "./random.js";
import { walk } from "./walk.js";
import { randomWalker } from "./walkers.js";

export type SpaceSize = {
  /** Estimated number of schedules; 0 if there was no walk. */
  readonly schedules: number;
  /** Standard error of the estimate; `undefined` with fewer than two walks. */
  readonly standardError: number | undefined;
  readonly walks: number;
};

/**
 * Estimates how many schedules a program has (Knuth 1975): the product of the branching degrees along a random walk
 * is right in the mean, though single walks may be far off; a standard error near the estimate says that it is worth little.
 */
export async function spaceSize(
  program: Program,
  options: Limits & { readonly seed: number; readonly walks: number },
): Promise<SpaceSize> {
  const random = createRandom(options.seed);
  const products: number[] = [];
  while (products.length < options.walks && reachedLimit(options, products.length, 0) === undefined) {
    const { degrees } = await walk(program, randomWalker(random));
    products.push(degrees.reduce((product, degree) => product * degree, 1));
  }
  return estimate(products);
}

function estimate(products: readonly number[]): SpaceSize {
  const walks = products.length;
  if (walks === 0) return { schedules: 0, standardError: undefined, walks };
  const schedules = products.reduce((sum, product) => sum + product, 0) / walks;
  if (walks < 2) return { schedules, standardError: undefined, walks };
  const squares = products.reduce((sum, product) => sum + (product - schedules) ** 2, 0);
  return { schedules, standardError: Math.sqrt(squares / (walks - 1) / walks), walks };
}
