import type { Json } from "../model/vocabulary.js";
import { isJsonObject, type JsonObject } from "./request-text.js";

/**
 * Objects that differ from `given` in one field: it has the value that it has in a peer, or a near one, or is gone.
 * Whether the tool's rules allow them is for the caller to ask.
 */
export const variationsOf = (given: JsonObject, peers: readonly JsonObject[]): readonly JsonObject[] =>
  Object.entries(given).flatMap(([name, value]) => [
    ...[...valuesIn(peers, name), ...nearValues(value)].map((near) => withField(given, name, near)),
    withoutField(given, name),
  ]);

/** The values that objects have in a field of their own. */
export const valuesIn = (objects: readonly JsonObject[], name: string): readonly Json[] =>
  objects.flatMap((object) =>
    Object.entries(object).flatMap(([other, value]) => (other === name ? [value] : [])),
  );

/** The object with a field set, in its old place if it had one; `__proto__` is a field like any other. */
export const withField = (object: JsonObject, name: string, value: Json): JsonObject =>
  Object.fromEntries([...Object.entries(object), [name, value]]);

export const withoutField = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));

const nearValues = (value: Json): readonly Json[] => {
  if (typeof value === "number") return [value + 1, value - 1];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "string") return [counted(value, 1), counted(value, 2)];
  return isJsonObject(value) ? variationsOf(value, []) : [];
};

/** The text with its last number raised, as wide as before; the same text if it has none. */
const counted = (text: string, by: number): string =>
  text.replace(/[0-9]+(?=[^0-9]*$)/, (digits) => String(Number(digits) + by).padStart(digits.length, "0"));
