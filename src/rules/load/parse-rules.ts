import type { Rule } from "../rule.js";
import { type RuleName, repeatedNames } from "./repeated-names.js";
import { openDocuments } from "./rule-documents.js";
import { nameOf, readRule } from "./rule-format.js";
import type { RuleMistake } from "./rule-mistake.js";

export type ParsedRules =
  | { readonly kind: "loaded"; readonly rules: readonly Rule[] }
  | { readonly kind: "refused"; readonly mistakes: readonly RuleMistake[] };

/** The rules of one file's text, one a document; otherwise every mistake in it, in the order of the text. */
export function parseRules(text: string, file: string): ParsedRules {
  const { rules, names, mistakes } = parsedDocuments(text, file);
  const all = [...mistakes, ...repeatedNames(names)];
  return all.length > 0 ? { kind: "refused", mistakes: inOrder(all) } : { kind: "loaded", rules };
}

/** What one file gives before names are compared; `names` has those of wrong rules as well. */
export function parsedDocuments(
  text: string,
  file: string,
): {
  readonly rules: readonly Rule[];
  readonly names: readonly RuleName[];
  readonly mistakes: readonly RuleMistake[];
} {
  const { roots, mistakes } = openDocuments(text, file);
  const names: RuleName[] = [];
  const rules = roots.flatMap((root) => {
    const name = nameOf(root);
    const rule = readRule(root);
    if (name !== undefined) {
      names.push(name);
    }
    return rule.kind === "read" ? [rule.value] : [];
  });
  return { rules, names, mistakes };
}

function inOrder(mistakes: readonly RuleMistake[]): readonly RuleMistake[] {
  return [...mistakes].sort((one, other) => one.line - other.line || one.column - other.column);
}
