import Database from "better-sqlite3";
import type { DriverFault } from "../model/vocabulary.js";
import { stageOf } from "./fault-kinds.js";
import type { DriverFaults } from "./gate.js";

/** What the faults need to know of an executor's SQLite store. */
export type FaultTarget = {
  readonly file: string;
  /** The tables whose inserts are the effect and the receipt. */
  readonly tables: { readonly execute: string; readonly receipt: string };
  /** The executor's own connection, where a page limit and `query_only` belong; asked anew each time, undefined while it is down. */
  readonly connection: () => Database.Database | undefined;
};

export type SqliteFaults = DriverFaults & {
  /** Whether a rival writer gets the lock at once; `held_by_harness` while a busy fault is in force. */
  readonly probeLock: () => "free" | "held" | "held_by_harness";
  /** The harness's own connection. */
  readonly connection: Database.Database;
  readonly close: () => void;
};

const trigger = "harness_fault";
const unlimitedPages = 1_073_741_823;
/** More than any store of a test run holds in free pages, so that it cannot fit under the page limit. */
const ballastBytes = 4_000_000;

/**
 * Real faults of a SQLite store, put in force through a connection of the harness's own: triggers, a held write
 * lock, a COMMIT that a deferred foreign key refuses, a full database, a connection that may only read.
 */
export function openSqliteFaults(target: FaultTarget): SqliteFaults {
  const rival = new Database(target.file, { timeout: 0 });
  // A fault may have been in force when the process that had put it there was killed.
  rival.exec(`
    DROP TRIGGER IF EXISTS ${trigger};
    CREATE TABLE IF NOT EXISTS harness_parent (id INTEGER PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS harness_child (
      parent INTEGER REFERENCES harness_parent (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE IF NOT EXISTS harness_ballast (bytes BLOB);`);
  const begin = rival.prepare("BEGIN IMMEDIATE");
  const rollback = rival.prepare("ROLLBACK");
  let inForce: DriverFault | undefined;

  const install = (fault: DriverFault, body: string): void => {
    const table = target.tables[stageOf(fault)];
    const when = fault.kind === "disk_full" || fault.kind === "commit_refused" ? "AFTER" : "BEFORE";
    rival.exec(`CREATE TRIGGER ${trigger} ${when} INSERT ON ${table} BEGIN ${body}; END`);
  };

  const lift = (): void => {
    if (inForce === undefined) return;
    switch (inForce.kind) {
      case "busy":
        rollback.run();
        break;
      case "read_only":
        target.connection()?.pragma("query_only = 0");
        break;
      case "disk_full":
        target.connection()?.pragma(`max_page_count = ${unlimitedPages}`);
        if (!dropTrigger()) return;
        break;
      default:
        if (!dropTrigger()) return;
    }
    inForce = undefined;
  };

  /** False if the executor holds the write lock, so that the trigger has to wait for the next occasion. */
  const dropTrigger = (): boolean => {
    try {
      rival.exec(`DROP TRIGGER IF EXISTS ${trigger}`);
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  };

  const put = (fault: DriverFault): void => {
    switch (fault.kind) {
      case "receipt_ignored":
      case "effect_ignored":
        install(fault, "SELECT RAISE(IGNORE)");
        return;
      case "receipt_aborted":
        install(fault, "SELECT RAISE(ABORT, 'harness fault')");
        return;
      case "commit_refused":
        install(fault, "INSERT INTO harness_child VALUES (1)");
        return;
      case "busy":
        begin.run();
        return;
      case "read_only":
        target.connection()?.pragma("query_only = 1");
        return;
      case "disk_full": {
        install(fault, `INSERT INTO harness_ballast VALUES (zeroblob(${ballastBytes}))`);
        const pages = target.connection()?.pragma("page_count", { simple: true });
        target.connection()?.pragma(`max_page_count = ${Number(pages)}`);
        return;
      }
    }
  };

  const enforce = (fault: DriverFault): "in_force" | "store_locked" => {
    lift();
    if (inForce !== undefined) return "store_locked";
    try {
      put(fault);
    } catch (error) {
      if (isBusy(error)) return "store_locked";
      throw error;
    }
    inForce = fault;
    return "in_force";
  };

  return {
    connection: rival,
    enforce,
    lift,
    probeLock: () => {
      if (inForce?.kind === "busy") return "held_by_harness";
      try {
        begin.run();
      } catch {
        return "held";
      }
      rollback.run();
      return "free";
    },
    close: () => rival.close(),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
