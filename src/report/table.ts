import type { Canvas } from "./paint.js";
import { clipped, length, padded } from "./text.js";

export type Column = { readonly head: string; readonly align: "left" | "right" };

/** A row's sign comes painted; its cells are plain, and come in the order of the columns. */
export type Row = {
  readonly sign: string;
  readonly cells: readonly string[];
  readonly below?: readonly string[];
};

const least = 12;

/** Rows under a dim head, indented by two; the first column gives way where the others leave it too little room. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly Row[],
  { paint, width }: Canvas,
): readonly string[] {
  const widths = columns.map(({ head }, at) =>
    Math.max(length(head), ...rows.map(({ cells }) => length(cells[at] ?? ""))),
  );
  const [first = 0, ...others] = widths;
  const left = width - 4 - others.reduce((sum, other) => sum + 2 + other, 0);
  const room = [Math.min(first, Math.max(least, left)), ...others];
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, at) => {
        const text = clipped(cells[at] ?? "", room[at] ?? 0);
        return align === "left" ? padded(text, room[at] ?? 0) : text.padStart(room[at] ?? 0);
      })
      .join("  ")
      .trimEnd();
  return [
    paint.dim(`    ${line(columns.map(({ head }) => head))}`),
    ...rows.flatMap(({ sign, cells, below = [] }) => [`  ${sign} ${line(cells)}`, ...below]),
  ];
}
