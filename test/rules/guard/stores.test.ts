import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createGuard } from "../../../src/rules/guard/guard.js";
import { memoryStore } from "../../../src/rules/guard/memory-store.js";
import { postgresStore } from "../../../src/rules/guard/postgres-store.js";
import type { ReservationStore } from "../../../src/rules/guard/reservation-store.js";
import { charge, chargeAtOnce, chargeOnce, effectsIn } from "./charges.js";
import { openFileStore } from "./file-kinds.js";
import { hasPostgres, type PostgresServer, startPostgres } from "./postgres-server.js";
import { temporaryFolder } from "./temporary-folder.js";

type Opened = {
  readonly store: ReservationStore;
  /** Another store over the same ledger, as a second process has one. */
  readonly again: () => ReservationStore | Promise<ReservationStore>;
};

function onFile(open: (ledger: string) => ReservationStore): Opened {
  const ledger = join(temporaryFolder(), "ledger");
  const store = open(ledger);
  onTestFinished(() => void store.close());
  return { store, again: () => open(ledger) };
}

const kinds: Readonly<Record<string, () => Opened>> = {
  memory: () => {
    const store = memoryStore();
    return { store, again: () => store };
  },
  sqlite: () => onFile(openFileStore.sqlite),
  file: () => onFile(openFileStore.file),
};

describe.each(Object.entries(kinds))("the %s store", (_, open) => {
  keepsReservations(async () => open());
});

if (!hasPostgres) {
  console.warn("NOT TESTED: the PostgreSQL store; initdb and postgres are not in the PATH");
}

describe.skipIf(!hasPostgres)("the PostgreSQL store", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool({ host: server.socket, user: "tester", database: "postgres", max: 20 });
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  keepsReservations(async () => {
    await pool.query("DROP TABLE IF EXISTS commitpoint_reservations");
    return { store: await postgresStore(pool), again: () => postgresStore(pool) };
  });

  it("creates its table once when several begin at the same moment", async () => {
    await pool.query("DROP TABLE IF EXISTS commitpoint_reservations");
    const stores = await Promise.all(Array.from({ length: 12 }, () => postgresStore(pool)));
    await stores[0]?.reserve("k", "one");
    expect(await stores[11]?.reserve("k", "two")).toEqual({ kind: "held", state: "reserved" });
  });

  it("refuses a table of another shape", async () => {
    await pool.query("DROP TABLE IF EXISTS commitpoint_reservations");
    await pool.query("CREATE TABLE commitpoint_reservations (key text PRIMARY KEY)");
    await expect(postgresStore(pool)).rejects.toThrow(/commitpoint_reservations.*restore it/i);
  });
});

function keepsReservations(open: () => Promise<Opened>): void {
  it("gives a key to the first who asks and tells the second its state", async () => {
    const { store } = await open();
    expect(await store.read("k")).toBe("free");
    expect(await store.reserve("k", "one")).toEqual({ kind: "reserved" });
    expect(await store.reserve("k", "two")).toEqual({ kind: "held", state: "reserved" });
    expect(await store.reserve("another", "two")).toEqual({ kind: "reserved" });
  });

  it.each(["done", "unknown"] as const)("keeps a key as %s", async (state) => {
    const { store, again } = await open();
    await store.reserve("k", "one");
    await store.settle("k", "one", state);
    expect(await store.read("k")).toBe(state);
    expect(await (await again()).reserve("k", "two")).toEqual({ kind: "held", state });
  });

  it("frees a reserved and an unknown key for its holder alone, and a done one for nobody", async () => {
    const { store } = await open();
    await store.reserve("k", "one");
    await store.release("k", "two");
    expect(await store.read("k")).toBe("reserved");
    await store.settle("k", "one", "unknown");
    await store.release("k", "one");
    expect(await store.read("k")).toBe("free");
    await store.reserve("k", "one");
    await store.settle("k", "one", "done");
    await store.release("k", "one");
    expect(await store.read("k")).toBe("done");
  });

  it("never takes back that a call was done, nor settles the call of another", async () => {
    const { store } = await open();
    await store.reserve("k", "one");
    await store.settle("k", "two", "done");
    expect(await store.read("k")).toBe("reserved");
    await store.settle("k", "one", "done");
    await store.settle("k", "one", "unknown");
    expect(await store.read("k")).toBe("done");
  });

  it("takes in that a call was done also where its reservation was released meanwhile", async () => {
    const { store } = await open();
    await store.reserve("k", "one");
    await store.release("k", "one");
    await store.settle("k", "one", "done");
    expect(await store.read("k")).toBe("done");
  });

  it("tells what is open, with its holder", async () => {
    const { store } = await open();
    for (const key of ["running", "thrown", "finished"]) await store.reserve(key, `of ${key}`);
    await store.settle("thrown", "of thrown", "unknown");
    await store.settle("finished", "of finished", "done");
    const open_ = [...(await store.open())].sort((one, other) => one.key.localeCompare(other.key));
    expect(open_).toEqual([
      { key: "running", holder: "of running", state: "reserved" },
      { key: "thrown", holder: "of thrown", state: "unknown" },
    ]);
  });

  it("tells keys apart letter for letter", async () => {
    const { store, again } = await open();
    // The same letter composed and decomposed, letter case, a line break, a name that objects inherit, a long text.
    const keys = ["\u00e9", "e\u0301", "E", "e", "e\\n", "订单", "__proto__", "x".repeat(2000)];
    for (const key of keys) expect(await store.reserve(key, "one")).toEqual({ kind: "reserved" });
    const second = await again();
    for (const key of keys) expect(await second.read(key)).toBe("reserved");
  });

  it("lets one of 64 charges at the same moment run", async () => {
    const { store, again } = await open();
    const effects = join(temporaryFolder(), "effects");
    const guards = [store, await again()].map((each) => createGuard({ rules: [chargeOnce], store: each }));
    const ends = await Promise.all(guards.map((guard) => chargeAtOnce(guard, 32, () => charge(effects))));
    expect(ends.map(({ ran = 0 }) => ran).reduce((sum, ran) => sum + ran)).toBe(1);
    expect(
      ends.map(({ duplicate_transaction = 0 }) => duplicate_transaction).reduce((sum, of) => sum + of),
    ).toBe(63);
    expect(effectsIn(effects)).toBe(1);
  });
}
