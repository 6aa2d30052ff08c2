import { createHash } from "node:crypto";
import {
  type CheckParseAnswer,
  checkParsePolicySet,
  type DetailedError,
  type Policy,
  preparsePolicySet,
  preparseSchema,
  validate,
} from "@cedar-policy/cedar-wasm/nodejs";
import { guardPolicies, type Policies } from "./policies.js";
import { PolicyMistake } from "./policy-mistake.js";
import { schema } from "./schema.js";

/** Names under which this thread's engine keeps a parsed schema and policy set, until the thread ends. */
export type LoadedPolicies = { readonly schemaName: string; readonly policySetId: string };

/**
 * Parses and validates `policies` together with the guards. Throws one `PolicyMistake` that lists what does not parse,
 * does not fit the schema, or draws a warning: a forbid that can never apply guards nothing, and neither does one whose
 * name only looks like the tool's. A name that the engine so warns of (mixed scripts, control characters, emoji) can
 * still be granted: grants take any name.
 */
export const loadPolicies = (policies: Policies): LoadedPolicies => {
  refuse(Object.keys(policies).flatMap(reservedIds));
  refuse(Object.entries(policies).flatMap(([id, policy]) => parseMistakes(id, policy)));
  const all = { ...policies, ...guardPolicies };
  refuse(validationMistakes(all));
  // The engine silently replaces what it keeps under a name: a name made of the content replaces itself only.
  const loaded = { schemaName: nameFor(schema), policySetId: nameFor(JSON.stringify(all)) };
  refuse(leftOver("the schema", preparseSchema(loaded.schemaName, schema)));
  refuse(leftOver("the policies", preparsePolicySet(loaded.policySetId, { staticPolicies: all })));
  return loaded;
};

const refuse = (mistakes: readonly string[]): void => {
  if (mistakes.length > 0) throw new PolicyMistake(mistakes);
};

const reservedIds = (id: string): readonly string[] =>
  Object.hasOwn(guardPolicies, id)
    ? [`policy "${id}": this id belongs to a built-in guard; take another`]
    : [];

/** Each policy is parsed alone, since the engine tells the place of a parse error by its text only. */
const parseMistakes = (id: string, policy: Policy): readonly string[] => {
  try {
    const answer = checkParsePolicySet({ staticPolicies: { [id]: policy } });
    return answer.type === "success" ? [] : answer.errors.map((error) => described(id, policy, error));
  } catch (error) {
    return [`policy "${id}": the engine cannot read it (${error instanceof Error ? error.message : error})`];
  }
};

/** The call reports success for policies that do not validate; only its lists tell. */
const validationMistakes = (all: Policies): readonly string[] => {
  const answer = validate({ schema, policies: { staticPolicies: all } });
  if (answer.type === "failure") return answer.errors.map(({ message }) => message);
  return [
    ...[...answer.validationErrors, ...answer.validationWarnings].map(({ policyId, error }) =>
      described(policyId, all[policyId] ?? "", error),
    ),
    ...answer.otherWarnings.map(({ message }) => message),
  ];
};

const leftOver = (what: string, answer: CheckParseAnswer): readonly string[] =>
  answer.type === "success" ? [] : answer.errors.map(({ message }) => `${what}: ${message}`);

const described = (id: string, policy: Policy, error: DetailedError): string => {
  const [source] = error.sourceLocations ?? [];
  const place = typeof policy === "string" && source !== undefined ? placeIn(policy, source.start) : "";
  const hints = [source?.label, error.help].filter((hint) => typeof hint === "string");
  return [`policy "${id}"${place}: ${error.message}`, ...hints].join("; ");
};

/** `offset` counts UTF-8 bytes, as the engine does. */
const placeIn = (text: string, offset: number): string => {
  const lines = Buffer.from(text, "utf8").subarray(0, offset).toString("utf8").split("\n");
  return `, line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
};

const nameFor = (content: string): string => createHash("sha256").update(content, "utf8").digest("hex");
