import type { Code, Facts } from "../model/vocabulary.js";
import type { JsonObject } from "./request-text.js";

/** What a tool makes of a request that is a JSON object; `arguments` is what it then works with. */
export type Validated =
  | { readonly kind: "valid"; readonly arguments: JsonObject }
  | { readonly kind: "invalid"; readonly code: Code };

/** A valid request: its meaning, the object that was given, and the arguments that the tool's rules made of it. */
export type ValidReading = Extract<Facts, { kind: "valid" }> & {
  readonly given: JsonObject;
  readonly arguments: JsonObject;
};

export type Reading = { readonly kind: "invalid"; readonly code: Code } | ValidReading;

export type Read = (request: string) => Reading;
