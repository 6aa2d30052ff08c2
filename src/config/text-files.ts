import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** What could not be read of a file or folder; `message` says what was expected and what was seen. */
export type Unreadable = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

export type FilesFound = { readonly files: readonly string[]; readonly unreadable: readonly Unreadable[] };

/** A file by itself, or of a folder all files below it with such an ending, sorted by name; links are followed once. */
export function filesAt(path: string, ending: RegExp): FilesFound {
  return filesBelow(path, ending, new Set());
}

/** The same file under two names is one: the first of the names stays. */
export function uniqueFiles(files: readonly string[]): readonly string[] {
  const unique = new Map<string, string>();
  for (const file of files) {
    const real = realpathSync(file);
    unique.set(real, unique.get(real) ?? file);
  }
  return [...unique.values()];
}

function filesBelow(path: string, ending: RegExp, above: ReadonlySet<string>): FilesFound {
  try {
    if (!statSync(path).isDirectory()) return { files: [path], unreadable: [] };
    const real = realpathSync(path);
    // A link back to a folder that is being read.
    if (above.has(real)) return { files: [], unreadable: [] };
    const names = readdirSync(path).sort((one, other) => (one < other ? -1 : 1));
    const found = names
      .map((name) => join(path, name))
      .filter((inside) => ending.test(inside) || isFolder(inside))
      .map((inside) => filesBelow(inside, ending, new Set([...above, real])));
    return {
      files: found.flatMap(({ files }) => files),
      unreadable: found.flatMap(({ unreadable }) => unreadable),
    };
  } catch (error) {
    const message = `expected a file or folder that can be read, ${failure(error)}`;
    return { files: [], unreadable: [{ file: path, line: 1, column: 1, message }] };
  }
}

function isFolder(path: string): boolean {
  // A broken link under a name that no wanted file has is no folder.
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The text of a file, which has to be UTF-8. */
export function readText(
  file: string,
): { readonly kind: "text"; readonly text: string } | ({ readonly kind: "unreadable" } & Unreadable) {
  try {
    const bytes = readFileSync(file);
    return isUtf8(bytes)
      ? { kind: "text", text: bytes.toString("utf8") }
      : { kind: "unreadable", ...badByte(file, bytes) };
  } catch (error) {
    const message = `expected a file that can be read, ${failure(error)}`;
    return { kind: "unreadable", file, line: 1, column: 1, message };
  }
}

/** The place of the first byte that belongs to no character. */
function badByte(file: string, bytes: Buffer): Unreadable {
  const before = textBeforeBadByte(bytes);
  const lines = before.split("\n");
  const offset = Buffer.byteLength(before);
  const byte = `0x${bytes.subarray(offset, offset + 1).toString("hex")}`;
  const message = `expected text in UTF-8, seen the byte ${byte}`;
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message };
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
