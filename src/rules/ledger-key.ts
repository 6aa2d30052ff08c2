import type { MissingEvidence } from "./decision.js";
import type { KeyTemplate } from "./rule.js";
import type { TracedArguments } from "./trace.js";

/** `JSON.stringify([tool, template, values])`: one key for each tool and template, whichever rule asks for it. */
export type LedgerKey = string;

/** What the ledger holds under a key: nothing, a call that was made, or one that may have been. */
export type ReadLedger = (key: LedgerKey) => "free" | "done" | "unknown";

export type KeyReading =
  /** `text` is the filled template, for people; two different keys may have the same text. */
  | { readonly kind: "key"; readonly key: LedgerKey; readonly text: string }
  /** `argument`: the first one that could not be read, where there are arguments at all. */
  | {
      readonly kind: "unreadable";
      readonly because: Extract<MissingEvidence, "no_arguments" | "malformed_arguments" | "no_key">;
      readonly argument: string | undefined;
    };

/** The key of a call of the tool; the number 1 and the text "1" give the same one. */
export function ledgerKey(tool: string, template: KeyTemplate, given: TracedArguments): KeyReading {
  if (given.kind !== "known") {
    const because = given.kind === "missing" ? "no_arguments" : "malformed_arguments";
    return { kind: "unreadable", because, argument: undefined };
  }
  const values: string[] = [];
  let text = "";
  for (const part of template.parts) {
    if (part.kind === "text") {
      text += part.text;
      continue;
    }
    const value = Object.hasOwn(given.value, part.name) ? asText(given.value[part.name]) : undefined;
    if (value === undefined) {
      return { kind: "unreadable", because: "no_key", argument: part.name };
    }
    values.push(value);
    text += value;
  }
  return { kind: "key", key: JSON.stringify([tool, template.text, values]), text };
}

/** Numbers that JSON cannot say, such as NaN, would all be one key: they are none. */
function asText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : undefined;
    case "boolean":
      return JSON.stringify(value);
    default:
      return undefined;
  }
}
