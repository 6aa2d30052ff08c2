export type NonEmpty<Item> = readonly [Item, ...Item[]];

export const nonEmpty = <Item>(items: readonly Item[]): NonEmpty<Item> | undefined => {
  const [first, ...rest] = items;
  return first === undefined ? undefined : [first, ...rest];
};

/** The item that a number picks, round and round. */
export const at = <Item>(items: NonEmpty<Item>, pick: number): Item =>
  items[natural(pick) % items.length] ?? items[0];

/** A whole number from 0; 0 for what is no number. */
export const natural = (number: number): number =>
  Number.isFinite(number) ? Math.abs(Math.trunc(number)) : 0;
