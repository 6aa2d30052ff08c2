import type { Code, Facts, Json } from "../model/vocabulary.js";
import { compiledSchema } from "./compiled-schema.js";
import { ContractMistake } from "./contract-mistake.js";
import { canonicalDigest } from "./digest.js";
import { derivedRequests } from "./derived-requests.js";
import { isJsonObject, type JsonObject, readRequestText, textsWithin } from "./request-text.js";
import type { ToolContract } from "./tool.js";

/** What a tool makes of a request that is a JSON object; `arguments` is what it then works with. */
export type Validated =
  | { readonly kind: "valid"; readonly arguments: JsonObject }
  | { readonly kind: "invalid"; readonly code: Code };

/** What a team says of its tool. Every function must be pure and must not throw. */
export type ToolDefinition = {
  readonly name: string;
  readonly effect: ToolContract["effect"];
  /** The business idempotency key, a text that is not empty. */
  readonly key: (args: JsonObject) => string;
  /** What the policy limits, 0 or more; 1 if not given. */
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

/** What a request text means, together with the arguments that it stands for. */
export type Reading =
  | { readonly kind: "invalid"; readonly code: Code }
  | (Extract<Facts, { kind: "valid" }> & { readonly arguments: JsonObject });

/**
 * The contract of a tool that was not made for this harness. Text that is not a JSON object is refused by `shape`
 * before the tool's own rules are asked. Requests are derived from the examples: valid ones by small changes that the
 * rules allow, invalid ones by small changes that they refuse. Throws `ContractMistake` if the definition contradicts
 * itself: no example, an example that is refused, a key that is empty, a weight below 0, a schema that does not compile.
 */
export const contractFromSchema = (definition: ToolDefinition): ToolContract => {
  const read = readerOf(definition);
  checkExamples(definition, read);
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
    requests: derivedRequests(definition.examples, read),
  };
};

const readerOf = (definition: ToolDefinition): ((request: string) => Reading) => {
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
    const facts = { kind: "valid", key: key(args), digest, weight: weight(args), arguments: args } as const;
    if (typeof facts.key !== "string" || facts.key === "") {
      throw new ContractMistake(name, `expected a key that is a text and not empty for ${request}, saw ${JSON.stringify(facts.key)}`);
    }
    if (!(Number.isFinite(facts.weight) && facts.weight >= 0)) {
      throw new ContractMistake(name, `expected a weight of 0 or more for ${request}, saw ${facts.weight}`);
    }
    return facts;
  };
};

/** Arguments with a lone surrogate, or nested too deep, have no canonical form; no executor can store their digest. */
const digestIfAny = (args: JsonObject): string | undefined => {
  try {
    return canonicalDigest(args);
  } catch {
    return undefined;
  }
};

const checkExamples = ({ name, examples }: ToolDefinition, read: (request: string) => Reading): void => {
  if (examples.length === 0) {
    throw new ContractMistake(name, "expected at least one example of valid arguments, saw none");
  }
  examples.forEach((example, index) => {
    const text = JSON.stringify(example);
    const reading = read(text);
    if (reading.kind === "valid") return;
    throw new ContractMistake(
      name,
      `expected every example to be valid, but example ${index + 1} is refused by "${reading.code}": ${text}. ` +
        "Correct the example, or the rule that refuses it",
    );
  });
};

/** A text that is not JSON has no parts to look into, so its planted words are looked for one by one. */
const plantedTexts = (request: string): readonly string[] => {
  const text = readRequestText(request);
  const texts = text.kind === "json" ? textsWithin(text.value) : request.split(/[^A-Z0-9-]/);
  return texts.filter((part) => part.includes("CANARY"));
};
