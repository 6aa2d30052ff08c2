import Database from "better-sqlite3";

/**
 * Every statement the ledger runs, by name. This table and `openStore` are the only place with SQL, so what a
 * step read and wrote can be told from statement names and bound parameters.
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

/** One statement that ran, with its bound parameters. */
export type Statement = { readonly name: StatementName; readonly parameters: Parameters };
export type Parameters = { readonly [name: string]: string | number | null };

export type Store = {
  /** Runs a statement that returns no rows; the number of rows it changed itself, not counting triggers. */
  readonly run: (name: StatementName, parameters?: Parameters) => { changes: number; lastId: number };
  /** The first row a statement returns, if any. */
  readonly row: (name: StatementName, parameters?: Parameters) => unknown;
  readonly inTransaction: () => boolean;
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
    readonly onStatement?: (statement: Statement) => void;
  } = {},
): Store {
  const connection = new Database(file, { timeout: 0 });
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.exec(options.schema ?? ledgerSchema);
  const sql: LedgerSql = { ...ledgerSql, ...options.sql };
  const prepared = new Map<StatementName, Database.Statement>();
  const { onStatement } = options;
  const none: Parameters = {};
  const statement = (name: StatementName, parameters: Parameters): Database.Statement => {
    onStatement?.({ name, parameters });
    const known = prepared.get(name);
    if (known !== undefined) return known;
    const fresh = connection.prepare(sql[name]);
    prepared.set(name, fresh);
    return fresh;
  };
  return {
    connection,
    run: (name, parameters = none) => {
      const { changes, lastInsertRowid } = statement(name, parameters).run(parameters);
      return { changes, lastId: Number(lastInsertRowid) };
    },
    row: (name, parameters = none) => statement(name, parameters).get(parameters),
    inTransaction: () => connection.open && connection.inTransaction,
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
