/** Picks 0 … n-1; the same number always gives the same picks, one after the other. */
export type Chooser = (n: number) => number;

/** A stream of picks out of one 32-bit draw. */
export function chooserOf(draw: number): Chooser {
  const next = wordsOf(draw);
  return (n) => next() % n;
}

/** A repeatable stream of 32-bit words (splitmix32: an additive step and a finalising mix); the seed counts modulo 2^32. */
export function wordsOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return mixed >>> 0;
  };
}

/** One of the items, each as likely as its weight says; undefined if all weights are 0. */
export function pickWeighted<Item>(
  pick: Chooser,
  items: readonly { readonly weight: number; readonly item: Item }[],
): Item | undefined {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return undefined;
  let left = pick(total);
  for (const { weight, item } of items) {
    if (left < weight) return item;
    left -= weight;
  }
  return undefined;
}
