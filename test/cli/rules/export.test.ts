import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openProgram } from "../program.js";
import { refundRules } from "./rule-files.js";

const allowing = "rule: only-reading\nthen: { allow_tool: [get_order, list_orders] }\n";

function opened(rules = refundRules) {
  const program = openProgram();
  program.write("rules/refunds.yaml", rules);
  return program;
}

describe("rules export", () => {
  it("writes the file on stdout and what is lost, each with its rule and reason, on stderr", async () => {
    const { code, out, err } = await opened().call("rules export --to promptfoo");
    expect(code).toBe(0);
    expect(parse(out).tests[0].assert).toEqual([{ type: "not-trajectory:tool-used", value: "refund_order" }]);
    expect(err).toContain("warning: not translated: rule refund-once, idempotent: ");
    expect(err).toMatch(/not translated: rule refund-safety, when: .*ALWAYS/);
  });

  it("declares the tools of an allow list to NeMo Guardrails as they are described", async () => {
    const program = opened(allowing);
    const get = { name: "get_order", parameters: { type: "object", properties: { id: { type: "string" } } } };
    program.write(
      "tools.json",
      JSON.stringify([{ type: "function", function: get }, { name: "list_orders" }]),
    );
    const { code, out } = await program.call("rules export --to nemo --tools tools.json");
    expect(code).toBe(0);
    // A tool that is described without parameters takes none.
    const none = { type: "object", properties: {}, additionalProperties: false };
    expect(parse(out).models[0].parameters.tools).toEqual([
      { type: "function", function: get },
      { type: "function", function: { name: "list_orders", parameters: none } },
    ]);
  });

  it("writes a file, and another over it only when it is forced to", async () => {
    const program = opened();
    const first = await program.call("rules export --to promptfoo --out out/promptfoo.yaml");
    expect([first.code, first.out]).toEqual([0, ""]);
    const file = join(program.folder, "out/promptfoo.yaml");
    expect(readFileSync(file, "utf8")).toContain("not-trajectory:tool-used");
    program.write("out/promptfoo.yaml", "mine");
    const refused = await program.call("rules export --to promptfoo --out out/promptfoo.yaml");
    expect([refused.code, readFileSync(file, "utf8")]).toEqual([2, "mine"]);
    expect((await program.call("rules export --to promptfoo --out out/promptfoo.yaml --force")).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toBe("mine");
  });

  it.each([
    ["rules export", "required option '--to <target>' not specified"],
    ["rules export --to promptfo", 'did you mean "promptfoo"?'],
    ["rules export --to promptfoo --tools tools.json", "promptfoo takes no list of tools"],
    ["rules export --to nemo --tools none.json", "at   --tools none.json"],
    ["rules export --to nemo --tools tools.json", "expected a list of tools like"],
    ["rules export --to nemo --tools broken.json", "expected tools in JSON"],
  ])("refuses %s", async (line, message) => {
    const program = opened();
    program.write("tools.json", '[{"nam": "get_order"}]');
    program.write("broken.json", "[");
    const { code, out, err } = await program.call(line);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
  });
});
