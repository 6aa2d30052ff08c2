import canonicalize from "canonicalize";
import type { Json } from "../model/vocabulary.js";

/** Where a run did otherwise than its scenario expects; `path` lies below the scenario's `expect`. */
export type Mismatch = { readonly path: string; readonly expected: string; readonly seen: string };

type Compared = readonly [path: string, expected: Json | undefined, seen: Json | undefined];

/** Those that differ; what is expected `undefined` is not compared, and the order of keys does not matter. */
export function differences(compared: readonly Compared[]): readonly Mismatch[] {
  return compared.flatMap(([path, expected, seen]) =>
    expected === undefined || canonicalize(expected) === canonicalize(seen)
      ? []
      : [{ path, expected: textOf(expected), seen: textOf(seen) }],
  );
}

/** The same mismatches, a level deeper. */
export function under(path: string, mismatches: readonly Mismatch[]): readonly Mismatch[] {
  return mismatches.map((each) => ({ ...each, path: each.path === "" ? path : `${path}.${each.path}` }));
}

/** A value as an engineer reads it. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) {
    return "nothing";
  }
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.length === 0 ? "none" : value.join(", ");
  }
  return JSON.stringify(value);
}

/** A stored text read as JSON, or nothing if it is none. */
export function jsonOf(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Compares by code units, whatever the locale. */
export function order(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
