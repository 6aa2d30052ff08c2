import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arrangements } from "../../src/frameworks/arrangements.js";
import { frameworkTable } from "../../src/frameworks/framework-table.js";
import { frameworkVerdicts } from "../../src/frameworks/framework-verdicts.js";

const page = readFileSync(new URL("../../docs/frameworks.md", import.meta.url), "utf8");
const [table, ...witnesses] = [...page.matchAll(/```\n([\s\S]*?)```/g)].map(([, text = ""]) => text);

function witnessOf(name: string, promise: string): string {
  const found = arrangements
    .filter((one) => one.name === name)
    .flatMap(frameworkVerdicts)
    .find((one) => one.promise === promise);
  return (found?.witness ?? []).map((text) => `${text}\n`).join("");
}

describe("the table of arrangements", () => {
  it("is the one that the documentation shows", () => {
    expect(table).toBe(frameworkTable());
  });

  it("has a row for each arrangement, a column for each promise, and lines of at most 100 characters", () => {
    const lines = frameworkTable().split("\n");
    const row = lines.find((line) => line.startsWith("hosted-tool"));
    // Eleven promises; of these a hosted tool is asked four, and keeps none.
    expect(row?.split(/ +/)).toEqual(["hosted-tool", ..."–––✗✗✗––––✗"]);
    expect(lines.filter((line) => /[✓✗–](?: +[✓✗–]){10}$/.test(line))).toHaveLength(arrangements.length);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });
});

describe("the witnesses of the documentation", () => {
  it("are those that are found", () => {
    expect(witnesses).toEqual([
      witnessOf("input-beside", "a tripped input leaves no effect"),
      witnessOf("approval-with-recheck", "approval is judged by what executes"),
    ]);
  });
});
