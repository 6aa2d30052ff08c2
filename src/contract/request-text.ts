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

/** Nothing for a value nested too deep to be written. */
export const writtenText = (value: Json): readonly string[] => {
  try {
    return [JSON.stringify(value)];
  } catch {
    return [];
  }
};

/** Shorter texts first, and of equally long ones the earlier by code units: below any text there are finitely many. */
export const byLength = (left: string, right: string): number =>
  left.length - right.length || Number(left > right) - Number(left < right);

/**
 * The texts of a refused request in which a canary is planted. A text that is not JSON has no parts to look into, so
 * its words are looked through one by one.
 */
export const plantedTexts = (request: string): readonly string[] => {
  const text = readRequestText(request);
  const texts = text.kind === "json" ? textsWithin(text.value) : request.split(/[^A-Z0-9-]/);
  return texts.filter((part) => part.includes("CANARY"));
};
