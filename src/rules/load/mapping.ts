import { isMap, isScalar, type YAMLMap } from "yaml";
import { nearest } from "../../config/nearest.js";
import { below, type Place, part, type Read, type Reader, read, report, seen, wrong } from "./place.js";
import { noneOf } from "./scalars.js";

/** One known key of a mapping with its value. */
export type Field = { readonly key: string; readonly keyFrom: number; readonly place: Place };

/** The known keys of a mapping; each of the two functions reports what is wrong with the one it reads. */
export type Mapping = {
  /** In the order of the file. */
  readonly fields: readonly Field[];
  readonly required: <T>(key: string, reader: Reader<T>) => Read<T>;
  readonly optional: <T>(key: string, reader: Reader<T>, otherwise: T) => Read<T>;
};

/** Reads a mapping with no other keys than `known`, each at most once; `wants` says what it is, with an example. */
export function mapping(place: Place, wants: string, known: readonly string[]): Read<Mapping> {
  const { node } = place;
  if (!isMap(node)) {
    return report(place, `expected ${wants}, seen ${seen(node)}`);
  }
  const { fields, unknown } = fieldsOf(place, node, known);
  const find = (key: string) => fields.find((field) => field.key === key)?.place;
  return read({
    fields,
    required: (key, reader) => {
      const found = find(key);
      return found === undefined ? missing(place, key, known, unknown) : reader(found);
    },
    optional: (key, reader, otherwise) => {
      const found = find(key);
      return found === undefined ? read(otherwise) : reader(found);
    },
  });
}

function fieldsOf(place: Place, map: YAMLMap, known: readonly string[]) {
  const fields: Field[] = [];
  const unknown: string[] = [];
  const before = new Set<string>();
  for (const pair of map.items) {
    const { node, from: keyFrom } = part(place.sheet, pair.key, place.path, place.from);
    if (!isScalar(node) || typeof node.value !== "string") {
      place.sheet.report(keyFrom, place.path, `expected a text as key, seen ${seen(node)}`);
      continue;
    }
    const key = node.value;
    const path = below(place.path, key);
    if (before.has(key)) {
      place.sheet.report(keyFrom, path, `expected every key once, seen ${JSON.stringify(key)} written twice`);
    } else if (known.includes(key)) {
      fields.push({ key, keyFrom, place: part(place.sheet, pair.value, path, keyFrom) });
    } else {
      unknown.push(key);
      place.sheet.report(keyFrom, path, unknownKey(key, known));
    }
    before.add(key);
  }
  return { fields, unknown };
}

function unknownKey(key: string, known: readonly string[]): string {
  return /^\w+:/.test(key)
    ? `expected a key, seen ${JSON.stringify(key)}; a colon needs a space behind it`
    : noneOf(known, "a key", `the key ${JSON.stringify(key)}`, key);
}

/** A misspelt key was reported already. */
function missing(
  place: Place,
  key: string,
  known: readonly string[],
  unknown: readonly string[],
): Read<never> {
  return unknown.some((other) => nearest(other, known) === key)
    ? wrong
    : report(
        { ...place, path: below(place.path, key) },
        `expected the key ${JSON.stringify(key)}, seen no such key`,
      );
}
