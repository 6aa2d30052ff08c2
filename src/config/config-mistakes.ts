import type { z } from "zod";
import { configKeys, profileKeys } from "./config-schema.js";
import { nearest } from "./nearest.js";

type Issue = z.core.$ZodIssue;

/** Every mistake in a configuration as one line each: where, what was expected, what was seen, the nearest right word. */
export function configMistakes(issues: readonly Issue[], config: unknown): readonly string[] {
  return issues.flatMap((issue) => lines(issue, config));
}

function lines(issue: Issue, config: unknown): readonly string[] {
  const where = issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  const seen = valueAt(config, issue.path);
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = issue.path.at(-1) === "profile" ? profileKeys : configKeys;
      return issue.keys.map((key) => `${where}unknown key "${key}"${guess(key, known)}`);
    }
    case "invalid_value": {
      const words = issue.values.map(String);
      return [`${where}there is no ${shown(seen)}${guess(String(seen), words)}`];
    }
    case "invalid_key":
      return issue.issues.map((inner) => `${where}${inner.message}`);
    case "too_small":
      return [`${where}expected at least ${issue.minimum}, got ${shown(seen)}`];
    case "too_big":
      return [`${where}expected at most ${issue.maximum}, got ${shown(seen)}`];
    case "invalid_type":
      return [`${where}expected ${plainNames.get(issue.expected) ?? issue.expected}, got ${shown(seen)}`];
    default:
      return [`${where}${issue.message}, got ${shown(seen)}`];
  }
}

const plainNames: ReadonlyMap<string, string> = new Map([
  ["int", "a whole number"],
  ["number", "a number"],
  ["string", "a text"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
]);

function guess(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `; known: ${known.join(", ")}` : `; did you mean "${near}"?`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
