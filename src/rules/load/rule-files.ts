import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { inWhole, type RuleMistake } from "./rule-mistake.js";

type Found = { readonly files: readonly string[]; readonly mistakes: readonly RuleMistake[] };

/** The files that paths name, and those in folders that end in `.yaml` or `.yml`, sorted by name, each once. */
export function ruleFiles(paths: readonly string[]): Found {
  if (paths.length === 0) {
    return { files: [], mistakes: [inWhole(".", "expected a rule file or a folder of them, seen no path")] };
  }
  const found = paths.map((path) => {
    const below = filesBelow(path, new Set());
    const isEmpty = below.files.length === 0 && below.mistakes.length === 0;
    const message = "expected a folder with rules, seen no .yaml or .yml file in it";
    return isEmpty ? { files: [], mistakes: [inWhole(path, message)] } : below;
  });
  const unique = new Map<string, string>();
  for (const file of found.flatMap(({ files }) => files)) {
    const real = realpathSync(file);
    unique.set(real, unique.get(real) ?? file);
  }
  return { files: [...unique.values()], mistakes: found.flatMap(({ mistakes }) => mistakes) };
}

function filesBelow(path: string, above: ReadonlySet<string>): Found {
  try {
    if (!statSync(path).isDirectory()) {
      return { files: [path], mistakes: [] };
    }
    const real = realpathSync(path);
    if (above.has(real)) {
      // A link back to a folder that is being read.
      return { files: [], mistakes: [] };
    }
    const names = readdirSync(path).sort((one, other) => (one < other ? -1 : 1));
    const found = names
      .map((name) => join(path, name))
      .filter((inside) => /\.ya?ml$/i.test(inside) || isFolder(inside))
      .map((inside) => filesBelow(inside, new Set([...above, real])));
    return {
      files: found.flatMap(({ files }) => files),
      mistakes: found.flatMap(({ mistakes }) => mistakes),
    };
  } catch (error) {
    return {
      files: [],
      mistakes: [inWhole(path, `expected a file or folder that can be read, ${failure(error)}`)],
    };
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // A broken link under a name that no rule file has.
    return false;
  }
}

/** The text of a file, which has to be UTF-8. */
export function readRuleFile(
  file: string,
):
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "unreadable"; readonly mistake: RuleMistake } {
  try {
    const bytes = readFileSync(file);
    return isUtf8(bytes)
      ? { kind: "text", text: bytes.toString("utf8") }
      : { kind: "unreadable", mistake: badByte(file, bytes) };
  } catch (error) {
    const mistake = inWhole(file, `expected a file that can be read, ${failure(error)}`);
    return { kind: "unreadable", mistake };
  }
}

/** The place of the first byte that belongs to no character. */
function badByte(file: string, bytes: Buffer): RuleMistake {
  const before = textBeforeBadByte(bytes);
  const lines = before.split("\n");
  const offset = Buffer.byteLength(before);
  const byte = `0x${bytes.subarray(offset, offset + 1).toString("hex")}`;
  const message = `expected text in UTF-8, seen the byte ${byte}`;
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, path: "", message };
}

function textBeforeBadByte(bytes: Buffer): string {
  const mark = "\u{FFFD}";
  const text = bytes.toString("utf8");
  let offset = 0;
  let from = 0;
  for (let index = text.indexOf(mark); index >= 0; index = text.indexOf(mark, from)) {
    offset += Buffer.byteLength(text.slice(from, index));
    // The mark may also have been written as such.
    if (bytes.toString("hex", offset, offset + 3) !== "efbfbd") {
      return text.slice(0, index);
    }
    offset += 3;
    from = index + 1;
  }
  return text;
}

function failure(error: unknown): string {
  return `seen ${error instanceof Error ? error.message : String(error)}`;
}
