import { filesAt, readText, type Unreadable, uniqueFiles } from "../../config/text-files.js";
import { inWhole, type RuleMistake } from "./rule-mistake.js";

type Found = { readonly files: readonly string[]; readonly mistakes: readonly RuleMistake[] };

/** The files that paths name, and those in folders that end in `.yaml` or `.yml`, sorted by name, each once. */
export function ruleFiles(paths: readonly string[]): Found {
  if (paths.length === 0) {
    return { files: [], mistakes: [inWhole(".", "expected a rule file or a folder of them, seen no path")] };
  }
  const found = paths.map((path): Found => {
    const { files, unreadable } = filesAt(path, /\.ya?ml$/i);
    const message = "expected a folder with rules, seen no .yaml or .yml file in it";
    return files.length === 0 && unreadable.length === 0
      ? { files, mistakes: [inWhole(path, message)] }
      : { files, mistakes: unreadable.map(mistakeOf) };
  });
  return {
    files: uniqueFiles(found.flatMap(({ files }) => files)),
    mistakes: found.flatMap(({ mistakes }) => mistakes),
  };
}

/** The text of a file, which has to be UTF-8. */
export function readRuleFile(
  file: string,
):
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unreadable"; readonly mistake: RuleMistake } {
  const read = readText(file);
  return read.kind === "text" ? read : { kind: "unreadable", mistake: mistakeOf(read) };
}

function mistakeOf({ file, line, column, message }: Unreadable): RuleMistake {
  return { file, line, column, path: "", message };
}
