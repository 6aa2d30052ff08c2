import { z } from "zod";
import type { LedgerKey } from "../ledger-key.js";
import { LedgerUnreadable, restoreIt } from "./ledger-unreadable.js";
import { heldStates, type ReservationStore } from "./reservation-store.js";

/** What the store needs of a `Pool` of `pg`. */
export type PostgresPool = {
  readonly query: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;
};

const table = "commitpoint_reservations";
const stateRows = z.array(z.object({ state: z.enum(heldStates) })).max(1);
const openRows = z.array(
  z.object({ key: z.string(), holder: z.string(), state: z.enum(["reserved", "unknown"]) }),
);

/**
 * Reservations in the table `commitpoint_reservations` of a PostgreSQL database, which is created if it is missing.
 * The pool stays the caller's to end. Rejects with the driver's error, or with `LedgerUnreadable`.
 */
export async function postgresStore(pool: PostgresPool): Promise<ReservationStore> {
  await createTable(pool);
  const read = async (key: LedgerKey) => {
    const { rows } = await pool.query(`SELECT state FROM ${table} WHERE key = $1`, [key]);
    return shaped(stateRows, rows)[0]?.state ?? "free";
  };
  return {
    reserve: async (key, holder) => {
      for (;;) {
        const { rows } = await pool.query(
          `INSERT INTO ${table} (key, holder, state) VALUES ($1, $2, 'reserved')
           ON CONFLICT (key) DO NOTHING RETURNING key`,
          [key, holder],
        );
        if (rows.length === 1) return { kind: "reserved" };
        const state = await read(key);
        if (state !== "free") return { kind: "held", state };
        // Released between the two statements.
      }
    },
    settle: async (key, holder, state) => {
      await pool.query(
        `INSERT INTO ${table} AS held (key, holder, state) VALUES ($1, $2, $3) ON CONFLICT (key) DO UPDATE
         SET state = excluded.state WHERE held.holder = excluded.holder AND held.state <> 'done'`,
        [key, holder, state],
      );
    },
    release: async (key, holder) => {
      await pool.query(`DELETE FROM ${table} WHERE key = $1 AND holder = $2 AND state <> 'done'`, [
        key,
        holder,
      ]);
    },
    read,
    open: async () => {
      const { rows } = await pool.query(`SELECT key, holder, state FROM ${table} WHERE state <> 'done'`);
      return shaped(openRows, rows);
    },
    close: () => {},
    warnings: [],
  };
}

/** One query of two statements is one transaction; of several that create a table at once, all but one fail otherwise. */
async function createTable(pool: PostgresPool): Promise<void> {
  await pool.query(`
    SELECT pg_advisory_xact_lock(hashtext('${table}'));
    CREATE TABLE IF NOT EXISTS ${table} (
      key text PRIMARY KEY,
      holder text NOT NULL,
      state text NOT NULL CHECK (state IN ('reserved', 'done', 'unknown'))
    )`);
  try {
    await pool.query(`SELECT key, holder, state FROM ${table} LIMIT 0`);
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    throw new LedgerUnreadable(`table ${table}`, seen, restoreIt, error);
  }
}

function shaped<Row>(shape: z.ZodType<Row>, rows: unknown): Row {
  const read = shape.safeParse(rows);
  if (!read.success) {
    throw new LedgerUnreadable(`table ${table}`, "a row has another shape", restoreIt, read.error);
  }
  return read.data;
}
