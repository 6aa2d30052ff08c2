import type { Region } from "../rule.js";
import type { RuleMistake } from "./rule-mistake.js";

export type RuleName = { readonly name: string; readonly at: Region };

/** A mistake for each rule whose name an earlier one has; it stands at the later and names the place of the first. */
export function repeatedNames(names: readonly RuleName[]): readonly RuleMistake[] {
  const first = new Map<string, Region>();
  return names.flatMap(({ name, at }) => {
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, at);
      return [];
    }
    const place = `${earlier.file}:${earlier.line}:${earlier.column}`;
    const message = `expected a name that no other rule has, seen ${JSON.stringify(name)}, which is the rule at ${place}`;
    return [{ file: at.file, line: at.line, column: at.column, path: "rule", message }];
  });
}
