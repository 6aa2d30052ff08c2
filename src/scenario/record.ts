import { isMap, isScalar, type YAMLMap } from "yaml";
import { nearest } from "../config/nearest.js";
import { below } from "./document.js";
import {
  type Place,
  pairsOf,
  type Read,
  type Reader,
  read,
  report,
  type Schema,
  seen,
  wrong,
} from "./reader.js";
import { noneOf } from "./scalars.js";

type Fields = { readonly [key: string]: Reader<unknown> };
type ValueOf<R> = R extends Reader<infer T> ? T : never;

/** `effect_exists` in a file is `effectExists` in code. */
type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;

export type RecordOf<R extends Fields, O extends Fields> = {
  readonly [K in keyof R as Camel<K>]: ValueOf<R[K]>;
} & { readonly [K in keyof O as Camel<K>]?: ValueOf<O[K]> };

/** A mapping with exactly these keys. Unknown and missing ones are reported together with all that is wrong inside. */
export function record<R extends Fields, O extends Fields>(
  wants: string,
  required: R,
  optional: O,
): Reader<RecordOf<R, O>> {
  const fields: Fields = { ...required, ...optional };
  return {
    wants,
    schema: recordSchema(fields, Object.keys(required)),
    read: (place) => {
      const { node } = place;
      if (!isMap(node)) {
        return report(place, `expected ${wants}, seen ${seen(node)}`);
      }
      const { entries, unknown, sound } = readFields(place, node, fields);
      const missing = reportMissing(place, node, Object.keys(required), unknown);
      if (!sound || missing) {
        return wrong;
      }
      // Every required reader and no other has delivered its value under its own name.
      return read(Object.fromEntries(entries) as RecordOf<R, O>);
    },
  };
}

function recordSchema(fields: Fields, required: readonly string[]): Schema {
  const properties = Object.fromEntries(Object.entries(fields).map(([key, reader]) => [key, reader.schema]));
  const needs = required.length > 0 ? { required } : {};
  return { type: "object", properties, ...needs, additionalProperties: false };
}

function readFields(place: Place, map: YAMLMap, fields: Fields) {
  const entries: [string, unknown][] = [];
  const unknown: string[] = [];
  const pairs = pairsOf(place, map);
  let sound = pairs.length === map.items.length;
  for (const { key, at, keyOffset } of pairs) {
    const reader = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (reader === undefined) {
      unknown.push(key);
      place.sheet.report(keyOffset, at.path, unknownKey(key, Object.keys(fields)));
      sound = false;
      continue;
    }
    const result = reader.read(at);
    if (result.kind === "read") {
      entries.push([camel(key), result.value]);
    } else {
      sound = false;
    }
  }
  return { entries, unknown, sound };
}

function unknownKey(key: string, known: readonly string[]): string {
  return /^\w+:/.test(key)
    ? `expected a key, seen ${JSON.stringify(key)}; a colon needs a space behind it`
    : noneOf(known, "a key", `the key ${JSON.stringify(key)}`, key);
}

/** A missing key is reported unless a misspelt one already was. */
function reportMissing(
  place: Place,
  map: YAMLMap,
  required: readonly string[],
  unknown: readonly string[],
): boolean {
  const missing = required.filter((key) => !map.has(key));
  for (const key of missing) {
    if (!unknown.some((other) => nearest(other, required) === key)) {
      report(
        { ...place, path: below(place.path, key) },
        `expected the key ${JSON.stringify(key)}, seen no such key`,
      );
    }
  }
  return missing.length > 0;
}

function camel(key: string): string {
  return key.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** A mapping with exactly one of these keys, which says how its value is read. */
export function oneKey<T>(wants: string, variants: { readonly [key: string]: Reader<T> }): Reader<T> {
  const known = Object.keys(variants);
  const properties = Object.fromEntries(
    Object.entries(variants).map(([key, reader]) => [key, reader.schema]),
  );
  return {
    wants,
    schema: { type: "object", properties, additionalProperties: false, minProperties: 1, maxProperties: 1 },
    read: (place) =>
      isMap(place.node)
        ? readOneKey(place, place.node, wants, variants, known)
        : report(place, `expected ${wants}, seen ${seen(place.node)}`),
  };
}

function readOneKey<T>(
  place: Place,
  map: YAMLMap,
  wants: string,
  variants: { readonly [key: string]: Reader<T> },
  known: readonly string[],
): Read<T> {
  const pairs = pairsOf(place, map);
  const [pair, second] = pairs;
  if (pair === undefined) {
    return map.items.length > 0 ? wrong : report(place, `expected ${wants}, seen an empty mapping`);
  }
  const results = pairs.map(({ key, at, keyOffset }) => {
    const reader = Object.hasOwn(variants, key) ? variants[key] : undefined;
    if (reader === undefined) {
      place.sheet.report(keyOffset, at.path, unknownKey(key, known));
    }
    return reader?.read(at) ?? wrong;
  });
  if (second !== undefined) {
    const keys = pairs.map(({ key }) => key).join(" and ");
    place.sheet.report(second.keyOffset, place.path, `expected one key, seen ${keys}`);
    return wrong;
  }
  return map.items.length === 1 ? (results[0] ?? wrong) : wrong;
}

/**
 * Mappings that are told apart by the key that only they have; one that has none of these keys, nor one that could be
 * meant for it, is read as the `usual` one.
 */
export function keyed<T>(usual: string, variants: { readonly [key: string]: Reader<T> }): Reader<T> {
  const known = Object.keys(variants);
  const wanted = variants[usual];
  return {
    wants: wanted?.wants ?? usual,
    schema: { anyOf: Object.values(variants).map(({ schema }) => schema) },
    read: (place) => {
      const { node } = place;
      const keys = isMap(node)
        ? node.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []))
        : [];
      const own = known.find((key) => keys.includes(key));
      const meant = keys.flatMap((key) => nearest(key, known) ?? [])[0];
      return (variants[own ?? meant ?? usual] ?? wanted)?.read(place) ?? wrong;
    },
  };
}
