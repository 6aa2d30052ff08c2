import { describe, expect, it } from "vitest";
import { openProgram } from "../program.js";
import { refundRules } from "./rule-files.js";

const mixed = `${refundRules}---
rule: asks-first
severity: info
where: { runtime: false }
then: { require_tool: get_order }
`;

/** The cells of the row that begins with this rule. */
function cells(out: string, rule: string): readonly string[] {
  const line = out.split("\n").find((text) => text.slice(4).startsWith(`${rule} `)) ?? "";
  return line.slice(4).trim().split(/ {2,}/);
}

describe("rules list", () => {
  it("says of each rule where it is enforced, which tools it names and when it holds", async () => {
    const program = openProgram();
    program.write("rules/mixed.yaml", mixed);
    const { code, out, err } = await program.call("rules list");
    expect(code).toBe(0);
    expect(cells(out, "refund-safety")).toEqual(["refund-safety", "critical", "enforced", "enforced"]);
    expect(cells(out, "refund-once")).toEqual(["refund-once", "warning", "enforced", "enforced"]);
    expect(cells(out, "asks-first")).toEqual(["asks-first", "info", "noted", "-"]);
    expect(out).toContain('tools  refund_order\n        when   once the user has said "status"');
    expect(out).toContain("guarded tools: refund_order\n");
    expect(err).toContain("warning: rules/mixed.yaml:1:7: rule refund-safety: ");
  });

  it("shows other enforced severities", async () => {
    const program = openProgram();
    program.write("rules/mixed.yaml", mixed);
    const { out } = await program.call("rules list --enforce-severity info");
    expect(cells(out, "asks-first")).toEqual(["asks-first", "info", "enforced", "-"]);
    expect(cells(out, "refund-safety")).toEqual(["refund-safety", "critical", "noted", "-"]);
    expect(out).toContain("guarded tools: get_order\n");
  });

  it("refuses a severity that there is not, with the nearest one", async () => {
    const program = openProgram();
    program.write("rules/mixed.yaml", mixed);
    const { code, err } = await program.call("rules list --enforce-severity critical,warn");
    expect(code).toBe(2);
    expect(err).toContain('there is no severity "warn"');
  });
});

describe("rules", () => {
  it.each([
    ["rules gat", "unknown command 'gat' (did you mean gate?)", "commitpoint rules"],
    ["rules gate --trace x", "unknown option '--trace' (did you mean --traces?)", "commitpoint rules gate"],
    ["rules list --baseline x", "unknown option '--baseline' (rules gate has it)", "commitpoint rules list"],
    ["rules guard --tol run", "unknown option '--tol' (did you mean --tool?)", "commitpoint rules guard"],
    ["rules guard", "required option '--tool <name>' not specified", "commitpoint rules guard"],
    ["rules learn", "required option '--trace <path...>' not specified", "commitpoint rules learn"],
    ["rule", "unknown command 'rule' (did you mean rules?)", "commitpoint"],
  ])("refuses %s with the nearest right word", async (line, message, place) => {
    const { code, out, err } = await openProgram().call(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(`error: ${message}\n  at   ${place}\n  next See ${place} --help.\n`);
  });

  it("prints its verbs as help when it is called without one", async () => {
    const { code, err } = await openProgram().call("rules");
    expect(code).toBe(2);
    for (const verb of ["init", "list", "check", "gate", "guard", "learn", "export"]) {
      expect(err).toMatch(new RegExp(`^  ${verb} `, "m"));
    }
  });
});
