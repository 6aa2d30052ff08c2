import Database from "better-sqlite3";

export type Parameters = { readonly [name: string]: string | number | null };

/** A statement that an executor's table of statements has no name for; no sound executor needs one. */
export type FurtherSql = { readonly sql: string };

/** One statement that is about to run, with its bound parameters. */
export type Statement<Name extends string> = {
  readonly name: Name | "further";
  readonly sql: string;
  readonly parameters: Parameters;
};

/** All of the store that a step of an executor gets to see. */
export type NamedStore<Name extends string> = {
  /** Runs a statement that returns no rows; the number of rows it changed itself, not counting triggers. */
  readonly run: (
    statement: Name | FurtherSql,
    parameters?: Parameters,
  ) => { changes: number; lastId: number };
  /** The first row a statement returns, if any. */
  readonly row: (statement: Name | FurtherSql, parameters?: Parameters) => unknown;
  readonly rows: (statement: Name | FurtherSql, parameters?: Parameters) => readonly unknown[];
  readonly inTransaction: () => boolean;
};

export type SqliteStore<Name extends string> = NamedStore<Name> & {
  /** Cuts the connection at once; whatever was not committed is gone. Safe to call twice. */
  readonly close: () => void;
  /** The connection itself, for a pragma that belongs to it. */
  readonly connection: Database.Database;
};

export type SqliteStoreOptions<Name extends string> = {
  readonly sql: { readonly [name in Name]: string };
  readonly schema: string;
  readonly onStatement?: (connection: Database.Database, statement: Statement<Name>) => void;
  /** Called when a step asks whether a transaction is open. */
  readonly onQuestion?: () => void;
};

/**
 * Opens an executor's file, creating it if needed: WAL, durable commits, foreign keys on, no busy wait.
 * Throws the driver's error if the file cannot be opened.
 */
export function openSqliteStore<Name extends string>(
  file: string,
  { sql, schema, onStatement, onQuestion }: SqliteStoreOptions<Name>,
): SqliteStore<Name> {
  const connection = new Database(file, { timeout: 0 });
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.exec(schema);
  const prepared = new Map<string, Database.Statement>();
  const none: Parameters = {};
  const prepare = (statement: Name | FurtherSql, parameters: Parameters): Database.Statement => {
    const isNamed = typeof statement === "string";
    const text = isNamed ? sql[statement] : statement.sql;
    onStatement?.(connection, { name: isNamed ? statement : "further", sql: text, parameters });
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const fresh = connection.prepare(text);
    prepared.set(text, fresh);
    return fresh;
  };
  return {
    connection,
    run: (statement, parameters = none) => {
      const { changes, lastInsertRowid } = prepare(statement, parameters).run(parameters);
      return { changes, lastId: Number(lastInsertRowid) };
    },
    row: (statement, parameters = none) => prepare(statement, parameters).get(parameters),
    rows: (statement, parameters = none) => prepare(statement, parameters).all(parameters),
    inTransaction: () => {
      onQuestion?.();
      return connection.open && connection.inTransaction;
    },
    close: () => {
      connection.close();
    },
  };
}
