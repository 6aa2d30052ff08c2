import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

describe("README", () => {
  it("shows the refunds example as it is tested", () => {
    expect(read("README.md")).toContain(read("examples/refunds/commitpoint.config.ts").trim());
  });

  it("names only verbs that the program has", () => {
    const program = read("src/cli/main.ts");
    const verbs = [...read("README.md").matchAll(/npx commitpoint ([a-z][a-z-]*)/g)].map(
      ([, verb = ""]) => verb,
    );
    const added = [
      ...program.matchAll(/import \{ add[A-Za-z]+ \} from "\.\/(?:[a-z-]+\/)?([a-z-]+)\.js"/g),
    ].map(([, name]) => name);
    expect(verbs.length).toBeGreaterThan(0);
    expect(verbs.filter((verb) => !added.includes(verb))).toEqual([]);
  });
});
