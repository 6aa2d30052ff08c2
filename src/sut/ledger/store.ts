import Database from "better-sqlite3";

/**
 * Every statement the ledger runs, by name. Whatever runs after the store has been set up passes the store, so what a
 * step read and wrote can be told from statements and bound parameters.
 */
export const ledgerSql = {
  begin: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  rollback: "ROLLBACK",
  readPolicy: "SELECT revision, max_copies AS maxCopies FROM policy WHERE singleton = 1",
  nextRevision: "UPDATE policy_revisions SET last = last + 1 WHERE singleton = 1",
  putPolicy: `INSERT INTO policy (singleton, revision, max_copies)
    SELECT 1, last, @maxCopies FROM policy_revisions WHERE singleton = 1
    ON CONFLICT (singleton) DO UPDATE SET revision = excluded.revision, max_copies = excluded.max_copies`,
  removePolicy: "DELETE FROM policy WHERE singleton = 1",
  readEffect: "SELECT digest, body FROM effects WHERE tenant = @tenant AND tool = @tool AND key = @key",
  insertEffect: `INSERT INTO effects (tenant, tool, key, digest, body, revision, run_id, call_id)
    SELECT @tenant, @tool, @key, @digest, @body, revision, @runId, @callId FROM policy
    WHERE singleton = 1 AND revision = @revision AND max_copies >= @copies`,
  insertReceipt: `INSERT INTO receipts
      (delivery, tenant, run_id, call_id, key, status, code, effect_exists, events, recorded_at)
    VALUES (@delivery, @tenant, @runId, @callId, @key, @status, @code, @effectExists, @events, @recordedAt)`,
} as const;

export type StatementName = keyof typeof ledgerSql;
export type LedgerSql = { readonly [name in StatementName]: string };

export const ledgerSchema = `
  CREATE TABLE IF NOT EXISTS policy_revisions (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1), last INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS policy (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    revision INTEGER NOT NULL CHECK (revision > 0),
    max_copies INTEGER NOT NULL CHECK (max_copies BETWEEN 0 AND 9)) STRICT;
  CREATE TABLE IF NOT EXISTS effects (
    tenant TEXT NOT NULL, tool TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL,
    revision INTEGER NOT NULL, run_id TEXT NOT NULL, call_id TEXT NOT NULL,
    PRIMARY KEY (tenant, tool, key)) STRICT;
  CREATE TABLE IF NOT EXISTS receipts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, delivery TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL, run_id TEXT NOT NULL, call_id TEXT NOT NULL, key TEXT,
    status TEXT NOT NULL, code TEXT NOT NULL, effect_exists INTEGER NOT NULL CHECK (effect_exists IN (0, 1)),
    events TEXT NOT NULL, recorded_at INTEGER NOT NULL) STRICT;
`;

export type Parameters = { readonly [name: string]: string | number | null };

/** A statement that the table above has no name for; no sound ledger needs one. */
export type FurtherSql = { readonly sql: string };

/** One statement that is about to run, with its bound parameters. */
export type Statement = {
  readonly name: StatementName | "further";
  readonly sql: string;
  readonly parameters: Parameters;
};

/** All of the store that a step of the ledger gets to see. */
export type StepStore = {
  /** Runs a statement that returns no rows; the number of rows it changed itself, not counting triggers. */
  readonly run: (
    statement: StatementName | FurtherSql,
    parameters?: Parameters,
  ) => { changes: number; lastId: number };
  /** The first row a statement returns, if any. */
  readonly row: (statement: StatementName | FurtherSql, parameters?: Parameters) => unknown;
  readonly inTransaction: () => boolean;
};

export type Store = StepStore & {
  /** Writes the first policy if, and only if, this store has never had one. */
  readonly initialise: (maxCopies: number | "none") => void;
  /** Cuts the connection at once; whatever was not committed is gone. Safe to call twice. */
  readonly close: () => void;
  /** The connection itself, for a pragma that belongs to it. */
  readonly connection: Database.Database;
};

/**
 * Opens the ledger's file, creating it if needed: WAL, durable commits, foreign keys on, no busy wait.
 * Throws the driver's error if the file cannot be opened.
 */
export function openStore(
  file: string,
  options: {
    readonly sql?: Partial<LedgerSql>;
    readonly schema?: string;
    readonly onStatement?: (connection: Database.Database, statement: Statement) => void;
    /** Called when a step asks whether a transaction is open. */
    readonly onQuestion?: () => void;
  } = {},
): Store {
  const connection = new Database(file, { timeout: 0 });
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.exec(options.schema ?? ledgerSchema);
  const sql: LedgerSql = { ...ledgerSql, ...options.sql };
  const prepared = new Map<string, Database.Statement>();
  const { onStatement, onQuestion } = options;
  const none: Parameters = {};
  const prepare = (statement: StatementName | FurtherSql, parameters: Parameters): Database.Statement => {
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
    inTransaction: () => {
      onQuestion?.();
      return connection.open && connection.inTransaction;
    },
    initialise: (maxCopies) => {
      const isNew =
        connection.prepare("INSERT OR IGNORE INTO policy_revisions VALUES (1, 0)").run().changes === 1;
      if (!isNew || maxCopies === "none") return;
      connection.prepare(sql.nextRevision).run();
      connection.prepare(sql.putPolicy).run({ maxCopies });
    },
    close: () => {
      connection.close();
    },
  };
}
