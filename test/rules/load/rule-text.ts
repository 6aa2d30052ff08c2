import { parseRules } from "../../../src/rules/load/parse-rules.js";
import type { Rule } from "../../../src/rules/rule.js";

export function lines(...text: readonly string[]): string {
  return `${text.join("\n")}\n`;
}

/** The rules of a text that has no mistake. */
export function loaded(text: string, file = "rules.yaml"): readonly Rule[] {
  const parsed = parseRules(text, file);
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.mistakes));
  return parsed.rules;
}

/** `line:column: path: message` of every mistake, as people see them behind the name of the file. */
export function mistakesIn(text: string): readonly string[] {
  const parsed = parseRules(text, "rules.yaml");
  return parsed.kind === "loaded"
    ? []
    : parsed.mistakes.map(
        ({ line, column, path, message }) => `${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`,
      );
}
