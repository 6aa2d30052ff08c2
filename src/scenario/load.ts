import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ArrangementScenario, arrangementFormat, isAboutArrangement } from "./arrangement-format.js";
import { openDocument } from "./document.js";
import { type Known, scenarioFormat } from "./format.js";
import { checkNames } from "./names.js";
import type { Mistake, Scenario } from "./scenario.js";

export type Loaded =
  | { readonly kind: "loaded"; readonly scenario: Scenario }
  | { readonly kind: "mistakes"; readonly mistakes: readonly Mistake[] };

export type ScenarioFile = { readonly file: string; readonly scenario: Scenario };

export type ArrangementFile = { readonly file: string; readonly scenario: ArrangementScenario };

export type LoadedAll =
  | {
      readonly kind: "loaded";
      readonly scenarios: readonly ScenarioFile[];
      /** Those that are about an arrangement of a framework's checks and have no steps. */
      readonly arrangements: readonly ArrangementFile[];
    }
  | { readonly kind: "mistakes"; readonly mistakes: readonly Mistake[] };

/** Reads a scenario from its YAML text; otherwise every mistake in it, in the order of the text. */
export function loadScenario(text: string, file: string, known: Known = {}): Loaded {
  const loaded = loadAny(text, file, known);
  if (loaded.kind !== "arrangement") return loaded;
  const message = "expected a scenario with steps, seen one of an arrangement, which has none";
  return { kind: "mistakes", mistakes: [inFile(file, message)] };
}

type LoadedAny = Loaded | { readonly kind: "arrangement"; readonly scenario: ArrangementScenario };

function loadAny(text: string, file: string, known: Known): LoadedAny {
  const opened = openDocument(text, file);
  if (opened.kind === "unreadable") {
    return { kind: "mistakes", mistakes: inOrder(opened.mistakes) };
  }
  const { root, sheet } = opened;
  const place = { sheet, node: root, path: "", offset: root.range?.[0] ?? 0, depth: 0 };
  if (isAboutArrangement(root)) {
    const result = arrangementFormat.read(place);
    return result.kind === "read" && sheet.mistakes.length === 0
      ? { kind: "arrangement", scenario: result.value }
      : { kind: "mistakes", mistakes: inOrder(sheet.mistakes) };
  }
  const result = scenarioFormat(known).read(place);
  checkNames(sheet, root);
  return result.kind === "read" && sheet.mistakes.length === 0
    ? { kind: "loaded", scenario: result.value }
    : { kind: "mistakes", mistakes: inOrder(sheet.mistakes) };
}

/**
 * Reads files, and folders with all `.yaml` and `.yml` files below them, in the order of their names, each once.
 * One mistake anywhere and nothing is loaded: then all mistakes of all files are returned.
 */
export function loadScenarios(paths: readonly string[], known: Known = {}): LoadedAll {
  const mistakes: Mistake[] = [];
  const files = new Map<string, string>();
  for (const path of paths) {
    const found = findFiles(path, new Set());
    mistakes.push(...found.mistakes);
    for (const file of found.files) {
      files.set(realpathSync(file), files.get(realpathSync(file)) ?? file);
    }
    if (found.files.length === 0 && found.mistakes.length === 0) {
      mistakes.push(inFile(path, "expected a folder with scenarios, seen no .yaml file in it"));
    }
  }
  if (paths.length === 0) {
    mistakes.push(inFile(".", "expected a scenario file or a folder of them, seen no path"));
  }
  const scenarios: ScenarioFile[] = [];
  const arrangements: ArrangementFile[] = [];
  for (const file of files.values()) {
    const loaded = loadFile(file, known);
    if (loaded.kind === "loaded") {
      scenarios.push({ file, scenario: loaded.scenario });
    } else if (loaded.kind === "arrangement") {
      arrangements.push({ file, scenario: loaded.scenario });
    } else {
      mistakes.push(...loaded.mistakes);
    }
  }
  return mistakes.length > 0 ? { kind: "mistakes", mistakes } : { kind: "loaded", scenarios, arrangements };
}

type Found = { readonly files: readonly string[]; readonly mistakes: readonly Mistake[] };

function findFiles(path: string, above: ReadonlySet<string>): Found {
  try {
    if (!statSync(path).isDirectory()) {
      return { files: [path], mistakes: [] };
    }
    const real = realpathSync(path);
    if (above.has(real)) {
      return { files: [], mistakes: [] };
    }
    const inside = readdirSync(path, { withFileTypes: true })
      .filter((entry) => /\.ya?ml$/i.test(entry.name) || leadsToFolder(join(path, entry.name), entry))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    const found = inside.map((entry) => findFiles(join(path, entry.name), new Set([...above, real])));
    return {
      files: found.flatMap(({ files }) => files),
      mistakes: found.flatMap(({ mistakes }) => mistakes),
    };
  } catch (error) {
    return {
      files: [],
      mistakes: [inFile(path, `expected a file or folder that can be read, ${failure(error)}`)],
    };
  }
}

function leadsToFolder(path: string, entry: Dirent): boolean {
  return (
    entry.isDirectory() ||
    (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
  );
}

function loadFile(file: string, known: Known): LoadedAny {
  try {
    const bytes = readFileSync(file);
    return isUtf8(bytes)
      ? loadAny(bytes.toString("utf8"), file, known)
      : { kind: "mistakes", mistakes: [badByte(file, bytes)] };
  } catch (error) {
    return {
      kind: "mistakes",
      mistakes: [inFile(file, `expected a file that can be read, ${failure(error)}`)],
    };
  }
}

/** The place of the first byte that belongs to no character. */
function badByte(file: string, bytes: Buffer): Mistake {
  const before = textBeforeBadByte(bytes);
  const lines = before.split("\n");
  const offset = Buffer.byteLength(before);
  const byte = `0x${bytes.subarray(offset, offset + 1).toString("hex")}`;
  const message = `expected text in UTF-8, seen the byte ${byte}`;
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, path: "", message };
}

function textBeforeBadByte(bytes: Buffer): string {
  let text = "";
  // A prefix with a bad byte stays bad when it grows.
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    try {
      // Leaves out a character whose end is not in the prefix.
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, middle), {
        stream: true,
      });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return text;
}

function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  return [...mistakes].sort((one, other) => one.line - other.line || one.column - other.column);
}

function inFile(file: string, message: string): Mistake {
  return { file, line: 1, column: 1, path: "", message };
}

function failure(error: unknown): string {
  return `seen ${error instanceof Error ? error.message : String(error)}`;
}
