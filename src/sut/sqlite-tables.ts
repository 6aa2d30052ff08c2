import type Database from "better-sqlite3";

/** What the rows of a table are told apart by. */
export type Identity =
  | { readonly kind: "rowid" }
  | { readonly kind: "index"; readonly root: number; readonly columns: readonly ("text" | "integer")[] }
  /** No key, or one whose equality is not plain: rows are not told apart. */
  | { readonly kind: "none" };

export type SqliteTable = { readonly name: string; readonly identity: Identity };

/** The tables of a schema, by the root pages of the tables themselves and of their indices. */
export type SqliteTables = ReadonlyMap<number, SqliteTable>;

/** All that decides how a statement is compiled: a change in the schema is a change of this text. */
export function schemaText(connection: Database.Database): string {
  return JSON.stringify(
    connection.prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema").raw().all(),
  );
}

/** Reads the schema of the main database. */
export function sqliteTables(connection: Database.Database): SqliteTables {
  const entries = connection
    .prepare("SELECT name, tbl_name AS owner, rootpage AS root FROM sqlite_schema WHERE rootpage > 0")
    .all()
    .map(parseEntry);
  const rootOf = (index: string): number | undefined => entries.find(({ name }) => name === index)?.root;
  const tables = new Map<string, SqliteTable>();
  for (const { name, owner } of entries) {
    if (name === owner) tables.set(name, { name, identity: identityOf(connection, name, rootOf) });
  }
  const schema: SqliteTable = { name: "sqlite_schema", identity: { kind: "none" } };
  const found = new Map([[1, schema]]);
  for (const { owner, root } of entries) {
    const table = tables.get(owner);
    if (table !== undefined) found.set(root, table);
  }
  return found;
}

/**
 * The primary key alone, so that no row has two names. One that is an index counts if it compares bytes, and holds
 * texts and integers.
 */
function identityOf(
  connection: Database.Database,
  table: string,
  rootOf: (index: string) => number | undefined,
): Identity {
  const columns = connection
    .prepare("SELECT name, upper(type) AS type FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .all(table)
    .map(parseColumn);
  const index = connection
    .prepare("SELECT name FROM pragma_index_list(?) WHERE origin = 'pk'")
    .pluck()
    .get(table);
  // An INTEGER PRIMARY KEY has no index: it is the row's number itself.
  if (index === undefined) return columns.length === 1 ? { kind: "rowid" } : { kind: "none" };
  // A table WITHOUT ROWID has one that is not stored apart from it.
  const root = rootOf(String(index));
  const keyed = connection
    .prepare("SELECT coll FROM pragma_index_xinfo(?) WHERE key = 1")
    .pluck()
    .all(String(index));
  const kinds = columns.flatMap(({ type }) => kindOf(type));
  const isPlain = keyed.every((collation) => collation === "BINARY") && keyed.length === kinds.length;
  if (root === undefined || !isPlain || kinds.length !== columns.length) return { kind: "none" };
  return { kind: "index", root, columns: kinds };
}

/** By SQLite's rules of affinity; other types store a value in ways that its text does not show. */
function kindOf(type: string): readonly ("text" | "integer")[] {
  if (type.includes("INT")) return ["integer"];
  return /CHAR|CLOB|TEXT/.test(type) ? ["text"] : [];
}

function parseEntry(row: unknown): { name: string; owner: string; root: number } {
  const { name, owner, root } = row as { name: string; owner: string; root: number };
  return { name, owner, root };
}

function parseColumn(row: unknown): { name: string; type: string } {
  const { name, type } = row as { name: string; type: string };
  return { name, type };
}
