import {
  type NamedStore,
  openSqliteStore,
  type Parameters,
  type SqliteStore,
  type SqliteStoreOptions,
} from "../sqlite-store.js";
import { ruledSchema, ruledSql } from "./sql.js";

export type StatementName = keyof typeof ruledSql;

/** All of the store that a step gets to see. */
export type StepStore = NamedStore<StatementName>;

export type Store = SqliteStore<StatementName> & {
  /** Writes the first policy if, and only if, this store has never had one. */
  readonly initialise: (maxCopies: number | "none") => void;
};

/** Opens the ruled executor's file, creating it if needed. Throws the driver's error if it cannot be opened. */
export function openStore(
  file: string,
  watch: Pick<SqliteStoreOptions<StatementName>, "onStatement" | "onQuestion"> = {},
): Store {
  const store = openSqliteStore<StatementName>(file, { ...watch, schema: ruledSchema, sql: ruledSql });
  const { connection } = store;
  return {
    ...store,
    initialise: (maxCopies) => {
      const isNew =
        connection.prepare("INSERT OR IGNORE INTO policy_revisions VALUES (1, 0)").run().changes === 1;
      if (!isNew || maxCopies === "none") return;
      connection.prepare(ruledSql.nextRevision).run();
      connection.prepare(ruledSql.putPolicy).run({ maxCopies });
    },
  };
}

/** One write transaction; it is closed whichever way the work ends. */
export function inTransaction<Result>(store: StepStore, work: () => Result): Result {
  store.run("begin");
  try {
    const result = work();
    store.run("commit");
    return result;
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

/** A transaction of one statement; the number of rows that it changed, and of the last one it inserted. */
export function writeAlone(
  store: StepStore,
  statement: StatementName,
  parameters: Parameters,
): { changes: number; lastId: number } {
  return inTransaction(store, () => store.run(statement, parameters));
}
