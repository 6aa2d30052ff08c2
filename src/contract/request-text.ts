import type { Json } from "../model/vocabulary.js";

export type JsonObject = { readonly [name: string]: Json };

export type RequestText = { readonly kind: "json"; readonly value: Json } | { readonly kind: "not_json" };

/** Reads a request as `JSON.parse` does: of a property given twice the last counts, `__proto__` is an ordinary name. */
export const readRequestText = (text: string): RequestText => {
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    return { kind: "not_json" };
  }
};

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Every text within a value, names of properties included, in the order in which they are written.
 * Walks without recursion: a request nested a hundred thousand deep is still read.
 */
export const textsWithin = (value: Json): readonly string[] => {
  const texts: string[] = [];
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") texts.push(next);
    for (const part of partsOf(next).reverse()) pending.push(part);
  }
  return texts;
};

const partsOf = (value: Json): Json[] => {
  if (typeof value !== "object" || value === null) return [];
  return isJsonObject(value) ? Object.entries(value).flat() : [...value];
};
