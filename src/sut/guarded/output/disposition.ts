import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../model/vocabulary.js";
import type { Detector } from "./detector.js";

/** What is to become of a value that is about to be released; never a word of what was found in it. */
export type Disposition =
  | { readonly kind: "whole" }
  /** The form is wrong: another value may be made of the same result. */
  | { readonly kind: "regenerate" }
  /** Exactly this may be released; `withheld` names the kinds of what was left out. */
  | { readonly kind: "partial"; readonly value: Json; readonly withheld: readonly string[] }
  | { readonly kind: "clarify"; readonly question: Json }
  | { readonly kind: "escalate" }
  | { readonly kind: "block"; readonly code: string };

/** Asked in place of an answer when a choice is missing. */
export const fixedQuestion: Json = { question: "which_one" };

/**
 * The strictest finding decides: a secret, then high impact, then a missing choice, then personal parts, then the form.
 * `expected` is what the tool's contract promises for these arguments.
 */
export function disposeOf(value: Json, expected: Json, detect: Detector): Disposition {
  const found = new Set(textsIn(value).flatMap(detect));
  if (found.has("secret")) return { kind: "block", code: "secret" };
  if (!isRecord(value)) return { kind: "regenerate" };
  if (value.impact === "high") return { kind: "escalate" };
  if (value.choice === null) return { kind: "clarify", question: fixedQuestion };
  if (isDeepStrictEqual(value, expected)) {
    return found.has("personal") && isRecord(expected) ? reduced(value, detect) : { kind: "whole" };
  }
  if (!found.has("personal")) return { kind: "regenerate" };
  const partial = reduced(value, detect);
  return isDeepStrictEqual(partial.value, expected) ? partial : { kind: "regenerate" };
}

/** The value without the fields that hold personal data. */
function reduced(
  value: { readonly [name: string]: Json },
  detect: Detector,
): Extract<Disposition, { kind: "partial" }> {
  const left = Object.entries(value).filter(
    ([, part]) => !textsIn(part).flatMap(detect).includes("personal"),
  );
  return { kind: "partial", value: Object.fromEntries(left), withheld: ["personal"] };
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
