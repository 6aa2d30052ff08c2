import type Database from "better-sqlite3";
import { type Footprint, joined, type Place } from "./footprint.js";
import { boundValue, parameterNames } from "./sqlite-parameters.js";
import { type Bound, sqliteProgram } from "./sqlite-program.js";
import { type SqliteTables, schemaText, sqliteTables } from "./sqlite-tables.js";
import { type KeyPart, sqliteTouches, type Touch, type Touches } from "./sqlite-touches.js";

/** Tells what a statement with these values reads and writes if it runs now, without running it; never throws. */
export type SqliteFootprint = (connection: Database.Database, sql: string, bound: Bound) => Footprint;

/** Statements that are compiled to instructions and do nothing before they run, unlike a PRAGMA. */
const explainable =
  /^\s*(select|insert|update|delete|replace|with|values|begin|commit|end|rollback|savepoint|release)\b/i;

/**
 * Footprints of statements from what SQLite itself compiles them to, so that triggers and foreign keys in force count.
 * Where the program does not show which rows are meant, all of the table is; where it shows something that is not
 * understood, such as a virtual table or another database, the footprint is unknown. Each statement is compiled once
 * for each schema. The row numbers of tables that show them in no column do not count, nor the order of their scans.
 */
export function sqliteFootprint(): SqliteFootprint {
  const schemas = new Map<string, Schema>();
  const versions = new WeakMap<Database.Database, Versioned>();

  const schemaOf = (connection: Database.Database): Schema => {
    const known = versions.get(connection);
    const version = known?.read ?? connection.prepare("PRAGMA schema_version").pluck();
    const now = version.get();
    if (known !== undefined && known.version === now) return known.schema;
    const text = schemaText(connection);
    const schema = schemas.get(text) ?? { tables: sqliteTables(connection), statements: new Map() };
    schemas.set(text, schema);
    versions.set(connection, { read: version, version: now, schema });
    return schema;
  };

  return (connection, sql, bound) => {
    try {
      const { tables, statements } = schemaOf(connection);
      const known = statements.get(sql) ?? analysed(connection, sql, bound, tables);
      statements.set(sql, known);
      return known.kind === "unknown" ? known : remembered(known, bound);
    } catch {
      // A statement that cannot be compiled fails by itself.
      return { kind: "unknown" };
    }
  };
}

type Analysis =
  | { readonly kind: "unknown" }
  | {
      readonly kind: "touches";
      readonly programs: readonly Touches[];
      readonly names: readonly string[];
      /** Footprints by the values bound, the latest ones. */
      readonly placed: Map<string, Footprint>;
    };

type Schema = { readonly tables: SqliteTables; readonly statements: Map<string, Analysis> };
type Versioned = { readonly read: Database.Statement; readonly version: unknown; readonly schema: Schema };

function analysed(connection: Database.Database, sql: string, bound: Bound, tables: SqliteTables): Analysis {
  if (!explainable.test(sql)) return { kind: "unknown" };
  const programs: Touches[] = [];
  for (const program of sqliteProgram(connection, sql, bound)) {
    const touches = sqliteTouches(program, tables);
    if (touches === undefined) return { kind: "unknown" };
    programs.push(touches);
  }
  return { kind: "touches", programs, names: parameterNames(sql), placed: new Map() };
}

/** Runs bind the same values over and over; how many are remembered of one statement. */
const mostRemembered = 1000;

function remembered(analysis: Extract<Analysis, { kind: "touches" }>, bound: Bound): Footprint {
  const { names, placed: known } = analysis;
  const values = names.map((_, index) => valueText(boundValue(bound, names, index + 1)));
  if (values.includes(undefined)) return placed(analysis, bound);
  const text = values.join("\n");
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= mostRemembered) known.clear();
  const fresh = placed(analysis, bound);
  known.set(text, fresh);
  return fresh;
}

/** One text for each value of these types, in which no line ends; undefined for any other. */
function valueText(value: unknown): string | undefined {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" || typeof value === "bigint" ? `${typeof value} ${value}` : undefined;
}

function placed({ programs, names }: Extract<Analysis, { kind: "touches" }>, bound: Bound): Footprint {
  const place = (touch: Touch): Place => placeOf(touch, names, bound);
  return joined(
    programs.map(({ reads, writes }) => ({
      kind: "known",
      reads: reads.map(place),
      writes: writes.map(place),
    })),
  );
}

function placeOf({ table, key }: Touch, names: readonly string[], bound: Bound): Place {
  const whole: Place = { table: table.name, key: { kind: "any" } };
  const { identity } = table;
  if (key.kind === "any" || identity.kind === "none") return whole;
  const columns = identity.kind === "rowid" ? (["integer"] as const) : identity.columns;
  const parts: string[] = [];
  for (const [index, part] of key.parts.entries()) {
    const text = textOf(partValue(part, names, bound), columns[index]);
    if (text === undefined) return whole;
    parts.push(text);
  }
  return { table: table.name, key: { kind: "row", row: JSON.stringify(parts) } };
}

function partValue(part: KeyPart, names: readonly string[], bound: Bound): unknown {
  return part.kind === "value" ? part.value : boundValue(bound, names, part.position);
}

/** One text for each value that the column can hold; undefined if it would be converted first, or is NULL. */
function textOf(value: unknown, column: "text" | "integer" | undefined): string | undefined {
  switch (column) {
    case "text":
      // As UTF-8, which is where lone surrogates become the same character.
      return typeof value === "string" ? Buffer.from(value).toString() : undefined;
    case "integer":
      return typeof value === "bigint" || Number.isSafeInteger(value) ? String(value) : undefined;
    case undefined:
      return undefined;
  }
}
