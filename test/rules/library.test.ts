import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  chinese,
  createGuard,
  createSyncGuard,
  gate,
  loadRules,
  loadTraces,
  memoryStore,
  NothingHappened,
  type Rule,
  sqliteStore,
  ToolBlocked,
} from "commitpoint";
import { describe, expect, it, onTestFinished } from "vitest";

const rules = `rule: refund-safety
when: { intent_any: [where is] }
then: { forbid_tool: refund_order }
---
rule: refund-once
then: { idempotent: { tool: refund_order, key: "\${order_id}" } }
`;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "cp-door-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function loaded(folder: string): readonly Rule[] {
  const read = loadRules([join(folder, "rules.yaml")]);
  if (read.kind === "refused") throw new Error(JSON.stringify(read.mistakes));
  return read.rules;
}

describe("the library door of the rules", () => {
  it("guards the calls of a conversation as the guide shows", async () => {
    const folder = folderWith({ "rules.yaml": rules });
    const store = sqliteStore(join(folder, "ledger.db"));
    onTestFinished(() => store.close());
    const guard = createGuard({ rules: loaded(folder), store });
    const calm = guard.session();
    calm.user("please refund A1");
    expect(await calm.execute("refund_order", { order_id: "A1" }, async () => "refunded")).toBe("refunded");
    const session = guard.session();
    session.user("Where is my order A2?");
    const refused: unknown = await session
      .execute("refund_order", { order_id: "A2" }, () => expect.unreachable("the tool ran"))
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ToolBlocked);
    if (!(refused instanceof ToolBlocked)) return;
    expect([refused.code, refused.reason]).toEqual([
      "forbidden_tool",
      "tool 'refund_order' is forbidden by rule 'refund-safety'",
    ]);
    expect(chinese.decision(refused.decision)).toBe("规则「refund-safety」禁止调用工具「refund_order」");
  });

  it("keeps the key of a tool that throws, unless nothing has happened", () => {
    const guard = createSyncGuard({
      rules: loaded(folderWith({ "rules.yaml": rules })),
      store: memoryStore(),
    });
    const session = guard.session();
    const pay = (order: string, error: Error) =>
      session.execute("refund_order", { order_id: order }, () => {
        throw error;
      });
    expect(() => pay("A1", new NothingHappened("declined"))).toThrow("declined");
    expect(session.check("refund_order", { order_id: "A1" }).allowed).toBe(true);
    expect(() => pay("A2", new Error("timeout"))).toThrow("timeout");
    expect(session.check("refund_order", { order_id: "A2" }).decision).toMatchObject({
      code: "duplicate_transaction",
      first: { detail: { outcome: "unknown" } },
    });
  });

  it("judges recorded traces by the same rules", () => {
    const trace =
      '{"turns": [{"user": "where is A1?", "tool_calls": [{"name": "refund_order", "arguments": {}}]}]}';
    const folder = folderWith({ "rules.yaml": rules, "trace.json": trace });
    const traces = loadTraces([join(folder, "trace.json")]);
    if (traces.kind === "refused") throw new Error(JSON.stringify(traces.mistakes));
    expect(gate(loaded(folder), traces.traces).findings.map(({ code }) => code)).toEqual([
      "forbidden_tool",
      "no_key",
    ]);
  });
});
