import { Ajv, type ValidateFunction } from "ajv";
import { parse } from "yaml";
import { z } from "zod";
import type { TracedCall } from "../../../src/rules/trace.js";

/**
 * What the tool-call rail of NeMo Guardrails 0.25 documents and does with one call
 * (`nemoguardrails/guardrails/actions/tool_call_action.py`, `tool_schema.py`). Written for these tests.
 */
const schema = z.record(z.string(), z.unknown());
const tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: schema.optional(),
  }),
});
const flows = z.strictObject({ flows: z.array(z.string()) });
const config = z.strictObject({
  models: z.tuple([
    z.strictObject({
      type: z.literal("main"),
      engine: z.enum(["openai", "nim"]),
      model: z.string(),
      parameters: z.strictObject({ tools: z.array(tool).min(1) }).optional(),
    }),
  ]),
  colang_version: z.literal("1.0"),
  rails: z.strictObject({ tool_call: flows, tool_result: flows }).optional(),
  custom_data: z.record(z.string(), z.unknown()),
});

/** Reads a configuration; `yaml` 1.1 is what PyYAML reads. */
export function readNemo(text: string): z.infer<typeof config> {
  return config.parse(parse(text, { version: "1.1" }));
}

/** Whether the rail lets the call through; a configuration whose flows it does not know has no rail, and no error. */
export function letsThrough(text: string, { tool: name, arguments: known }: TracedCall): boolean {
  const { models, rails } = readNemo(text);
  const [flow, ...more] = rails?.tool_call.flows ?? [];
  if (flow !== "tool call validation" || more.length > 0) {
    return true;
  }
  const declared = models[0].parameters?.tools ?? [];
  // A call without a name is looked up under its type.
  const found = declared.find((each) => each.function.name === (name ?? "function"));
  return found !== undefined && known.kind === "known" && takes(found.function.parameters, known.value);
}

function takes(parameters: z.infer<typeof schema> | undefined, known: object): boolean {
  if (parameters === undefined || opensNothing(parameters)) {
    return Object.keys(known).length === 0;
  }
  return compiled(parameters)(known);
}

const ajv = new Ajv({ strict: false });
const validators = new Map<string, ValidateFunction>();

/** Compiling is slow, and the same few schemas come again and again. */
function compiled(parameters: z.infer<typeof schema>): ValidateFunction {
  const text = JSON.stringify(parameters);
  const validator = validators.get(text) ?? ajv.compile(parameters);
  validators.set(text, validator);
  return validator;
}

function opensNothing(parameters: z.infer<typeof schema>): boolean {
  const open = ["properties", "additionalProperties", "patternProperties"].some((keyword) => {
    const value = parameters[keyword];
    return typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value === true;
  });
  return !open && !["anyOf", "oneOf", "allOf", "$ref"].some((keyword) => keyword in parameters);
}
