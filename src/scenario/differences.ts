import canonicalize from "canonicalize";
import type { Json } from "../model/vocabulary.js";

/** Where a run did otherwise than its scenario expects; `path` lies below the scenario's `expect`. */
export type Mismatch = { readonly path: string; readonly expected: string; readonly seen: string };

/** What is expected and what was seen, at a path. */
export type Compared = readonly [path: string, expected: Json | undefined, seen: Json | undefined];

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

/** How many there are, or row by row if there are as many as expected. */
export function rowMismatches<E, R>(
  path: string,
  expect: number | readonly E[],
  rows: readonly R[],
  describe: (row: E | R) => string,
  mismatches: (expect: E, row: R) => readonly Mismatch[],
): readonly Mismatch[] {
  if (typeof expect === "number") {
    return differences([[path, expect, rows.length]]);
  }
  const counted = (all: readonly (E | R)[]) =>
    all.length === 0 ? "none" : `${all.length}: ${all.map(describe).join(", ")}`;
  if (expect.length !== rows.length) {
    return [{ path, expected: counted(expect), seen: counted(rows) }];
  }
  return expect.flatMap((each, index) => {
    const row = rows[index];
    return row === undefined ? [] : under(`${path}[${index}]`, mismatches(each, row));
  });
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
