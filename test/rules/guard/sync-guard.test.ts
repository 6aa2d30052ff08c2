import { describe, expect, it } from "vitest";
import { createSyncGuard } from "../../../src/rules/guard/guard.js";
import { memoryStore } from "../../../src/rules/guard/memory-store.js";
import { simpleStore } from "../../../src/rules/guard/simple-store.js";
import { ToolBlocked } from "../../../src/rules/guard/tool-blocked.js";
import { forbid, intent, rule } from "../rule-fixture.js";
import { chargeOnce, order, orderKey } from "./charges.js";

const safety = rule("safety", [forbid("drop_table")], intent("status"));

describe("the synchronous guard", () => {
  it("returns the value at once and refuses the repetition", () => {
    const guard = createSyncGuard({ rules: [chargeOnce], store: memoryStore() });
    expect(guard.execute("charge_card", order, () => "charged")).toBe("charged");
    expect(() => guard.execute("charge_card", order, () => "charged")).toThrow(ToolBlocked);
    expect(guard.check("charge_card", order).code).toBe("duplicate_transaction");
  });

  it("has sessions and single calls that judge as the asynchronous guard's do", () => {
    const guard = createSyncGuard({ rules: [safety], store: memoryStore() });
    const session = guard.session();
    expect(session.check("drop_table", {}).code).toBe("allowed");
    session.user("status");
    session.user("weather");
    expect(session.check("drop_table", {}).code).toBe("forbidden_tool");
    expect(() => session.execute("drop_table", {}, () => "dropped")).toThrow(ToolBlocked);
    expect(guard.check("drop_table", {}, { history: ["status"] }).code).toBe("forbidden_tool");
    expect(guard.check("drop_table", {}).code).toBe("no_history");
  });

  it("lets a tool call the guard again", () => {
    const session = createSyncGuard({ rules: [chargeOnce], store: memoryStore() }).session();
    const nested = () => session.execute("charge_card", { order_id: "A2" }, () => "second");
    expect(session.execute("charge_card", order, nested)).toBe("second");
  });

  it("refuses a tool that returns a promise, whose outcome it cannot know", () => {
    const store = memoryStore();
    const guard = createSyncGuard({ rules: [chargeOnce], store });
    expect(() => guard.execute("charge_card", order, () => Promise.reject(new Error("late")))).toThrow(
      /use createGuard/,
    );
    expect(store.read(orderKey)).toBe("unknown");
  });

  it("reconciles at once", () => {
    const store = memoryStore();
    store.reserve(orderKey, "dead");
    const guard = createSyncGuard({ rules: [chargeOnce], store });
    expect(guard.reconcile(() => "happened").happened).toEqual([orderKey]);
    expect(store.read(orderKey)).toBe("done");
  });

  it("works with a ledger that has only seen and record, and warns", () => {
    const keys = new Set<string>();
    const store = simpleStore({ seen: (key) => keys.has(key), record: (key) => void keys.add(key) });
    const guard = createSyncGuard({ rules: [chargeOnce], store });
    expect(guard.execute("charge_card", order, () => "charged")).toBe("charged");
    expect(guard.check("charge_card", order).code).toBe("duplicate_transaction");
    expect(guard.warnings.map(({ code }) => code)).toEqual(["no_reservations"]);
  });
});
