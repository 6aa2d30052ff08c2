// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as rules spell their keys
import { describe, expect, it } from "vitest";
import { createGuard } from "../../../src/rules/guard/guard.js";
import type { GuardOptions } from "../../../src/rules/guard/guarding.js";
import { memoryStore } from "../../../src/rules/guard/memory-store.js";
import { NotSettled } from "../../../src/rules/guard/not-settled.js";
import { NothingHappened } from "../../../src/rules/guard/nothing-happened.js";
import { simpleStore } from "../../../src/rules/guard/simple-store.js";
import { ToolBlocked } from "../../../src/rules/guard/tool-blocked.js";
import { atMost, once, rule } from "../rule-fixture.js";
import { chargeAtOnce, chargeOnce, order, orderKey } from "./charges.js";

function charging(options: Partial<GuardOptions> = {}) {
  const store = memoryStore();
  const guard = createGuard({ rules: [chargeOnce], store, ...options });
  const charge = (run: () => unknown) => guard.execute("charge_card", order, run);
  return { store, guard, charge };
}

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/** What a refusal says of the earlier call. */
async function outcomeOf(run: Promise<unknown>): Promise<unknown> {
  const error = await run.then(
    () => "ran",
    (thrown) => thrown,
  );
  return error instanceof ToolBlocked ? [error.code, error.detail.outcome] : error;
}

describe("twelve charges of one order at the same moment", () => {
  it("are one execution and eleven duplicates", async () => {
    const { guard } = charging();
    let effects = 0;
    const ends = await chargeAtOnce(guard, 12, async () => {
      effects += 1;
      await new Promise((resolve) => setImmediate(resolve));
    });
    expect(ends).toEqual({ ran: 1, duplicate_transaction: 11 });
    expect(effects).toBe(1);
  });

  it("are the same in one session", async () => {
    const session = charging().guard.session();
    const run = () => session.execute("charge_card", order, () => new Promise(setImmediate));
    const ends = await Promise.all(Array.from({ length: 12 }, () => outcomeOf(run())));
    expect(ends.filter((end) => end === "ran")).toHaveLength(1);
    // The first has not ended when they ask.
    expect(ends.filter((end) => end !== "ran")).toEqual(
      Array.from({ length: 11 }, () => ["duplicate_transaction", "unknown"]),
    );
  });
});

describe("a tool that throws", () => {
  const declined = new Error("declined");

  it("may have had its effect: its error is thrown on and the next call is a duplicate of unknown outcome", async () => {
    const { charge, store } = charging();
    await expect(charge(throwing(declined))).rejects.toBe(declined);
    expect(store.read(orderKey)).toBe("unknown");
    expect(await outcomeOf(charge(() => "charged"))).toEqual(["duplicate_transaction", "unknown"]);
  });

  it("is the same where it rejects later, or throws no error", async () => {
    const { charge, store } = charging();
    await expect(charge(() => Promise.reject("no error"))).rejects.toBe("no error");
    expect(store.read(orderKey)).toBe("unknown");
  });

  it("can be called again where it proves that nothing happened", async () => {
    const { charge } = charging();
    await expect(charge(throwing(new NothingHappened("no connection")))).rejects.toThrow("no connection");
    expect(await charge(() => "charged")).toBe("charged");
    expect(await outcomeOf(charge(() => "charged"))).toEqual(["duplicate_transaction", "done"]);
  });

  it("can be called again where the caller knows the error for such a proof", async () => {
    const { charge } = charging({ provesNothingHappened: (error) => error === declined });
    await expect(charge(throwing(declined))).rejects.toBe(declined);
    expect(await outcomeOf(charge(throwing(new Error("timeout"))))).toEqual(new Error("timeout"));
    expect(await outcomeOf(charge(() => "charged"))).toEqual(["duplicate_transaction", "unknown"]);
  });

  it("proves nothing where the question about its error fails", async () => {
    const { charge, store } = charging({ provesNothingHappened: throwing(new Error("broken")) });
    await expect(charge(throwing(declined))).rejects.toBe(declined);
    expect(store.read(orderKey)).toBe("unknown");
  });

  it("is always called again with releaseOnThrow", async () => {
    const { charge } = charging({ releaseOnThrow: true });
    await expect(charge(throwing(declined))).rejects.toBe(declined);
    expect(await charge(() => "charged")).toBe("charged");
  });
});

