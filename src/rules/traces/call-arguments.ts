import type { Json } from "../../model/vocabulary.js";
import type { TracedArguments } from "../trace.js";
import { jsonOf, plainJson, plainRecord } from "./json-fields.js";
import type { Positioned } from "./positioned-json.js";

/** Arguments as a trace has them: an object or its JSON text is known, null or nothing is missing, the rest malformed. */
export function callArguments(value: Positioned | undefined): TracedArguments {
  switch (value?.kind) {
    case undefined:
    case "null":
      return { kind: "missing" };
    case "object":
      return { kind: "known", value: plainRecord(value) };
    case "text": {
      const json = jsonOf(value.value);
      return isRecord(json) ? { kind: "known", value: json } : { kind: "malformed", text: value.value };
    }
    case "list":
    case "number":
    case "truth":
      return { kind: "malformed", text: JSON.stringify(plainJson(value)) };
  }
}

function isRecord(json: Json | undefined): json is { readonly [name: string]: Json } {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
