import {
  type NamedStore,
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
  type Statement,
} from "../sqlite-store.js";

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

/** All of the store that a step of the ledger gets to see. */
export type StepStore = NamedStore<StatementName>;

export type LedgerStatement = Statement<StatementName>;

export type Store = SqliteStore<StatementName> & {
  /** Writes the first policy if, and only if, this store has never had one. */
  readonly initialise: (maxCopies: number | "none") => void;
};

/**
 * Opens the ledger's file, creating it if needed: WAL, durable commits, foreign keys on, no busy wait.
 * Throws the driver's error if the file cannot be opened.
 */
export function openStore(
  file: string,
  options: Partial<Omit<SqliteStoreOptions<StatementName>, "sql">> & {
    readonly sql?: Partial<LedgerSql>;
  } = {},
): Store {
  const sql: LedgerSql = { ...ledgerSql, ...options.sql };
  const store = openSqliteStore(file, { ...options, schema: options.schema ?? ledgerSchema, sql });
  const { connection } = store;
  return {
    ...store,
    initialise: (maxCopies) => {
      const isNew =
        connection.prepare("INSERT OR IGNORE INTO policy_revisions VALUES (1, 0)").run().changes === 1;
      if (!isNew || maxCopies === "none") return;
      connection.prepare(sql.nextRevision).run();
      connection.prepare(sql.putPolicy).run({ maxCopies });
    },
  };
}
