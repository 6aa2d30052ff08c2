import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { Code } from "../model/vocabulary.js";
import { ContractMistake } from "./contract-mistake.js";
import type { Validated } from "./reading.js";
import type { JsonObject } from "./request-text.js";

/**
 * The rules of a JSON Schema 2020-12; neither coerces nor fills in anything. A refusal's code is `shape` if the object
 * as a whole is wrong, otherwise the name of the first wrong field, in the schema's order.
 */
export const compiledSchema = (tool: string, schema: JsonObject): ((request: JsonObject) => Validated) => {
  const validate = compiled(tool, schema);
  return (request) => {
    if (validate(request)) return { kind: "valid", arguments: request };
    return { kind: "invalid", code: codeOf(validate.errors ?? []) };
  };
};

const compiled = (tool: string, schema: JsonObject) => {
  // Inherited names such as `constructor` are no fields; an unknown keyword or format would silently check nothing.
  const ajv = new Ajv2020({
    allErrors: true,
    ownProperties: true,
    strictTypes: false,
    strictTuples: false,
    logger: false,
  });
  try {
    return ajv.compile({ ...schema, $async: false });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ContractMistake(
      tool,
      `expected a JSON Schema 2020-12 that compiles, but: ${reason}. ` +
        "Correct the schema, or give the rules as a function `validate`",
    );
  }
};

const codeOf = (errors: readonly ErrorObject[]): Code => {
  const fields = errors.map(({ instancePath }) => instancePath.split("/")[1]);
  const [first] = fields;
  if (first === undefined || fields.includes(undefined)) return "shape";
  return first.replaceAll("~1", "/").replaceAll("~0", "~");
};
