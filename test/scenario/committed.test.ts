import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadScenario, loadScenarios } from "../../src/scenario/load.js";
import { formatMistake } from "../../src/scenario/scenario.js";
import { writeScenario } from "../../src/scenario/write.js";

const folders = [
  "timing-lab",
  "policy-boundary",
  "approval-boundary",
  "guardrail-layers",
  "one-rule-set",
  "reports",
] as const;

const loaded = folders.map((folder) => ({ folder, result: loadScenarios([`scenarios/${folder}`]) }));
const files = loaded.flatMap(({ folder, result }) =>
  result.kind === "loaded" ? result.scenarios.map((each) => ({ folder, ...each })) : [],
);
const schema: unknown = JSON.parse(readFileSync("schema/scenario.schema.json", "utf8"));
const validate = new Ajv2020({ allowUnionTypes: true }).compile(Object(schema));
const readme = readFileSync("scenarios/README.md", "utf8");

describe("the committed scenarios", () => {
  it("all load", () => {
    const mistakes = loaded.flatMap(({ result }) => (result.kind === "mistakes" ? result.mistakes : []));
    expect(mistakes.map(formatMistake)).toEqual([]);
  });

  it("hold what the sources have: thirty tests and a demonstration, fourteen tests less a unit test", () => {
    const count = (folder: string) => files.filter((each) => each.folder === folder).length;
    expect(count("timing-lab")).toBe(31);
    expect(count("policy-boundary")).toBe(13);
  });

  it("have names and sources of their own, so that a report can be told from another", () => {
    expect(new Set(files.map(({ scenario }) => scenario.name)).size).toBe(files.length);
    expect(new Set(files.map(({ file }) => basename(file))).size).toBe(files.length);
  });

  it.each(files)("$file fits the published schema", ({ file }) => {
    expect(validate(parse(readFileSync(file, "utf8"))), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(files)("$file is the same scenario when it is written anew", ({ file, scenario }) => {
    const again = loadScenario(writeScenario(scenario), file);
    expect(again).toMatchObject({ kind: "loaded", scenario: { ...scenario, lines: expect.any(Array) } });
  });

  it.each(files)(
    "$file stands in the track record with its name and its source",
    ({ folder, file, scenario }) => {
      const row = readme
        .split("\n")
        .find((line) => line.includes(`](${folder}/${basename(file)})`) && line.includes(scenario.name));
      expect(row).toBeDefined();
      // `report E1, owner/repository#1`, or the names of the source's tests.
      const [, id, thread] = /^report (\w+), (.*)$/.exec(scenario.source) ?? [];
      const cells =
        id === undefined ? (scenario.source.match(/test_\w+/g) ?? []) : [`| ${id} |`, `| ${thread} |`];
      for (const cell of cells) {
        expect(row).toContain(cell);
      }
    },
  );

  it("say what is stored in one of two executors that run the same steps", () => {
    const [naive, sound] = ["negative-control-accepts-a-stale-rule", "changed-rule-inserts-nothing"].map(
      (id) => files.find(({ file }) => basename(file, ".yaml") === id)?.scenario,
    );
    expect(naive?.executor).toBe("commits-on-the-snapshot-alone");
    expect(naive?.expect.violates).toBe("no-stale-commit");
    expect(sound?.executor).toBe("ledger");
    expect(sound?.actions).toEqual(naive?.actions);
  });
});
