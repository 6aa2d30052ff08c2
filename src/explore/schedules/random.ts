/** A repeatable sequence of random numbers. */
export type Random = {
  /** At least 0 and below 1, in steps of 2^-32. */
  readonly fraction: () => number;
  /** A whole number from 0 to `count` - 1. */
  readonly below: (count: number) => number;
};

/** The same sequence for the same seed (splitmix32; the seed counts modulo 2^32). Not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const fraction = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
  return { fraction, below: (count) => Math.floor(fraction() * count) };
}
