import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGuard } from "../../../src/rules/guard/guard.js";
import { charge, chargeOnce, effectsIn, order, orderKey } from "./charges.js";
import { type Child, child } from "./child.js";
import { openFileStore } from "./file-kinds.js";
import { temporaryFolder } from "./temporary-folder.js";

const program = new URL("./charging-process.ts", import.meta.url);

describe.each(["sqlite", "file"] as const)("processes over one %s store", (kind) => {
  it("run one charge, of eight processes with eight each", async () => {
    const folder = temporaryFolder();
    const [ledger, effects] = [join(folder, "ledger"), join(folder, "effects")];
    const children = Array.from({ length: 8 }, () => child(program, kind, ledger, effects, "8"));
    await Promise.all(children.map(({ line }) => line()));
    for (const each of children) each.go();
    const ends = await Promise.all(children.map(async ({ line }) => JSON.parse(await line())));
    const sum = (end: string) => ends.reduce((total, counts) => total + (counts[end] ?? 0), 0);
    expect({ ran: sum("ran"), refused: sum("duplicate_transaction") }).toEqual({ ran: 1, refused: 63 });
    expect(effectsIn(effects)).toBe(1);
    await Promise.all(children.map(({ ended }) => ended));
  });

  // What the ledger must say by itself after each death, and how many effects there are then.
  it.each([
    ["before_reserve", "free", 0],
    ["after_reserve", "reserved", 0],
    ["before_effect", "reserved", 0],
    ["after_effect", "reserved", 1],
    ["after_settle", "done", 1],
  ] as const)(
    "have one effect after a kill %s, a reconciling and a retry",
    async (point, left, effectsLeft) => {
      const folder = temporaryFolder();
      const [ledger, effects] = [join(folder, "ledger"), join(folder, "effects")];
      await killed(child(program, kind, ledger, effects, "1", point));
      const store = openFileStore[kind](ledger);
      expect(store.read(orderKey)).toBe(left);
      expect(effectsIn(effects)).toBe(effectsLeft);

      const guard = createGuard({ rules: [chargeOnce], store });
      const retry = () =>
        guard
          .execute("charge_card", order, () => charge(effects))
          .catch(({ code, detail }) => [code, detail.outcome]);
      if (left === "reserved") {
        expect(await retry()).toEqual(["duplicate_transaction", "unknown"]);
      }
      await guard.reconcile(() => (effectsIn(effects) > 0 ? "happened" : "did_not_happen"));
      expect(await retry()).toEqual(effectsLeft === 1 ? ["duplicate_transaction", "done"] : "charged");
      expect(effectsIn(effects)).toBe(1);
      store.close();
    },
  );
});

async function killed({ line, go, ended }: Child): Promise<void> {
  await line();
  go();
  expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
}
