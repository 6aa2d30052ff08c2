import type { ApprovalRule } from "../../model/vocabulary.js";
import {
  type NamedStore,
  openSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
  type Statement,
} from "../sqlite-store.js";
import { guardedSchema, guardedSql } from "./sql.js";

export type StatementName = keyof typeof guardedSql;
export type GuardedSql = { readonly [name in StatementName]: string };
export type GuardedStatement = Statement<StatementName>;

/** All of the store that a step gets to see. */
export type StepStore = NamedStore<StatementName>;

export type Store = SqliteStore<StatementName> & {
  /** Writes the first policy if, and only if, this store has never had one. */
  readonly initialise: (policy: { maxCopies: number; approval: ApprovalRule } | "none") => void;
};

/** Opens the guarded executor's file, creating it if needed. Throws the driver's error if it cannot be opened. */
export function openStore(
  file: string,
  options: Partial<Omit<SqliteStoreOptions<StatementName>, "sql">> & {
    readonly sql?: Partial<GuardedSql>;
  } = {},
): Store {
  const sql: GuardedSql = { ...guardedSql, ...options.sql };
  const store = openSqliteStore(file, { ...options, schema: options.schema ?? guardedSchema, sql });
  const { connection } = store;
  return {
    ...store,
    initialise: (policy) => {
      const isNew =
        connection.prepare("INSERT OR IGNORE INTO policy_revisions VALUES (1, 0)").run().changes === 1;
      if (!isNew || policy === "none") return;
      connection.prepare(sql.nextRevision).run();
      connection.prepare(sql.putPolicy).run(policy);
    },
  };
}
