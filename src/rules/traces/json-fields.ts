import type { Json } from "../../model/vocabulary.js";
import { deepest, type Positioned, type PositionedObject, type Span } from "./positioned-json.js";

/** The field of an object, or undefined where the value is no object, has no such field or has null there. */
export function field(value: Positioned | undefined, name: string): Positioned | undefined {
  const found = value?.kind === "object" ? value.fields.get(name) : undefined;
  return found?.kind === "null" ? undefined : found;
}

/** The first of the fields that there is. */
export function firstField(value: Positioned | undefined, names: readonly string[]): Positioned | undefined {
  for (const name of names) {
    const found = field(value, name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The text of a field; undefined also where it has another kind of value. */
export function textField(value: Positioned | undefined, name: string): string | undefined {
  return textOf(field(value, name));
}

/** A text that says something: undefined for other values, empty and blank ones. */
export function wordField(value: Positioned | undefined, names: readonly string[]): string | undefined {
  for (const name of names) {
    const word = textField(value, name);
    if (word !== undefined && word.trim() !== "") {
      return word;
    }
  }
  return undefined;
}

export function textOf(value: Positioned | undefined): string | undefined {
  return value?.kind === "text" ? value.value : undefined;
}

/** The items of a list; none where the value is no list. */
export function itemsOf(value: Positioned | undefined): readonly Positioned[] {
  return value?.kind === "list" ? value.items : [];
}

/** The items of a list, or the value itself as the only one. */
export function oneOrMany(value: Positioned | undefined): readonly Positioned[] {
  if (value === undefined) {
    return [];
  }
  return value.kind === "list" ? value.items : [value];
}

/** The list in a field; undefined also where it has another kind of value. */
export function listField(value: Positioned | undefined, name: string): readonly Positioned[] | undefined {
  const found = field(value, name);
  return found?.kind === "list" ? found.items : undefined;
}

export function isTrue(value: Positioned | undefined): boolean {
  return value?.kind === "truth" && value.value;
}

/** The value without its places. */
export function plainJson(value: Positioned): Json {
  switch (value.kind) {
    case "object":
      return plainRecord(value);
    case "list":
      return value.items.map(plainJson);
    case "null":
      return null;
    case "text":
    case "number":
    case "truth":
      return value.value;
  }
}

/** The object without its places. */
export function plainRecord(value: PositionedObject): Readonly<Record<string, Json>> {
  return Object.fromEntries([...value.fields].map(([name, inner]) => [name, plainJson(inner)]));
}

/** What a JSON text within the JSON says, every part at the place of that text; any other value as it is. */
export function embedded(value: Positioned): Positioned {
  if (value.kind !== "text" || !/^\s*[[{]/.test(value.value)) {
    return value;
  }
  const json = jsonOf(value.value);
  return (json === undefined ? undefined : planted(json, value, deepest)) ?? value;
}

/** Undefined where the text is no JSON. */
export function jsonOf(text: string): Json | undefined {
  try {
    const json: Json = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

/** Undefined where it is nested more deeply than `levels`. */
function planted(json: Json, at: Span, levels: number): Positioned | undefined {
  const span = { offset: at.offset, end: at.end };
  switch (typeof json) {
    case "string":
      return { kind: "text", value: json, ...span };
    case "number":
      return { kind: "number", value: json, ...span };
    case "boolean":
      return { kind: "truth", value: json, ...span };
    default:
  }
  if (json === null) {
    return { kind: "null", ...span };
  }
  if (levels === 0) {
    return undefined;
  }
  if (isList(json)) {
    const items = json.map((item) => planted(item, at, levels - 1));
    const whole = items.filter((item) => item !== undefined);
    return whole.length === items.length ? { kind: "list", items: whole, ...span } : undefined;
  }
  const fields = new Map<string, Positioned>();
  for (const [name, inner] of Object.entries(json)) {
    const value = planted(inner, at, levels - 1);
    if (value === undefined) {
      return undefined;
    }
    fields.set(name, value);
  }
  return { kind: "object", fields, ...span };
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
