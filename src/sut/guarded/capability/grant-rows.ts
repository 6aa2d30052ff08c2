import { capabilityParts, type Grant } from "../../../model/vocabulary.js";

export type GrantRows =
  | { readonly kind: "read"; readonly held: readonly Grant[] }
  | { readonly kind: "unreadable" };

/**
 * The grants that rows of the store say are held: four texts and `held`, 1 or 0, with one row a capability. A single
 * row that reads otherwise makes the whole unreadable, since it may be the one that takes a right away.
 */
export const readGrantRows = (rows: readonly unknown[]): GrantRows =>
  rows.every(isGrantRow)
    ? { kind: "read", held: rows.filter(({ held }) => held === 1) }
    : { kind: "unreadable" };

const isGrantRow = (row: unknown): row is Grant & { readonly held: 0 | 1 } => {
  if (typeof row !== "object" || row === null || !("held" in row)) return false;
  const columns = new Map(Object.entries(row));
  return (
    (row.held === 0 || row.held === 1) &&
    capabilityParts.every((part) => typeof columns.get(part) === "string")
  );
};
