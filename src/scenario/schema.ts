import { arrangementFormat } from "./arrangement-format.js";
import { expectDefinitions } from "./expect-format.js";
import { faultDefinitions } from "./fault-format.js";
import { scenarioFormat } from "./format.js";
import type { Named, Schema } from "./reader.js";
import { stepDefinitions } from "./step-format.js";

const definitions: readonly Named<unknown>[] = [
  ...stepDefinitions,
  ...faultDefinitions,
  ...expectDefinitions,
];

/** The shape of a scenario file as JSON Schema 2020-12, published as `schema/scenario.schema.json`. */
export const scenarioSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "commitpoint scenario, format version 1",
  type: "object",
  if: { type: "object", properties: { arrangement: true }, required: ["arrangement"] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
  then: arrangementFormat.schema,
  else: scenarioFormat({}).schema,
  $defs: Object.fromEntries(definitions.map(({ name, definition }) => [name, definition])),
};
