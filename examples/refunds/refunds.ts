import Database from "better-sqlite3";

/** Nothing was written, and nothing will be. */
export class RefundRefused extends Error {}

/** A refund tool as a team might have written it: it checks, waits for nothing, writes, and returns what it did. */
export class Refunds {
  readonly #db: Database.Database;

  constructor(file: string) {
    this.#db = new Database(file);
    this.#db.pragma("journal_mode = WAL");
    this.#db.exec(
      "CREATE TABLE IF NOT EXISTS refunds (order_id TEXT PRIMARY KEY, cents INTEGER NOT NULL, agent TEXT NOT NULL)",
    );
  }

  async run(
    request: unknown,
    options: {
      readonly agent: string;
      readonly signal: AbortSignal;
      readonly beforeWrite: () => Promise<void>;
    },
  ): Promise<{ readonly order: string; readonly refunded: number }> {
    const { order, cents } = readRefund(request);
    await options.beforeWrite();
    options.signal.throwIfAborted();
    const refund = this.#db.transaction(() => {
      const earlier = this.#db.prepare("SELECT cents FROM refunds WHERE order_id = ?").pluck().get(order);
      if (earlier === cents) return;
      if (earlier !== undefined) throw new RefundRefused("this order has another refund already");
      this.#db.prepare("INSERT INTO refunds VALUES (?, ?, ?)").run(order, cents, options.agent);
    });
    refund.immediate();
    return { order, refunded: cents };
  }

  close(): void {
    this.#db.close();
  }
}

function readRefund(request: unknown): { readonly order: string; readonly cents: number } {
  if (typeof request !== "object" || request === null || Array.isArray(request))
    throw new RefundRefused("shape");
  if (Object.keys(request).sort().join() !== "cents,order") throw new RefundRefused("fields");
  if (!("order" in request) || !("cents" in request)) throw new RefundRefused("fields");
  const { order, cents } = request;
  if (typeof order !== "string" || !/^ORD-[0-9]{4}$/.test(order)) throw new RefundRefused("order");
  if (typeof cents !== "number" || !Number.isInteger(cents) || cents < 1 || cents > 50_000) {
    throw new RefundRefused("cents");
  }
  return { order, cents };
}
