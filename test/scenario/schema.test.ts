import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { scenarioSchema } from "../../src/scenario/schema.js";
import { writeScenario } from "../../src/scenario/write.js";
import { scenarioContent } from "./arbitrary.js";
import { fileWith, mistakesIn, submitA1 } from "./text.js";

const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
  scenarioSchema,
);

describe("scenarioSchema", () => {
  it("is what is published as schema/scenario.schema.json", () => {
    // After a change of the format: write JSON.stringify(scenarioSchema) there and let biome format it.
    const published: unknown = JSON.parse(readFileSync("schema/scenario.schema.json", "utf8"));
    expect(published).toEqual(scenarioSchema);
  });

  it("allows whatever writeScenario writes", () => {
    fc.assert(
      fc.property(scenarioContent, (content) => {
        expect(validate(parse(writeScenario(content))), JSON.stringify(validate.errors)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ["a misspelt step", fileWith(["sumbit: { attempt: a1, args: {} }"])],
    ["two keys in one step", fileWith([submitA1, "{ advance: a1, cancel: a1 }"])],
    ["both args and args_text", fileWith(["submit: { attempt: a1, args: {}, args_text: x }"])],
    ["neither of them", fileWith(["submit: { attempt: a1 }"])],
    ["a fault that takes a stage, bare", fileWith(["submit: { attempt: a1, args: {}, faults: [busy] }"])],
    [
      "a fault that takes none, with one",
      fileWith(["submit: { attempt: a1, args: {}, faults: [{ bad_output: x }] }"]),
    ],
    ["a stage that the fault cannot hit", fileWith([submitA1, "arm: { busy: output }"])],
    ["a fault that cannot be armed", fileWith([submitA1, "arm: bad_output"])],
    ["a limit above nine", fileWith([submitA1, "change_policy: { max_copies: 10 }"])],
    ["a name that is no attempt's", fileWith([submitA1, "advance: b1"])],
    ["an unknown status", fileWith([submitA1], ["attempts: { a1: { status: fine } }"])],
    ["an effect without a key", fileWith([submitA1], ["effects: [{ tenant: t1 }]"])],
    ["an unknown promise", fileWith([submitA1], ["violates: nothing"])],
    ["no alternatives", fileWith([submitA1], ["any_of: []"])],
    ["no steps", fileWith([submitA1]).replace(/steps:\n.*\n/, "steps: []\n")],
    ["another version", fileWith([submitA1]).replace("commitpoint: 1", "commitpoint: 2")],
    ["a key too few", fileWith([submitA1]).replace("about: a\n", "")],
    ["a key too many", `${fileWith([submitA1])}more: 1\n`],
  ])("refuses %s, as the loader does", (_what, text) => {
    expect(mistakesIn(text)).not.toEqual([]);
    expect(validate(parse(text))).toBe(false);
  });
});
