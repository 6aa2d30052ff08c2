import { type Alias, isAlias, isMap, isNode, isScalar, isSeq } from "yaml";
import type { Region } from "../rule.js";

/** One YAML document with its places; whatever is reported to it refuses the file. */
export type Sheet = {
  readonly region: (from: number, to: number) => Region;
  readonly report: (offset: number, path: string, message: string) => void;
  /** What an alias names, or nothing. */
  readonly target: (alias: Alias) => unknown;
};

/** A value where it is written; of an alias the value is what it names and the offsets are the alias's own. */
export type Place = {
  readonly sheet: Sheet;
  readonly node: unknown;
  readonly path: string;
  readonly from: number;
  readonly to: number;
};

export type Read<T> = { readonly kind: "read"; readonly value: T } | { readonly kind: "wrong" };

/** Reads a value and reports every mistake in it. */
export type Reader<T> = (place: Place) => Read<T>;

export const wrong: Read<never> = { kind: "wrong" };

export function read<T>(value: T): Read<T> {
  return { kind: "read", value };
}

export function report(place: Place, message: string): Read<never> {
  place.sheet.report(place.from, place.path, message);
  return wrong;
}

/**
 * The place of a part of a mapping or list; `otherwise` is where a part that was not written would stand. An alias that
 * names nothing stays one, which whoever reads it reports.
 */
export function part(sheet: Sheet, node: unknown, path: string, otherwise: number): Place {
  const [from, to] = isNode(node) && node.range ? node.range : [otherwise, otherwise];
  return { sheet, node: isAlias(node) ? (sheet.target(node) ?? node) : node, path, from, to };
}

/** What a node is, in words. */
export function seen(node: unknown): string {
  if (isAlias(node)) {
    return `*${node.source}, which no earlier anchor names`;
  }
  if (isMap(node)) {
    return node.items.length === 0 ? "an empty mapping" : "a mapping";
  }
  if (isSeq(node)) {
    const count = node.items.length;
    return count === 0 ? "an empty list" : `a list of ${count === 1 ? "one" : count}`;
  }
  if (!isScalar(node) || node.value === null) {
    return "nothing";
  }
  return typeof node.value === "string" ? quoted(node.value) : `${typeof node.value} ${node.value}`;
}

/** A text in quotes, shortened where it is long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** The path of a key below `path`; a key that is no plain word is quoted. */
export function below(path: string, key: string): string {
  const step = /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
  return path === "" ? step : `${path}.${step}`;
}
