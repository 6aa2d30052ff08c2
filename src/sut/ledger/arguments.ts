import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";

/** What the draft tool is called with, once it has been validated. */
export type DraftArguments = {
  readonly job: string;
  readonly topic: "river" | "forest";
  readonly copies: number;
};

/** Field codes in the order in which a refusal is reported. */
export type ArgumentCode = "shape" | "job" | "topic" | "copies";

export const draftSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  required: ["job", "topic", "copies"],
  properties: {
    // `$` would also match before a final newline in some engines; ECMAScript's, without the m flag, does not.
    job: { type: "string", pattern: "^JOB-[0-9]{3}$" },
    topic: { type: "string", enum: ["river", "forest"] },
    copies: { type: "integer", minimum: 1, maximum: 9 },
  },
} as const;

const validate = new Ajv2020({ allErrors: true, strict: true }).compile<DraftArguments>(draftSchema);
const fieldOrder: readonly ArgumentCode[] = ["job", "topic", "copies"];

export type CheckedArguments =
  | { readonly kind: "valid"; readonly args: DraftArguments }
  | { readonly kind: "invalid"; readonly code: ArgumentCode };

/** The arguments of a request given as JSON text, or the code of the first thing wrong with it. */
export function readArguments(
  request: string,
  check: (raw: unknown) => CheckedArguments = checkArguments,
): CheckedArguments {
  let raw: unknown;
  try {
    raw = JSON.parse(request);
  } catch {
    return { kind: "invalid", code: "shape" };
  }
  return check(raw);
}

export function checkArguments(raw: unknown): CheckedArguments {
  if (validate(raw)) return { kind: "valid", args: { job: raw.job, topic: raw.topic, copies: raw.copies } };
  const wrong = (validate.errors ?? []).map((error) => error.instancePath.slice(1));
  if (wrong.includes("")) return { kind: "invalid", code: "shape" };
  const first = fieldOrder.find((field) => wrong.includes(field));
  return { kind: "invalid", code: first ?? "shape" };
}

/** SHA-256, as lower-case hex, of the RFC 8785 canonical JSON of validated arguments. */
export function digestOf(args: DraftArguments): string {
  return createHash("sha256")
    .update(canonicalize(args) ?? "")
    .digest("hex");
}
