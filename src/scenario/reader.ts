import { isAlias, isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap } from "yaml";
import type { Json } from "../model/vocabulary.js";
import { below, type Sheet, startOf } from "./document.js";

export type Schema = { readonly [keyword: string]: Json };

/** A value at its place in a file. */
export type Place = {
  readonly sheet: Sheet;
  readonly node: Node;
  readonly path: string;
  readonly offset: number;
  /** How many mappings and lists it stands in. */
  readonly depth: number;
};

export type Read<T> = { readonly kind: "read"; readonly value: T } | { readonly kind: "wrong" };

/** One shape of the format: reads a node, reporting every mistake in it, and says the same as JSON Schema. */
export type Reader<T> = {
  /** What it expects, as a clause behind "expected". */
  readonly wants: string;
  readonly schema: Schema;
  readonly read: (place: Place) => Read<T>;
};

export const wrong: Read<never> = { kind: "wrong" };

export function read<T>(value: T): Read<T> {
  return { kind: "read", value };
}

export function report(place: Place, message: string): Read<never> {
  place.sheet.report(place.offset, place.path, message);
  return wrong;
}

/** The format itself nests seven levels; arguments and released values may nest on. */
const maxDepth = 40;

/** The place of a part; an alias stands for the node it names. */
export function part(of: Place, node: unknown, path: string, otherwise: number): Place | undefined {
  const offset = startOf(node, otherwise);
  const target = of.sheet.target(node);
  const place = { sheet: of.sheet, path, offset, depth: of.depth + 1 };
  if (isAlias(node) && target === undefined) {
    report({ ...place, node }, `expected the name of an earlier anchor, seen *${node.source}`);
    return undefined;
  }
  if (of.sheet.spend(offset, path) === "too_much") {
    return undefined;
  }
  if (place.depth > maxDepth) {
    report(
      { ...place, node: of.node },
      `expected at most ${maxDepth} levels, seen more; does an alias hold itself?`,
    );
    return undefined;
  }
  if (isScalar(target) || isMap(target) || isSeq(target)) {
    return { ...place, node: target };
  }
  return { ...place, node: new Scalar(null) };
}

/** What a node is, in words. */
export function seen(node: Node): string {
  if (isMap(node)) {
    return "a mapping";
  }
  if (isSeq(node)) {
    if (node.items.length === 0) {
      return "an empty list";
    }
    return node.items.length === 1 ? "a list of one" : `a list of ${node.items.length}`;
  }
  if (!isScalar(node) || node.value === null) {
    return "nothing";
  }
  return typeof node.value === "string"
    ? JSON.stringify(shortened(node.value))
    : `${typeof node.value} ${node.value}`;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A list with at least so many items; every mistake in any item is reported. */
export function list<T>(item: Reader<T>, wants: string, atLeast = 0): Reader<readonly T[]> {
  const bounds = atLeast > 0 ? { minItems: atLeast } : {};
  return {
    wants,
    schema: { type: "array", items: item.schema, ...bounds },
    read: (place) => {
      const { node } = place;
      if (!isSeq(node) || node.items.length < atLeast) {
        return report(place, `expected ${wants}, seen ${seen(node)}`);
      }
      const values: T[] = [];
      for (const [index, child] of node.items.entries()) {
        const at = part(place, child, `${place.path}[${index}]`, place.offset);
        const result = at ? item.read(at) : wrong;
        if (result.kind === "read") {
          values.push(result.value);
        }
      }
      return values.length === node.items.length ? read(values) : wrong;
    },
  };
}

/** Scalars, mappings and lists each by their own reader, or not at all. */
export function byShape<T>(
  wants: string,
  readers: { readonly scalar?: Reader<T>; readonly map?: Reader<T>; readonly seq?: Reader<T> },
): Reader<T> {
  const all = [readers.scalar, readers.map, readers.seq].filter((reader) => reader !== undefined);
  return {
    wants,
    schema: { anyOf: all.map((reader) => reader.schema) },
    read: (place) => {
      const shape = isMap(place.node) ? readers.map : isSeq(place.node) ? readers.seq : readers.scalar;
      return shape ? shape.read(place) : report(place, `expected ${wants}, seen ${seen(place.node)}`);
    },
  };
}

/** Another value made of what was read; `make` may still report a mistake. */
export function made<A, B>(
  reader: Reader<A>,
  make: (value: A, place: Place) => Read<B>,
  narrowed: Schema = {},
): Reader<B> {
  return {
    wants: reader.wants,
    schema: { ...reader.schema, ...narrowed },
    read: (place) => {
      const result = reader.read(place);
      return result.kind === "read" ? make(result.value, place) : wrong;
    },
  };
}

/** The same reader with a description that editors show. */
export function described<T>(reader: Reader<T>, description: string): Reader<T> {
  return { ...reader, schema: { ...reader.schema, description } };
}

/** A reader whose schema stands once in `$defs` of the published schema. */
export type Named<T> = Reader<T> & { readonly name: string; readonly definition: Schema };

export function named<T>(name: string, reader: Reader<T>): Named<T> {
  return { ...reader, name, definition: reader.schema, schema: { $ref: `#/$defs/${name}` } };
}

/** The pairs of a mapping whose keys are texts; any other key is reported. */
export function pairsOf(
  place: Place,
  map: YAMLMap,
): readonly { key: string; at: Place; keyOffset: number }[] {
  return map.items.flatMap((pair) => {
    const keyOffset = startOf(pair.key, place.offset);
    if (!isScalar(pair.key) || typeof pair.key.value !== "string") {
      const what = isScalar(pair.key) ? `${pair.key.value}` : "something else";
      place.sheet.report(keyOffset, place.path, `expected a text as key, seen ${what}; write it in quotes`);
      return [];
    }
    const key = pair.key.value;
    const at = part(place, pair.value, below(place.path, key), keyOffset);
    return at ? [{ key, at, keyOffset }] : [];
  });
}
