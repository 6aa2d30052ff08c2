import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sarif } from "../../../src/report/rules/sarif.js";
import { everyKind, resultOf } from "./gate-results.js";

/**
 * The OASIS schema of SARIF 2.1.0 (rtm.5), as the npm package @microsoft/jest-sarif 1.0.0-beta.0 has it. It is of draft
 * 4, of which it uses nothing that draft 7 has changed.
 */
const schema: Record<string, unknown> = JSON.parse(
  readFileSync(new URL("../../rules/fixtures/sarif-2.1.0-rtm.5.json", import.meta.url), "utf8"),
);
const { $schema: _, id: __, ...rest } = schema;
const ajv = new Ajv({
  strict: false,
  // One pattern of this schema has a stray bracket, which is an error in Unicode mode.
  unicodeRegExp: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URL.canParse(text),
    "uri-reference": (text: string) => URL.canParse(text, "file:///") && !/[\s[\]{}<>|\\]/.test(text),
    "date-time": true,
  },
});
const validate = ajv.compile(rest);

function mistakes(text: string): readonly string[] {
  return validate(JSON.parse(text)) ? [] : (validate.errors ?? []).map((error) => ajv.errorsText([error]));
}

/** What code scanning of GitHub reads and requires, by its documentation of SARIF support. */
const text = z.object({ text: z.string().min(1) });
const place = z.number().int().min(1);
const codeScanning = z.object({
  runs: z.tuple([
    z.object({
      tool: z.object({
        driver: z.object({
          name: z.string().min(1),
          rules: z.array(
            z.object({
              id: z.string().min(1),
              shortDescription: text,
              fullDescription: text,
              help: text.extend({ markdown: z.string().min(1) }),
              defaultConfiguration: z.object({ level: z.enum(["error", "warning", "note"]) }),
            }),
          ),
        }),
      }),
      results: z.array(
        z.object({
          ruleId: z.string().min(1),
          ruleIndex: z.number().int().min(0),
          level: z.enum(["error", "warning", "note"]),
          message: text,
          locations: z
            .array(
              z.object({
                physicalLocation: z.object({
                  artifactLocation: z.object({ uri: z.string().min(1) }),
                  region: z.object({
                    startLine: place,
                    startColumn: place,
                    endLine: place,
                    endColumn: place,
                  }),
                }),
              }),
            )
            .min(1),
          partialFingerprints: z.object({ primaryLocationLineHash: z.string().min(1) }),
          properties: z.record(z.string(), z.unknown()),
        }),
      ),
    }),
  ]),
});

const version = "1.2.3";

function runOf(result: Parameters<typeof sarif>[0]) {
  const [run] = codeScanning.parse(JSON.parse(sarif(result, { version }))).runs;
  return run;
}

const forbid = (severity: string) => `rule: a\nseverity: ${severity}\nthen: { forbid_tool: pay }\n`;
const pay = '{"turns": [{"user": "hi", "tool_calls": [{"name": "pay", "arguments": {}}]}]}';

describe("sarif", () => {
  it("keeps the 2.1.0 schema for every kind of finding, and without any", () => {
    expect(mistakes(sarif(resultOf(everyKind.rules, everyKind.trace), { version }))).toEqual([]);
    expect(mistakes(sarif(resultOf(forbid("info"), '{"turns": [{"user": "hi"}]}'), { version }))).toEqual([]);
  });

  it("is held against a schema that refuses", () => {
    const log = sarif(resultOf(forbid("critical"), pay), { version });
    expect(mistakes(log.replace('"startLine": 1', '"startLine": 0'))).toHaveLength(1);
    expect(mistakes(log.replace('"ruleId"', '"ruleName"'))).not.toEqual([]);
  });

  it("says the place of the call in all four fields", () => {
    const [result] = runOf(resultOf(forbid("critical"), pay)).results;
    // The call begins after the 41 characters `{"turns": [{"user": "hi", "tool_calls": [` and has 32.
    expect([pay.indexOf('{"name"'), '{"name": "pay", "arguments": {}}'.length]).toEqual([41, 32]);
    expect(result?.locations[0]?.physicalLocation.region).toEqual({
      startLine: 1,
      startColumn: 42,
      endLine: 1,
      endColumn: 74,
    });
  });

  it.each([
    ["critical", "violation", "error"],
    ["warning", "violation", "warning"],
    ["info", "note", "note"],
  ])("gives a rule of severity %s, whose finding is a %s, the level %s", (severity, kind, level) => {
    const { results, tool } = runOf(resultOf(forbid(severity), pay));
    expect(results.map((one) => [one.properties.kind, one.level])).toEqual([[kind, level]]);
    expect(tool.driver.rules[0]?.defaultConfiguration.level).toBe(level);
  });

  it("tells of doubt as a warning and of hindsight as a note, whatever the severity", () => {
    const { results } = runOf(resultOf(everyKind.rules, everyKind.trace));
    const seen = results.map(({ ruleId, level, properties }) => [ruleId, properties.kind, level]);
    expect(seen).toEqual([
      ["no [refund](x) {0} | <b> @all", "violation", "error"],
      ["for-the-record", "note", "note"],
      ["needs-arguments", "inconclusive", "warning"],
      ["in-hindsight", "hindsight", "note"],
      ["slow-down", "violation", "warning"],
    ]);
  });

  it("carries what logs of the guard have, and the rule's own words", () => {
    const { results, tool } = runOf(resultOf(everyKind.rules, everyKind.trace));
    expect(results[4]?.properties).toEqual({
      kind: "violation",
      code: "too_many_calls",
      severity: "warning",
      turn: 2,
      tool: "list",
      trace: "1",
      canonicalMessage: "call 3 of the conversation is more than the 2 allowed by rule 'slow-down'",
    });
    expect(results.map(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id === ruleId)).not.toContain(
      false,
    );
    expect(tool.driver.rules[0]?.shortDescription.text).toBe("Never.");
    expect(tool.driver.rules[1]?.fullDescription.text).toContain("at most 2 calls in a conversation");
    expect(tool.driver.rules[3]?.help.text).toContain(
      'Once the user has said "status": no call of get_order.',
    );
  });

  it("makes neither links nor placeholders of names", () => {
    const [result] = runOf(resultOf(everyKind.rules, everyKind.trace)).results;
    expect(result?.message.text).toContain("'no \\[refund\\](x) {{0}} | <b> @all'");
  });

  it("names files by relative addresses, and those elsewhere by whole ones", () => {
    const uri = (file: string) =>
      runOf(resultOf(forbid("critical"), pay, file)).results[0]?.locations[0]?.physicalLocation
        .artifactLocation.uri;
    expect(uri("traces/a b#1.json")).toBe("traces/a%20b%231.json");
    expect(uri("/tmp/a b.json")).toBe("file:///tmp/a%20b.json");
  });

  it("gives a finding the same fingerprint after its lines have moved, and each of equal ones its own", () => {
    const prints = (trace: string) =>
      runOf(resultOf(forbid("critical"), trace)).results.map(
        (one) => one.partialFingerprints.primaryLocationLineHash,
      );
    const twice = pay.replace(/\[(\{"name.*?\})\]/, "[$1, $1]");
    expect(prints(pay.replace("{", "{\n\n"))).toEqual(prints(pay));
    const [first, second] = prints(twice);
    expect(first).toBe(prints(pay)[0]);
    expect(second).not.toBe(first);
  });
});
