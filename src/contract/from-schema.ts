import type { Json } from "../model/vocabulary.js";
import { compiledSchema } from "./compiled-schema.js";
import { ContractMistake } from "./contract-mistake.js";
import { derivedRequests } from "./derived-requests.js";
import { canonicalDigest } from "./digest.js";
import { type NonEmpty, nonEmpty } from "./picks.js";
import type { Read, Validated, ValidReading } from "./reading.js";
import { isJsonObject, type JsonObject, plantedTexts, readRequestText } from "./request-text.js";
import type { ToolContract } from "./tool.js";

/** What a team says of its tool. Every function must be pure and must not throw. */
export type ToolDefinition = {
  readonly name: string;
  readonly effect: ToolContract["effect"];
  /** The business idempotency key. */
  readonly key: (args: JsonObject) => string;
  /** What the policy limits; 1 if not given. */
  readonly weight?: (args: JsonObject) => number;
  readonly accepts: (output: Json, args: JsonObject) => boolean;
  /** Valid arguments to generate from, at least one. Two keys, and two requests on one key, make a better campaign. */
  readonly examples: readonly JsonObject[];
  /** Texts of valid arguments that no receipt, error text or log line may hold; none if not given. */
  readonly canaries?: (args: JsonObject) => readonly string[];
} & (
  | {
      /** JSON Schema 2020-12. A refusal's code is the name of the first wrong field, or `shape`. */
      readonly schema: JsonObject;
    }
  | { readonly validate: (request: JsonObject) => Validated }
);

/**
 * The contract of a tool that was not made for this harness. Text that is not a JSON object is refused by `shape`
 * before the tool's own rules are asked. Requests are derived from the examples: valid ones by small changes that the
 * rules allow, invalid ones by small changes that they refuse. Throws `ContractMistake` if the definition contradicts
 * itself: no example, an example that is refused, valid arguments without a key or a weight, a schema that does not compile.
 */
export const contractFromSchema = (definition: ToolDefinition): ToolContract => {
  const read = readerOf(definition);
  const examples = checkedExamples(definition, read);
  return {
    name: definition.name,
    effect: definition.effect,
    interpret: (request) => {
      const reading = read(request);
      if (reading.kind === "invalid") return reading;
      const { kind, key, digest, weight } = reading;
      return { kind, key, digest, weight };
    },
    accepts: (output, request) => {
      const reading = read(request);
      return reading.kind === "valid" && definition.accepts(output, reading.arguments);
    },
    canaries: (request) => {
      const reading = read(request);
      if (reading.kind === "invalid") return plantedTexts(request);
      return definition.canaries?.(reading.arguments) ?? [];
    },
    requests: derivedRequests(examples, read),
  };
};

const readerOf = (definition: ToolDefinition): Read => {
  const { name, key, weight = () => 1 } = definition;
  const validate = "schema" in definition ? compiledSchema(name, definition.schema) : definition.validate;
  return (request) => {
    const text = readRequestText(request);
    if (text.kind === "not_json" || !isJsonObject(text.value)) return { kind: "invalid", code: "shape" };
    const validated = validate(text.value);
    if (validated.kind === "invalid") return validated;
    const args = validated.arguments;
    const digest = digestIfAny(args);
    if (digest === undefined) return { kind: "invalid", code: "shape" };
    const reading = { kind: "valid", key: key(args), digest, weight: weight(args) } as const;
    checkFacts(name, request, reading);
    return { ...reading, given: text.value, arguments: args };
  };
};

/** The definition may come from plain JavaScript, where a field that is missing gives `undefined`. */
const checkFacts = (
  tool: string,
  request: string,
  { key, weight }: { readonly key: unknown; readonly weight: unknown },
): void => {
  if (typeof key !== "string") {
    throw new ContractMistake(tool, `expected the key of ${request} to be a text, saw ${quoted(key)}`);
  }
  if (typeof weight !== "number" || !Number.isFinite(weight)) {
    throw new ContractMistake(
      tool,
      `expected the weight of ${request} to be a number, saw ${quoted(weight)}`,
    );
  }
};

const quoted = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : String(value);

/** Arguments with a lone surrogate, or nested too deep, have no canonical form; no executor can store their digest. */
const digestIfAny = (args: JsonObject): string | undefined => {
  try {
    return canonicalDigest(args);
  } catch {
    return undefined;
  }
};

const checkedExamples = ({ name, examples }: ToolDefinition, read: Read): NonEmpty<ValidReading> => {
  const readings = examples.map((example, index) => {
    const text = JSON.stringify(example);
    const reading = read(text);
    if (reading.kind === "valid") return reading;
    throw new ContractMistake(
      name,
      `expected every example to be valid, but example ${index + 1} is refused by "${reading.code}": ${text}. ` +
        "Correct the example, or the rule that refuses it",
    );
  });
  const checked = nonEmpty(readings);
  if (checked === undefined) {
    throw new ContractMistake(name, "expected at least one example of valid arguments, saw none");
  }
  return checked;
};
