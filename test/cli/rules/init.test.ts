import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initFiles } from "../../../src/rules/init/init-files.js";
import { openProgram } from "../program.js";

const paths = initFiles().map(({ path }) => path);

describe("rules init", () => {
  it("writes every file, says what each is for, and what to do next", async () => {
    const program = openProgram();
    const { code, out, err } = await program.call("rules init");
    expect([code, err]).toEqual([0, ""]);
    expect(paths.filter((path) => existsSync(join(program.folder, path)))).toEqual(paths);
    for (const path of paths) expect(out).toContain(`wrote ${path}\n    `);
    expect(out).toContain("npx commitpoint rules gate --traces examples");
  });

  it("writes into the folder that it is given", async () => {
    const program = openProgram();
    const { code, out } = await program.call("rules init desk");
    expect(code).toBe(0);
    expect(existsSync(join(program.folder, "desk/rules/refund-safety.yaml"))).toBe(true);
    expect(out).toContain("cd desk && npx commitpoint rules gate");
  });

  it("writes nothing at all where one file is there, unless it is forced to", async () => {
    const program = openProgram();
    program.write("rules/refund-safety.yaml", "mine");
    const refused = await program.call("rules init");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("nothing was written, for these files exist already");
    expect(refused.err).toContain("rules/refund-safety.yaml");
    expect(existsSync(join(program.folder, "traces"))).toBe(false);
    expect(readFileSync(join(program.folder, "rules/refund-safety.yaml"), "utf8")).toBe("mine");
    expect((await program.call("rules init --force")).code).toBe(0);
    expect(readFileSync(join(program.folder, "rules/refund-safety.yaml"), "utf8")).toContain(
      "rule: refund-safety",
    );
  });

  it("makes a gate that is green, and red on the incident at the places of its refunds", async () => {
    const program = openProgram();
    await program.call("rules init");
    const green = await program.call("rules gate");
    expect([green.code, green.out.split("\n")[0]]).toEqual([0, "✓ every enforced rule holds"]);
    const red = await program.call("rules gate --traces examples");
    expect(red.code).toBe(1);
    // Where the objects of the second and the third call begin in the file: both are refunds.
    const lines = readFileSync(join(program.folder, "examples/refund-incident.json"), "utf8").split("\n");
    const [second, third] = ["call_2", "call_3"].map((id) => {
      const line = lines.findIndex((text) => text.includes(`"id": "${id}"`));
      return `examples/refund-incident.json:${line}:${(lines[line - 1]?.indexOf("{") ?? 0) + 1}  trace 1`;
    });
    const places = red.out
      .split("\n")
      .flatMap((line) => (line.startsWith("  examples/") ? [line.trim()] : []));
    expect(places).toEqual([`${second}  turn 1`, `${third}  turn 2`, `${third}  turn 2`]);
  });

  it("makes rules with which the guard refuses the calls that the gate refuses", async () => {
    const program = openProgram();
    await program.call("rules init");
    const [first, second] = ["What is the status of my booking B-204?", "But I still want to come!"];
    const ask = (...more: readonly string[]) =>
      program.call(["rules", "guard", "--args", '{"booking_id":"B-204","amount":95}', ...more]);
    const store = ["--store", "ledger.json"];
    const lookedUp = await ask("--tool", "get_booking", "--user", first, "--no-earlier-turns");
    const refunded = await ask("--tool", "issue_refund", "--user", first, "--no-earlier-turns");
    // The incident's refund had happened, which a wish for it would have allowed.
    await ask("--tool", "issue_refund", "--user", "please", "--no-earlier-turns", ...store, "--record");
    const again = await ask("--tool", "issue_refund", "--user", second, "--history", first, ...store);
    expect([lookedUp.code, refunded.code, again.code]).toEqual([0, 1, 1]);
    expect(refunded.out).toContain("BLOCK  forbidden_tool");
    expect(again.out).toContain("BLOCK  duplicate_transaction");
    expect(again.out).toContain("also: tool 'issue_refund' is forbidden by rule 'refund-safety'");
  });
});
