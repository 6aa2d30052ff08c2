import type { Canvas } from "./paint.js";
import { padded, printable, wrapped } from "./text.js";

type Column = readonly [title: string, lines: readonly string[]];

/** Two lists of lines next to each other: what both have stands on one row, what only one has stands out. */
export function sideBySide(left: Column, right: Column, { paint, width }: Canvas): readonly string[] {
  const half = Math.floor((width - 5) / 2);
  const row = (one: string, other: string, look: (text: string) => string) =>
    `  ${look(padded(one, half))} ${paint.dim("│")} ${look(other)}`.trimEnd();
  const rows = paired(left[1], right[1]).flatMap(([one, other]) => {
    const ones = one === undefined ? [] : wrapped(printable(one), half);
    const others = other === undefined ? [] : wrapped(printable(other), half);
    const look = one === other ? (text: string) => text : paint.yellow;
    return Array.from({ length: Math.max(ones.length, others.length) }, (_, at) =>
      row(ones[at] ?? "", others[at] ?? "", look),
    );
  });
  return [
    row(left[0], right[0], paint.bold),
    paint.dim(`  ${"─".repeat(half)}─┼─${"─".repeat(half)}`),
    ...rows,
  ];
}

type Pair = readonly [string | undefined, string | undefined];

/** Pairs equal lines, as many as keep their order in both lists; what lies between them is paired as it comes. */
function paired(left: readonly string[], right: readonly string[]): readonly Pair[] {
  const common = commonLengths(left, right);
  const pairs: Pair[] = [];
  let at = 0;
  let over = 0;
  let [fromLeft, fromRight] = [0, 0];
  const takeBetween = () => {
    const ones = left.slice(fromLeft, at);
    const others = right.slice(fromRight, over);
    const rows = Math.max(ones.length, others.length);
    pairs.push(...Array.from({ length: rows }, (_, row): Pair => [ones[row], others[row]]));
  };
  while (at < left.length && over < right.length) {
    if (left[at] === right[over]) {
      takeBetween();
      pairs.push([left[at], right[over]]);
      at += 1;
      over += 1;
      [fromLeft, fromRight] = [at, over];
    } else if ((common[at + 1]?.[over] ?? 0) >= (common[at]?.[over + 1] ?? 0)) {
      at += 1;
    } else {
      over += 1;
    }
  }
  [at, over] = [left.length, right.length];
  takeBetween();
  return pairs;
}

/** For each pair of positions, how many lines the rests from there have in common, in order. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const table: number[][] = Array.from({ length: left.length + 1 }, () => Array(right.length + 1).fill(0));
  for (let at = left.length - 1; at >= 0; at -= 1) {
    const row = table[at] ?? [];
    const below = table[at + 1] ?? [];
    for (let over = right.length - 1; over >= 0; over -= 1) {
      row[over] =
        left[at] === right[over]
          ? (below[over + 1] ?? 0) + 1
          : Math.max(below[over] ?? 0, row[over + 1] ?? 0);
    }
  }
  return table;
}
