import type { KeyTemplate } from "../rule.js";
import { quoted } from "./place.js";

export type ReadTemplate =
  | { readonly kind: "template"; readonly template: KeyTemplate }
  | { readonly kind: "broken"; readonly message: string };

const opening = "${";

/** Splits a key into its text and its arguments; one without an argument would make every call the same one. */
export function keyTemplate(text: string): ReadTemplate {
  const parts: KeyTemplate["parts"][number][] = [];
  let rest = text;
  while (rest !== "") {
    const start = rest.indexOf(opening);
    const before = start < 0 ? rest : rest.slice(0, start);
    if (before !== "") {
      parts.push({ kind: "text", text: before });
    }
    if (start < 0) {
      break;
    }
    const end = rest.indexOf("}", start);
    const name = rest.slice(start + opening.length, end < 0 ? undefined : end);
    const problem = end < 0 ? `${quoted(rest.slice(start))}, which no } closes` : problemOf(name);
    if (problem !== undefined) {
      return { kind: "broken", message: `expected an argument like ${opening}order_id}, seen ${problem}` };
    }
    parts.push({ kind: "argument", name });
    rest = rest.slice(end + 1);
  }
  return parts.some((part) => part.kind === "argument")
    ? { kind: "template", template: { text, parts } }
    : { kind: "broken", message: withoutArgument(text) };
}

function problemOf(name: string): string | undefined {
  const plain = name.trim();
  if (plain === "") {
    return `${quoted(`${opening}${name}}`)}, which names none`;
  }
  if (/[{$]/.test(name)) {
    return `${quoted(`${opening}${name}}`)}, which opens another before it closes`;
  }
  return plain === name ? undefined : `${quoted(`${opening}${name}}`)}; did you mean ${opening}${plain}}?`;
}

function withoutArgument(text: string): string {
  const meant = /\{\{?\s*([\w.-]+)\s*\}|\$\(?(\w+)/.exec(text);
  const name = meant?.[1] ?? meant?.[2];
  const guess = name === undefined ? "" : `; did you mean ${opening}${name}}?`;
  return `expected a key with at least one argument like ${opening}order_id}, seen ${quoted(text)}${guess}`;
}
