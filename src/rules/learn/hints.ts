import { isScalar, isSeq } from "yaml";
import { mapping } from "../load/mapping.js";
import { type Place, part, quoted, type Reader, read, report, seen } from "../load/place.js";
import { openDocuments } from "../load/rule-documents.js";
import type { RuleMistake } from "../load/rule-mistake.js";

/** A project's own words for what its tools do; they are merged with the built-in ones and outweigh them. */
export type Hints = { readonly destructive: readonly string[]; readonly readonly: readonly string[] };

export const noHints: Hints = { destructive: [], readonly: [] };

export type ReadHints =
  | { readonly kind: "read"; readonly hints: Hints }
  | { readonly kind: "refused"; readonly mistakes: readonly RuleMistake[] };

/** Reads `{ destructive: [...], readonly: [...] }`, both optional; refuses unknown keys and words that are in both lists. */
export function readHints(text: string, file: string): ReadHints {
  const { roots, mistakes } = openDocuments(text, file);
  const [root, second] = roots;
  if (second !== undefined) {
    report(second, "expected one document of hints, seen a second one that begins here");
  }
  const hints = root === undefined ? noHints : hintsOf(root);
  return mistakes.length > 0 ? { kind: "refused", mistakes } : { kind: "read", hints };
}

function hintsOf(root: Place): Hints {
  const said = mapping(root, "hints like { destructive: [write_off], readonly: [dry_run] }", [
    "destructive",
    "readonly",
  ]);
  if (said.kind === "wrong") {
    return noHints;
  }
  const words = wordsOf(new Set());
  const [destructive, readonly] = [
    said.value.optional("destructive", words, []),
    said.value.optional("readonly", words, []),
  ];
  return {
    destructive: destructive.kind === "read" ? destructive.value : [],
    readonly: readonly.kind === "read" ? readonly.value : [],
  };
}

/** Adds to `taken`, which the lists share: no word can be both. */
function wordsOf(taken: Set<string>): Reader<readonly string[]> {
  return (list) =>
    isSeq(list.node)
      ? read(
          list.node.items.flatMap((item, index) =>
            wordOf(part(list.sheet, item, `${list.path}[${index}]`, list.from), taken),
          ),
        )
      : report(list, `expected a list of words, seen ${seen(list.node)}`);
}

/** Nothing where it is wrong, which is reported. */
function wordOf(place: Place, taken: Set<string>): readonly string[] {
  const word = isScalar(place.node) && typeof place.node.value === "string" ? place.node.value.trim() : "";
  // One letter or character is in nearly every name.
  if (!/[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(word)) {
    report(place, `expected a word of at least two characters, seen ${seen(place.node)}`);
    return [];
  }
  if (taken.has(word.toLowerCase())) {
    report(place, `expected every word once and in one list, seen ${quoted(word)} again`);
    return [];
  }
  taken.add(word.toLowerCase());
  return [word];
}
