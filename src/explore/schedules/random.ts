import { wordsOf } from "../../properties/chooser.js";

/** A repeatable sequence of random numbers. */
export type Random = {
  /** At least 0 and below 1, in steps of 2^-32. */
  readonly fraction: () => number;
  /** A whole number from 0 to `count` - 1. */
  readonly below: (count: number) => number;
};

/** The same sequence for the same seed, which counts modulo 2^32. Not for secrets. */
export function createRandom(seed: number): Random {
  const next = wordsOf(seed);
  const fraction = (): number => next() / 2 ** 32;
  return { fraction, below: (count) => Math.floor(fraction() * count) };
}
