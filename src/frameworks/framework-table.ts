import { arrangements } from "./arrangements.js";
import { type FrameworkVerdict, frameworkVerdicts } from "./framework-verdicts.js";
import { promises } from "./promises.js";

/** A row for each arrangement and a numbered column for each promise, lines of at most 100 characters, and a key below. */
export function frameworkTable(): string {
  const names = arrangements.map(({ name }) => name);
  const room = Math.max(...names.map(({ length }) => length));
  const line = (head: string, cells: readonly string[]): string =>
    `${head.padEnd(room)}${cells.map((cell) => cell.padStart(4)).join("")}`.trimEnd();
  const numbers = promises.map((_, at) => `${at + 1}`);
  return [
    line("", numbers),
    ...arrangements.map((arrangement) =>
      line(
        arrangement.name,
        frameworkVerdicts(arrangement).map(({ verdict }) => signs[verdict]),
      ),
    ),
    "",
    ...promises.map(({ id }, at) => `${`${at + 1}`.padStart(2)}  ${id}`),
    "",
    "✓ holds in every interleaving   ✗ violated in some   – its situation occurs in none",
    "",
  ].join("\n");
}

const signs: { readonly [verdict in FrameworkVerdict["verdict"]]: string } = {
  holds: "✓",
  violated: "✗",
  not_applicable: "–",
};
