import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { arrangements } from "../../src/frameworks/arrangements.js";
import { loadScenario, loadScenarios } from "../../src/scenario/load.js";
import { replayArrangement } from "../../src/scenario/replay-arrangement.js";

const loaded = loadScenarios(["scenarios/agent-framework"]);
const files = loaded.kind === "loaded" ? loaded.arrangements : [];
const schema: unknown = JSON.parse(readFileSync("schema/scenario.schema.json", "utf8"));
const validate = new Ajv2020({ allowUnionTypes: true }).compile(Object(schema));

describe("the scenarios of arrangements", () => {
  it("state for each arrangement what it keeps and breaks", () => {
    expect(files.map(({ scenario }) => scenario.arrangement).sort()).toEqual(
      arrangements.map(({ name }) => name).sort(),
    );
  });

  it.each(files)(
    "$file holds over every interleaving, fits the schema and stands in the track record",
    ({ file, scenario }) => {
      expect(replayArrangement(scenario)).toMatchObject({ kind: "as_expected", mismatches: [] });
      expect(validate(parse(readFileSync(file, "utf8"))), JSON.stringify(validate.errors)).toBe(true);
      expect(readFileSync("scenarios/README.md", "utf8")).toContain(
        `| [${scenario.arrangement}](agent-framework/${scenario.arrangement}.yaml) | ${scenario.name} |`,
      );
    },
  );

  it("are not as expected where a promise is said to be kept that is broken", () => {
    const beside = files.find(({ scenario }) => scenario.arrangement === "input-beside");
    if (beside === undefined) throw new Error("there is no scenario of input-beside");
    const verdicts = new Map(beside.scenario.verdicts).set("a tripped input leaves no effect", "holds");
    expect(replayArrangement({ ...beside.scenario, verdicts })).toMatchObject({
      kind: "not_as_expected",
      mismatches: [{ path: "a tripped input leaves no effect" }],
    });
  });

  const written = (expectation: string): string =>
    `commitpoint: 1\nname: n\nprofile: agent-framework\nabout: a\nsource: s\narrangement: input-beside\nexpect: ${expectation}\n`;

  it.each([
    ["a promise that there is not", "{ keeps: [no model call], breaks: [] }", "no model call"],
    [
      "a promise in both lists",
      "{ keeps: [hosted tools are guarded], breaks: [hosted tools are guarded] }",
      "in both lists",
    ],
  ])("refuse %s", (_, expectation, message) => {
    const result = loadScenario(written(expectation), "x.yaml");
    expect(
      result.kind === "mistakes" ? result.mistakes.map((each) => each.message).join() : "loaded",
    ).toContain(message);
  });

  it("are no scenarios with steps", () => {
    const result = loadScenario(written("{ keeps: [], breaks: [] }"), "x.yaml");
    expect(result).toMatchObject({ kind: "mistakes", mistakes: [{ line: 1, column: 1 }] });
  });
});
