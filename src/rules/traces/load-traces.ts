import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Trace, TraceFormat } from "../trace.js";
import { type LoadedTraces, readTrace, type TraceMistake } from "./read-trace.js";

/**
 * Reads trace files and folders: of a folder every `*.json`, `*.jsonl` and `*.ndjson` below it, in the order of their
 * paths; a file named twice is read once. One mistake in one file refuses all, and the mistakes of all files are told at
 * once. Nothing to read is a mistake too.
 */
export function loadTraces(paths: readonly string[], format?: TraceFormat): LoadedTraces {
  const traces: Trace[] = [];
  const mistakes: TraceMistake[] = [];
  const read = new Set<string>();
  if (paths.length === 0) {
    mistakes.push(mistake("no trace file or folder is named", ""));
  }
  for (const path of paths) {
    const found = filesAt(path);
    mistakes.push(...found.mistakes);
    for (const file of found.files.filter((each) => !read.has(resolve(each)))) {
      read.add(resolve(file));
      const loaded = loadFile(file, format);
      if (loaded.kind === "loaded") {
        traces.push(...loaded.traces);
      } else {
        mistakes.push(...loaded.mistakes);
      }
    }
  }
  return mistakes.length > 0 ? { kind: "refused", mistakes } : { kind: "loaded", traces };
}

function loadFile(file: string, format: TraceFormat | undefined): LoadedTraces {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { kind: "refused", mistakes: [mistake(`cannot be read: ${reason(error)}`, file)] };
  }
  return readTrace(text, file, format);
}

type Found = { readonly files: readonly string[]; readonly mistakes: readonly TraceMistake[] };

function filesAt(path: string): Found {
  let entries: readonly Dirent[];
  try {
    if (!statSync(path).isDirectory()) {
      return { files: [path], mistakes: [] };
    }
    entries = readdirSync(path, { recursive: true, withFileTypes: true });
  } catch (error) {
    return { files: [], mistakes: [mistake(`cannot be read: ${reason(error)}`, path)] };
  }
  const files = entries
    .filter((entry) => !entry.isDirectory() && /\.(json|jsonl|ndjson)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const empty = "this folder has no *.json, *.jsonl or *.ndjson file";
  return { files, mistakes: files.length === 0 ? [mistake(empty, path)] : [] };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Of a whole file: it stands at the beginning. */
function mistake(message: string, file: string): TraceMistake {
  return { message, at: { file, line: 1, column: 1, endLine: 1, endColumn: 1 } };
}