describe("two keys of one call", () => {
  // Sorted, the key of the invoice comes before that of the order.
  const rules = [
    rule("one-order", [once("charge_card", "${order_id}")]),
    rule("one-invoice", [once("charge_card", "${invoice}")]),
  ];
  const key = (name: string, value: string) => JSON.stringify(["charge_card", `\${${name}}`, [value]]);

  it("are both kept", async () => {
    const { guard, store } = charging({ rules });
    await guard.execute("charge_card", { order_id: "A1", invoice: "I1" }, () => "charged");
    expect([store.read(key("order_id", "A1")), store.read(key("invoice", "I1"))]).toEqual(["done", "done"]);
  });

  it("are reserved both or not at all: where the second is held the first is released", async () => {
    const store = memoryStore();
    const order_id = key("order_id", "A1");
    // Another process reserves the order just after this one has read that it is free.
    const rival = { ...store, read: () => "free" as const };
    store.reserve(order_id, "rival");
    const { guard } = charging({ rules, store: rival });
    const run = guard.execute("charge_card", { order_id: "A1", invoice: "I1" }, () => "charged");
    expect(await outcomeOf(run)).toEqual(["duplicate_transaction", "unknown"]);
    expect(store.read(key("invoice", "I1"))).toBe("free");
    expect(store.read(order_id)).toBe("reserved");
    expect(await guard.execute("charge_card", { order_id: "A2", invoice: "I1" }, () => "charged")).toBe(
      "charged",
    );
    expect([store.read(key("invoice", "I1")), store.read(key("order_id", "A2"))]).toEqual(["done", "done"]);
  });

  it("are released where the store fails before the tool runs", async () => {
    const store = memoryStore();
    const failing = {
      ...store,
      reserve: (name: string, holder: string) => {
        const answer = store.reserve(name, holder);
        // The answer is lost on its way, though the key is reserved.
        if (name.includes("order_id")) throw new Error("disconnected");
        return answer;
      },
    };
    const { guard } = charging({ rules, store: failing });
    const run = guard.execute("charge_card", { order_id: "A1", invoice: "I1" }, throwing(new Error("ran")));
    await expect(run).rejects.toThrow("disconnected");
    expect(store.open()).toEqual([]);
  });
});

describe("a ledger that fails after the tool has run", () => {
  it("is an error that carries the value, and the key stays reserved", async () => {
    const store = memoryStore();
    const settle = throwing(new Error("disk full"));
    const { charge } = charging({ store: { ...store, settle } });
    const error = await outcomeOf(charge(() => "receipt 7"));
    expect(error).toBeInstanceOf(NotSettled);
    expect(error).toMatchObject({ value: "receipt 7", keys: [orderKey] });
    expect(await outcomeOf(charge(() => "receipt 8"))).toEqual(["duplicate_transaction", "unknown"]);
  });

  it("does not hide what the tool threw", async () => {
    const store = memoryStore();
    const { charge } = charging({ store: { ...store, settle: throwing(new Error("disk full")) } });
    await expect(charge(throwing(new Error("declined")))).rejects.toThrow("declined");
    expect(store.read(orderKey)).toBe("reserved");
  });
});

describe("reconcile", () => {
  it("settles what happened, frees what did not, and leaves what is unknown", async () => {
    const { guard, store } = charging();
    const key = (id: string) => JSON.stringify(["charge_card", "${order_id}", [id]]);
    for (const id of ["A1", "A2", "A3"]) store.reserve(key(id), `dead ${id}`);
    store.settle(key("A3"), "dead A3", "unknown");
    const found = await guard.reconcile(async (name) => {
      const [tool, template, values] = JSON.parse(name);
      expect([tool, template]).toEqual(["charge_card", "${order_id}"]);
      if (values[0] === "A1") return "happened";
      return values[0] === "A2" ? "did_not_happen" : "unknown";
    });
    expect(found).toEqual({
      happened: [key("A1")],
      didNotHappen: [key("A2")],
      unknown: [key("A3")],
      running: [],
    });
    expect(["A1", "A2", "A3"].map((id) => store.read(key(id)))).toEqual(["done", "free", "unknown"]);
  });

  it("does not ask about a call that runs at this moment", async () => {
    const { guard, charge } = charging();
    const found = await charge(() => guard.reconcile(() => "did_not_happen"));
    expect(found).toEqual({ happened: [], didNotHappen: [], unknown: [], running: [orderKey] });
    expect(await outcomeOf(charge(() => "charged"))).toEqual(["duplicate_transaction", "done"]);
  });
});

describe("a ledger with only seen and record", () => {
  const rules = [chargeOnce, rule("many", [atMost(100)])];
  const simple = () => {
    const keys = new Set<string>();
    return simpleStore({
      seen: async (key) => keys.has(key),
      record: async (key) => {
        keys.add(key);
      },
    });
  };

  it("still refuses a repetition, and one of unknown outcome too", async () => {
    const { charge } = charging({ store: simple() });
    await charge(() => "charged");
    expect(await outcomeOf(charge(() => "charged"))).toEqual(["duplicate_transaction", "done"]);
    const { charge: another } = charging({ store: simple() });
    await expect(another(throwing(new Error("timeout")))).rejects.toThrow("timeout");
    expect(await outcomeOf(another(() => "charged"))).toEqual(["duplicate_transaction", "done"]);
  });

  it("lets all of twelve charges at the same moment run, of which the guard warns", async () => {
    // The article's measurement of check and record without a reservation.
    const { guard } = charging({ rules, store: simple() });
    expect(guard.warnings.map(({ code }) => code)).toContain("no_reservations");
    expect(await chargeAtOnce(guard, 12, () => new Promise(setImmediate))).toEqual({ ran: 12 });
  });
});
