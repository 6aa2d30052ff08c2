import type { Rule } from "../rule.js";
import { parsedDocuments } from "./parse-rules.js";
import { repeatedNames } from "./repeated-names.js";
import { readRuleFile, ruleFiles } from "./rule-files.js";
import type { RuleMistake } from "./rule-mistake.js";
import { type RuleWarning, ruleWarnings } from "./rule-warnings.js";

export type LoadedRules =
  | { readonly kind: "loaded"; readonly rules: readonly Rule[]; readonly warnings: readonly RuleWarning[] }
  | { readonly kind: "refused"; readonly mistakes: readonly RuleMistake[] };

/**
 * Reads files, and folders with all `.yaml` and `.yml` files below them, in the order of their names, each file once.
 * One mistake anywhere refuses the whole set; then every mistake of every file is returned.
 */
export function loadRules(paths: readonly string[]): LoadedRules {
  const { files, mistakes: missing } = ruleFiles(paths);
  const mistakes = [...missing];
  const documents = files.flatMap((file) => {
    const read = readRuleFile(file);
    if (read.kind === "unreadable") {
      mistakes.push(read.mistake);
      return [];
    }
    const parsed = parsedDocuments(read.text, file);
    mistakes.push(...parsed.mistakes);
    return [parsed];
  });
  mistakes.push(...repeatedNames(documents.flatMap(({ names }) => names)));
  const rules = documents.flatMap((parsed) => parsed.rules);
  return mistakes.length > 0
    ? { kind: "refused", mistakes: inOrder(mistakes, [...missing.map(({ file }) => file), ...files]) }
    : { kind: "loaded", rules, warnings: ruleWarnings(rules) };
}

/** By file in this order, what is missing first; within a file mistakes follow the text. */
function inOrder(mistakes: readonly RuleMistake[], files: readonly string[]): readonly RuleMistake[] {
  const rank = new Map([...new Set(files)].map((file, index) => [file, index]));
  const rankOf = ({ file }: RuleMistake) => rank.get(file) ?? rank.size;
  return [...mistakes].sort(
    (one, other) => rankOf(one) - rankOf(other) || one.line - other.line || one.column - other.column,
  );
}
