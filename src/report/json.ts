/** Keys in the order in which a reader of a report wants them; the others follow in alphabetical order. */
const leading: readonly string[] = [
  "format",
  "formatVersion",
  "version",
  "verdict",
  "kind",
  "executor",
  "profile",
  "name",
  "file",
  "promise",
  "seed",
  "run",
  "position",
  "action",
  "attempt",
  "sentence",
  "expected",
  "seen",
];

const trailing: readonly string[] = ["actions", "history", "minimal", "counterexamples", "coverage", "times"];

/** A report as JSON text. The same report gives the same text, whatever order its keys were made in. */
export function reportJson(report: unknown): string {
  return `${JSON.stringify(inOrder(report), undefined, 2)}\n`;
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const entries: [string, unknown][] = Object.entries(value);
  // What a tool released is evidence: its own key order is left alone.
  return Object.fromEntries(
    entries
      .toSorted(([left], [right]) => compare(left, right))
      .map(([key, inner]) => [key, key === "value" ? inner : inOrder(inner)]),
  );
}

function compare(left: string, right: string): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  return left < right ? -1 : left > right ? 1 : 0;
}

function rankOf(key: string): number {
  const first = leading.indexOf(key);
  if (first >= 0) return first - leading.length;
  return trailing.indexOf(key) + 1;
}
