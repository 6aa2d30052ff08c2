import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProgram } from "../program.js";
import { plainTrace, refund, refundRules } from "./rule-files.js";

/** The same order is refunded in two turns, and nobody had asked for it. */
const incident = plainTrace(
  { user: "where is my parcel?", calls: [refund("A1001")] },
  { user: "and now?", calls: [refund("A1001")] },
);

function opened() {
  const program = openProgram();
  program.write("traces/a.json", incident);
  return program;
}

describe("rules learn", () => {
  it("shows how sure each candidate is and what was seen where, and writes nothing", async () => {
    const program = opened();
    const { code, out } = await program.call("rules learn --trace traces");
    expect(code).toBe(0);
    expect(out).toMatch(/^ {1,2}\d\d% █+░* {2}idempotent-refund_order$/m);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a key template is spelled so
    expect(out).toContain("always: idempotent refund_order by ${order_id}");
    // The call of turn 2 stands on line 3.
    expect(out).toContain("· traces/a.json:3:");
    expect(out).toMatch(/^nothing was written; --apply would write rules\/idempotent-refund_order\.yaml/m);
    expect(readdirSync(program.folder)).toEqual(["traces"]);
  });

  it("writes rules that load and refuse the incident, when it is told to", async () => {
    const program = opened();
    const { code, out } = await program.call("rules learn --trace traces --apply --out learnt");
    expect(code).toBe(0);
    expect(out).toContain("wrote learnt/idempotent-refund_order.yaml\n");
    expect((await program.call("rules check --rules learnt")).code).toBe(0);
    expect((await program.call("rules gate --rules learnt")).code).toBe(1);
  });

  it("overwrites nothing, and then writes nothing else either", async () => {
    const program = opened();
    program.write("learnt/idempotent-refund_order.yaml", "mine");
    const { code, err } = await program.call("rules learn --trace traces --apply --out learnt");
    expect(code).toBe(2);
    expect(err).toContain("nothing was written, for these files exist already");
    expect(readdirSync(join(program.folder, "learnt"))).toEqual(["idempotent-refund_order.yaml"]);
    expect(readFileSync(join(program.folder, "learnt/idempotent-refund_order.yaml"), "utf8")).toBe("mine");
  });

  it("says what an existing rule covers, and does not write it", async () => {
    const program = opened();
    program.write("rules/refunds.yaml", refundRules);
    const { out } = await program.call("rules learn --trace traces --apply");
    expect(out).toContain("already covered by rule refund-once");
    expect(existsSync(join(program.folder, "rules/idempotent-refund_order.yaml"))).toBe(false);
  });

  it("goes by the hints of a project", async () => {
    const program = openProgram();
    const calls = [{ name: "核销", arguments: { 单号: "A1001" } }];
    program.write("traces/a.json", plainTrace({ user: "物流到哪了", calls }));
    program.write("hints.yaml", "destructive: [核销]\n");
    expect((await program.call("rules learn --trace traces")).out).not.toContain("forbid-核销");
    expect((await program.call("rules learn --trace traces --hints hints.yaml")).out).toContain(
      "forbid-核销",
    );
  });

  it.each([
    ["wrong hints", "rules learn --trace traces --hints hints.yaml", "hints.yaml:1:1: "],
    ["hints that are not there", "rules learn --trace traces --hints none.yaml", "at   --hints none.yaml"],
    ["traces that are not there", "rules learn --trace none", "none:1:1: cannot be read"],
    ["named rules that are not there", "rules learn --trace traces --rules none", "none:1:1: "],
  ])("refuses %s", async (_, line, message) => {
    const program = opened();
    program.write("hints.yaml", "destructiv: [a]\n");
    const { code, out, err } = await program.call(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });
});
