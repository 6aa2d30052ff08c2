import { describe, expect, it } from "vitest";
import { openProgram } from "../program.js";
import { refundRules } from "./rule-files.js";

describe("rules check", () => {
  it("counts sound rules and tells what is likely not meant", async () => {
    const program = openProgram();
    program.write("rules/refunds.yaml", refundRules);
    const { code, out, err } = await program.call("rules check");
    expect([code, err]).toEqual([0, ""]);
    // The condition needs the turns so far, wherever the rule's name stands.
    expect(out).toContain("warning  rules/refunds.yaml:1:7: rule refund-safety: ");
    expect(out).toContain("✓ 2 rules, 1 warning");
  });

  it("fails on a warning when it is strict, and only then", async () => {
    const program = openProgram();
    program.write("rules/refunds.yaml", refundRules);
    program.write("sound.yaml", "rule: few\nthen: { forbid_tool: refund_order }\n");
    expect((await program.call("rules check --strict")).code).toBe(1);
    const sound = await program.call("rules check --strict --rules sound.yaml");
    expect([sound.code, sound.out]).toEqual([0, "✓ 1 rule, 0 warnings\n"]);
  });

  it("tells every mistake of every file at its line and column, with the right word", async () => {
    const program = openProgram();
    program.write("rules/a.yaml", "rule: a\nthen:\n  forbid_tol: refund_order\n");
    program.write("rules/b.yaml", "rule: b\nseverity: critcal\nthen: { forbid_tool: refund_order }\n");
    const { code, out } = await program.call("rules check");
    expect(code).toBe(2);
    // The key `forbid_tol` begins in column 3 of line 3; the value of `severity` in column 11 of line 2.
    expect(out).toMatch(/^error {4}rules\/a\.yaml:3:3: .*forbid_tool/m);
    expect(out).toMatch(/^error {4}rules\/b\.yaml:2:11: .*critical/m);
    expect(out).toContain("✗ 2 mistakes");
  });

  it.each(["list", "gate", "guard --tool x", "learn --trace traces --rules rules", "export --to nemo"])(
    "leaves nothing of a wrong set to rules %s",
    async (verb) => {
      const program = openProgram();
      program.write("rules/a.yaml", "rule: a\nthen:\n  forbid_tol: refund_order\n");
      program.write("rules/b.yaml", "rule: b\nthen: { forbid_tool: refund_order }\n");
      program.write("traces/a.json", '{"turns":[{"user":"hi","tool_calls":[],"assistant":"ok"}]}');
      const { code, out, err } = await program.call(`rules ${verb}`);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(
        "error: the rules have 1 mistake, so none of them is used\n       rules/a.yaml:3:3: ",
      );
    },
  );

  it("refuses a folder without rules, and one that is not there", async () => {
    const program = openProgram();
    const { code, out } = await program.call("rules check");
    expect(code).toBe(2);
    expect(out).toContain("error    rules:1:1: ");
    program.write("empty/readme.txt", "");
    expect((await program.call("rules check --rules empty")).code).toBe(2);
  });
});
