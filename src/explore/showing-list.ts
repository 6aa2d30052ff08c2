import type { Showing } from "./machine.js";

/** What a machine has shown so far; the same lists are one number, and number 0 shows nothing. */
export type ShowingList = {
  readonly list: readonly Showing[];
  readonly numberOf: (showing: Showing) => number;
  /** The number of what two show together. */
  readonly both: (one: number, other: number) => number;
};

/** An empty list: nothing but number 0. */
export function showingList(): ShowingList {
  const list: Showing[] = [{ broken: [], occurred: [] }];
  const numbers = new Map<string, number>([[JSON.stringify(list[0]), 0]]);
  const pairs = new Map<number, number>();
  const numberOf = (showing: Showing): number => {
    const text = JSON.stringify(showing);
    const known = numbers.get(text) ?? list.push(showing) - 1;
    numbers.set(text, known);
    return known;
  };
  return {
    list,
    numberOf,
    both: (one, other) => {
      if (one === other || other === 0) return one;
      if (one === 0) return other;
      const pair = one * 65536 + other;
      const known = pairs.get(pair) ?? numberOf(union(list[one], list[other]));
      pairs.set(pair, known);
      return known;
    },
  };
}

function union(one: Showing | undefined, other: Showing | undefined): Showing {
  const merged = (part: keyof Showing) =>
    [...new Set([...(one?.[part] ?? []), ...(other?.[part] ?? [])])].sort();
  return { broken: merged("broken"), occurred: merged("occurred") };
}
