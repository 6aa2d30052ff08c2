import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRules } from "../../../src/rules/load/parse-rules.js";
import { readTrace } from "../../../src/rules/traces/read-trace.js";
import { openProgram } from "../program.js";

const text = readFileSync(new URL("../../../docs/rules.md", import.meta.url), "utf8");

function blocks(language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(
    ([, block = ""]) => block,
  );
}

/** Each line of the shell with the exit code that its comment promises. */
const lines = blocks("sh")
  .flatMap((block) => block.trim().split("\n"))
  .map((line) => {
    const [, words = "", code = ""] = /^npx commitpoint (.*?) +# exit (\d)/.exec(line) ?? [];
    return {
      line,
      code: Number(code),
      words: [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? ""),
    };
  });

describe("docs/rules.md", () => {
  it("shows commands that exit as it says, one after the other in one folder", async () => {
    const program = openProgram();
    expect(lines.length).toBeGreaterThan(14);
    for (const { line, code, words } of lines) {
      expect([line, (await program.call(words)).code]).toEqual([line, code]);
    }
  });

  it("shows a rule and a trace that can be read", () => {
    const [rule = ""] = blocks("yaml");
    expect(parseRules(rule, "a.yaml").kind).toBe("loaded");
    const [trace = ""] = blocks("json");
    expect(readTrace(trace, "a.json")).toMatchObject({
      kind: "loaded",
      traces: [{ format: "plain", warnings: [] }],
    });
  });
});
