/**
 * A place that a step touched: one row of a table by its key, or all of the table. A name with `#` in front stands for
 * something outside the tables that steps share, such as an open transaction.
 */
export type Place = {
  readonly table: string;
  readonly key: { readonly kind: "row"; readonly row: string } | { readonly kind: "any" };
};

/**
 * What a step read and wrote; `unknown` counts as everything. What an executor remembers outside its store leaves no
 * trace here: only the audit, which swaps neighbours that look independent, can find that something is missing.
 */
export type Footprint =
  | { readonly kind: "unknown" }
  | { readonly kind: "known"; readonly reads: readonly Place[]; readonly writes: readonly Place[] };

/** Whether one wrote what the other read or wrote; `unknown` conflicts with every footprint, an empty one included. */
export function conflict(one: Footprint, other: Footprint): boolean {
  if (one.kind === "unknown" || other.kind === "unknown") return true;
  return meet(one.writes, other.writes) || meet(one.writes, other.reads) || meet(one.reads, other.writes);
}

function meet(some: readonly Place[], others: readonly Place[]): boolean {
  return some.some((place) => others.some((other) => overlap(place, other)));
}

function overlap(one: Place, other: Place): boolean {
  if (one.table !== other.table) return false;
  return one.key.kind === "any" || other.key.kind === "any" || one.key.row === other.key.row;
}

/**
 * Everything that any of them touched, each place once and in the order of names, so that equal footprints are equal
 * lists; `unknown` as soon as one of them is.
 */
export function joined(footprints: readonly Footprint[]): Footprint {
  let all = nothingTouched;
  for (const footprint of footprints) all = joinedPair(all, footprint);
  return all;
}

const nothingTouched: Footprint = { kind: "known", reads: [], writes: [] };

/** Steps repeat from run to run, and with them the very same footprints: each two are joined once. */
const pairs = new WeakMap<Footprint, WeakMap<Footprint, Footprint>>();

function joinedPair(one: Footprint, other: Footprint): Footprint {
  if (one === other) return one;
  const ofOne = pairs.get(one) ?? new WeakMap<Footprint, Footprint>();
  const known = ofOne.get(other);
  if (known !== undefined) return known;
  const both = inOrder([one, other]);
  pairs.set(one, ofOne.set(other, both));
  return both;
}

function inOrder(footprints: readonly Footprint[]): Footprint {
  const reads = new Map<string, Place>();
  const writes = new Map<string, Place>();
  for (const footprint of footprints) {
    if (footprint.kind === "unknown") return footprint;
    for (const place of footprint.reads) reads.set(nameOf(place), place);
    for (const place of footprint.writes) writes.set(nameOf(place), place);
  }
  return { kind: "known", reads: sorted(reads), writes: sorted(writes) };
}

/** A row is left out beside all of its table, which says no less. */
function sorted(places: ReadonlyMap<string, Place>): readonly Place[] {
  const whole = (table: string): string => nameOf({ table, key: { kind: "any" } });
  return [...places]
    .filter(([, { table, key }]) => key.kind === "any" || !places.has(whole(table)))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, place]) => place);
}

function nameOf({ table, key }: Place): string {
  return JSON.stringify(key.kind === "any" ? [table] : [table, key.row]);
}

/** All of a table, or of something else that steps share. */
export function allOf(table: string): Place {
  return { table, key: { kind: "any" } };
}

export function rowOf(table: string, row: string): Place {
  return { table, key: { kind: "row", row } };
}
