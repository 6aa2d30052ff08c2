import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Region } from "./rule.js";

export type BaselineReading =
  /** How many violations the baseline puts up with. */
  | { readonly kind: "baseline"; readonly violations: number }
  | { readonly kind: "refused"; readonly mistake: { readonly message: string; readonly at: Region } };

const remedy = "write it anew from a JSON report of the gate, or remove it to go without a baseline";

/**
 * The number of violations in `{"summary":{"violations":N}}`, which every JSON report of the gate has, or in
 * `{"violations":N}`. Anything else is refused: a broken baseline that counts as none would let everything pass.
 */
export function readBaseline(text: string, file: string): BaselineReading {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\uFEFF/, " "), errors, { disallowComments: true });
  const refused = (expected: string, offset: number, length: number): BaselineReading => ({
    kind: "refused",
    mistake: { message: `${expected}; ${remedy}`, at: regionOf(text, file, offset, length) },
  });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const seen = error === undefined ? "nothing" : printParseErrorCode(error.error);
    return refused(`expected a baseline in JSON, seen ${seen}`, error?.offset ?? 0, error?.length ?? 0);
  }
  const summaries = values(root, "summary");
  const counts = [
    ...summaries.flatMap((summary) => values(summary, "violations")),
    ...values(root, "violations"),
  ];
  const [count, another] = counts;
  if (count === undefined) {
    const place = summaries[0] ?? root;
    const expected = `expected {"summary":{"violations":N}} or {"violations":N}, seen neither`;
    return refused(expected, place.offset, place.length);
  }
  if (another !== undefined) {
    const expected = "expected the number of violations once, seen it twice";
    return refused(expected, another.offset, another.length);
  }
  const violations: unknown = getNodeValue(count);
  if (typeof violations !== "number" || !Number.isSafeInteger(violations) || violations < 0) {
    const seen = text.slice(count.offset, count.offset + count.length);
    const shown = seen.length > 40 ? `${seen.slice(0, 37)}...` : seen;
    const expected = `expected a number of violations, whole and not below 0, seen ${shown}`;
    return refused(expected, count.offset, count.length);
  }
  return { kind: "baseline", violations };
}

/** `worse` fails a gate; `better` means that the baseline can be written anew with the smaller number. */
export function compareWithBaseline(violations: number, baseline: number): "better" | "as_before" | "worse" {
  if (violations === baseline) {
    return "as_before";
  }
  return violations < baseline ? "better" : "worse";
}

function values(object: Node, key: string): readonly Node[] {
  return (object.type === "object" ? (object.children ?? []) : []).flatMap(({ children }) => {
    const [name, value] = children ?? [];
    return value !== undefined && name?.value === key ? [value] : [];
  });
}

function regionOf(text: string, file: string, offset: number, length: number): Region {
  const start = placeOf(text, offset);
  const end = placeOf(text, offset + length);
  return { file, ...start, endLine: end.line, endColumn: end.column };
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
