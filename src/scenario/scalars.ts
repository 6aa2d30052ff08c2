import { isScalar } from "yaml";
import { nearest } from "../config/nearest.js";
import { type Reader, read, report, type Schema, seen } from "./reader.js";

/** Up to so many words are all named; of more only the nearest is, unless none is near. */
const listedWords = 8;

/** What was expected of a word that is none of `words`, what it was instead, and the nearest of them. */
export function noneOf(words: readonly string[], what: string, was: string, meant: string): string {
  const near = nearest(meant, words);
  const choice = near !== undefined && words.length > listedWords ? what : `${what} (${oneOf(words)})`;
  return `expected ${choice}, seen ${was}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

function oneOf(words: readonly string[]): string {
  return words.length === 0 ? "there is none" : `one of ${words.join(", ")}`;
}

/** One of these words; `what` names them. */
export function word<const W extends string>(words: readonly W[], what: string): Reader<W> {
  return {
    wants: `${what} (${oneOf(words)})`,
    schema: { enum: words },
    read: (place) => {
      const value = isScalar(place.node) ? place.node.value : undefined;
      const found = words.find((candidate) => candidate === value);
      return found === undefined
        ? report(place, noneOf(words, what, seen(place.node), typeof value === "string" ? value : ""))
        : read(found);
    },
  };
}

/** This one word, where `wants` says what else may stand here. */
export function only<const W extends string>(single: W, wants: string): Reader<W> {
  return {
    wants,
    schema: { const: single },
    read: (place) => {
      const value = isScalar(place.node) ? place.node.value : undefined;
      const near = typeof value === "string" ? nearest(value, [single]) : undefined;
      const hint = near === undefined ? "" : `; did you mean ${near}?`;
      return value === single
        ? read(single)
        : report(place, `expected ${wants}, seen ${seen(place.node)}${hint}`);
    },
  };
}

/** A text that `holds`; its JSON Schema equivalent is `narrowed`. */
export function text<T extends string = string>(
  wants: string,
  narrowed: Schema = {},
  holds: (value: string) => value is T = (_value): _value is T => true,
): Reader<T> {
  return {
    wants,
    schema: { type: "string", ...narrowed },
    read: (place) => {
      const value = isScalar(place.node) ? place.node.value : undefined;
      if (typeof value === "string" && holds(value)) {
        return read(value);
      }
      const quotes = typeof value === "number" || typeof value === "boolean" ? "; write it in quotes" : "";
      return report(place, `expected ${wants}, seen ${seen(place.node)}${quotes}`);
    },
  };
}

/** A whole number within these bounds, both included. */
export function whole(wants: string, min: number, max = Number.MAX_SAFE_INTEGER): Reader<number> {
  return {
    wants,
    schema: { type: "integer", minimum: min, maximum: max },
    read: (place) => {
      const value = isScalar(place.node) ? place.node.value : undefined;
      const fits = typeof value === "number" && Number.isInteger(value) && min <= value && value <= max;
      return fits ? read(value) : report(place, `expected ${wants}, seen ${seen(place.node)}`);
    },
  };
}

export const truth: Reader<boolean> = {
  wants: "true or false",
  schema: { type: "boolean" },
  read: (place) => {
    const value = isScalar(place.node) ? place.node.value : undefined;
    return typeof value === "boolean"
      ? read(value)
      : report(place, `expected true or false, seen ${seen(place.node)}`);
  },
};
