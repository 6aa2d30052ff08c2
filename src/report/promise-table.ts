import type { PromiseId, PromiseReport } from "../properties/verdict.js";
import type { Canvas, Paint } from "./paint.js";
import { clipped, padded } from "./text.js";

export type PromiseTableOptions = {
  readonly canvas: Canvas;
  readonly allowVacuous: readonly PromiseId[];
  /** Heads the last column, which says where the situation occurred that a promise guards. */
  readonly heading: string;
  readonly occurred: (row: PromiseReport) => string;
};

/** One line for each promise: verdict, and where its situation occurred or why nothing was decided. */
export function promiseTable(
  promises: readonly PromiseReport[],
  { canvas, allowVacuous, heading, occurred }: PromiseTableOptions,
): readonly string[] {
  const { paint, width } = canvas;
  const room = Math.max(7, ...promises.map(({ promise }) => promise.length)) + 2;
  const aside = (row: PromiseReport): string => {
    const { verdict } = row;
    switch (verdict.kind) {
      case "not_checked":
        return lacksWords(verdict.lacks);
      case "undecided":
      case "broken":
        return `${occurred(row)}; ${verdict.reason}`;
      default:
        return occurred(row);
    }
  };
  return [
    paint.dim(`    ${padded("promise", room)}${padded("verdict", 16)}${heading}`),
    ...promises.map((row) => {
      const { sign, word, colour } = verdictLook(row, allowVacuous, paint);
      return `  ${colour(sign)} ${padded(row.promise, room)}${colour(padded(word, 16))}${clipped(aside(row), width - room - 20)}`.trimEnd();
    }),
  ];
}

/** Why a promise was not checked: abilities that its executor does not claim, or the reason as it was given. */
export function lacksWords(lacks: readonly string[]): string {
  const isReason = lacks.some((one) => one.includes(" not "));
  return isReason ? lacks.join(", ") : `lacks ${lacks.join(", ")}`;
}

type Look = { readonly sign: string; readonly word: string; readonly colour: (text: string) => string };

function verdictLook(
  { promise, verdict }: PromiseReport,
  allowVacuous: readonly PromiseId[],
  paint: Paint,
): Look {
  switch (verdict.kind) {
    case "holds":
      return { sign: "✓", word: "holds", colour: paint.green };
    case "violated":
      return { sign: "✗", word: "violated", colour: paint.red };
    case "broken":
      return { sign: "!", word: "broken", colour: paint.red };
    case "undecided":
      return { sign: "?", word: "undecided", colour: paint.yellow };
    case "vacuous":
      return allowVacuous.includes(promise)
        ? { sign: "○", word: "vacuous (may)", colour: paint.dim }
        : { sign: "○", word: "vacuous", colour: paint.yellow };
    case "not_checked":
      return { sign: "–", word: "not checked", colour: paint.dim };
  }
}
