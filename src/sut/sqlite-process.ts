import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import type { Observation, WriteLock } from "../model/vocabulary.js";
import type { Footprint } from "./footprint.js";
import type { DriverFaults } from "./gate.js";
import type { Footprints } from "./port.js";
import { openSqliteFaults, type SqliteFaults } from "./sqlite-faults.js";
import { sqliteFootprint } from "./sqlite-footprint.js";
import type { SqliteStore, SqliteStoreOptions, Statement } from "./sqlite-store.js";
import { storeFootprints } from "./store-footprints.js";

export type Observer = {
  /** What is committed now. The same object as before while nothing was committed in between. */
  readonly read: (writeLock: WriteLock) => Observation;
  readonly close: () => void;
};

/** An executor over a SQLite file, as something that can be started, cut off, and started again on the same file. */
export type SqliteExecutor<Name extends string, Store extends SqliteStore<Name>, Running> = {
  /** First part of the names of its files. */
  readonly name: string;
  /** Rows of one run; the tables stay, so that a run costs no file and no preparation. */
  readonly emptied: readonly string[];
  readonly openStore: (
    file: string,
    watch: Pick<SqliteStoreOptions<Name>, "onStatement" | "onQuestion">,
  ) => Store;
  readonly openObserver: (file: string) => Observer;
  /** A process of the executor begins: it remembers nothing. `draw` notes that it took the next value of a shared source. */
  readonly start: (store: Store, draw: (from: "#clock" | "#ids") => void) => Running;
  /** What is reported of a statement in place of the truth. */
  readonly footprint?: (statement: Statement<Name>, footprint: Footprint) => Footprint;
};

export type SqliteProcess<Running> = {
  /** What runs. Throws while it is down. */
  readonly running: () => Running;
  /** A process begins on an empty store. */
  readonly begin: () => void;
  readonly sever: () => void;
  /** A process begins on the store that a crash left behind. */
  readonly reopen: () => void;
  /** The same in another process of the harness than the one that crashed; `file` is the store's. */
  readonly takeUp: (file: string) => void;
  /** Where the store lies; empty before it was opened. */
  readonly file: () => string;
  readonly close: () => void;
  readonly faults: DriverFaults;
  readonly observe: (writeLock: WriteLock) => Observation;
  readonly probeLock: () => WriteLock;
  readonly footprints: Footprints;
};

/** Keeps an executor's files in `directory`, which must exist. */
export function sqliteProcess<Name extends string, Store extends SqliteStore<Name>, Running>(
  directory: string,
  executor: SqliteExecutor<Name, Store, Running>,
): SqliteProcess<Running> {
  let generation = 0;
  let file = "";
  let open: { store: Store; running: Running } | undefined;
  let harness: { faults: SqliteFaults; observer: Observer } | undefined;
  const footprints = storeFootprints(() => open?.store.connection.inTransaction === true);
  const footprintOf = sqliteFootprint();

  const onStatement = (connection: Database.Database, statement: Statement<Name>): void => {
    if (!footprints.isWatched()) return;
    const footprint = footprintOf(connection, statement.sql, statement.parameters);
    footprints.ran(executor.footprint?.(statement, footprint) ?? footprint);
  };
  const start = (store: Store): void => {
    open = { store, running: executor.start(store, footprints.drew) };
  };
  const reopen = (): void => {
    start(executor.openStore(file, { onStatement, onQuestion: footprints.asked }));
  };
  const up = (): { store: Store; running: Running } => {
    if (open === undefined) throw new Error("the executor is down");
    return open;
  };
  const opened = (): { faults: SqliteFaults; observer: Observer } => {
    if (harness === undefined) throw new Error("the store has not been opened");
    return harness;
  };
  const sever = (): void => {
    open?.store.close();
    open = undefined;
  };
  const close = (): void => {
    sever();
    harness?.observer.close();
    harness?.faults.close();
    harness = undefined;
    for (const suffix of ["", "-wal", "-shm"]) if (existsSync(file + suffix)) rmSync(file + suffix);
  };
  const takeUp = (path: string): void => {
    file = path;
    reopen();
    const faults = openSqliteFaults({
      file,
      tables: { execute: "effects", receipt: "receipts" },
      connection: () => open?.store.connection,
    });
    harness = { faults, observer: executor.openObserver(file) };
  };
  const openFresh = (): void => {
    close();
    takeUp(join(directory, `${executor.name}-${++generation}.db`));
  };
  const emptied = [...executor.emptied, "harness_child", "harness_ballast", "sqlite_sequence"];

  return {
    running: () => up().running,
    begin: () => {
      const reusable = open !== undefined && harness !== undefined && !open.store.inTransaction();
      if (!reusable || harness?.faults.probeLock() !== "free") {
        openFresh();
        return;
      }
      const { connection } = opened().faults;
      connection.exec(`BEGIN IMMEDIATE; ${emptied.map((table) => `DELETE FROM ${table};`).join(" ")} COMMIT`);
      start(up().store);
    },
    sever,
    reopen,
    takeUp,
    file: () => file,
    close,
    faults: {
      enforce: (fault) => opened().faults.enforce(fault),
      lift: () => harness?.faults.lift(),
    },
    observe: (writeLock) => opened().observer.read(writeLock),
    probeLock: () => opened().faults.probeLock(),
    footprints,
  };
}
