import { filesAt, readText, type Unreadable, uniqueFiles } from "../config/text-files.js";
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
  const files: string[] = [];
  for (const path of paths) {
    const found = filesAt(path, /\.ya?ml$/i);
    mistakes.push(...found.unreadable.map(mistakeOf));
    files.push(...found.files);
    if (found.files.length === 0 && found.unreadable.length === 0) {
      mistakes.push(inFile(path, "expected a folder with scenarios, seen no .yaml file in it"));
    }
  }
  if (paths.length === 0) {
    mistakes.push(inFile(".", "expected a scenario file or a folder of them, seen no path"));
  }
  const scenarios: ScenarioFile[] = [];
  const arrangements: ArrangementFile[] = [];
  for (const file of uniqueFiles(files)) {
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

function loadFile(file: string, known: Known): LoadedAny {
  const read = readText(file);
  return read.kind === "text"
    ? loadAny(read.text, file, known)
    : { kind: "mistakes", mistakes: [mistakeOf(read)] };
}

function mistakeOf({ file, line, column, message }: Unreadable): Mistake {
  return { file, line, column, path: "", message };
}

function inOrder(mistakes: readonly Mistake[]): readonly Mistake[] {
  return [...mistakes].sort((one, other) => one.line - other.line || one.column - other.column);
}

function inFile(file: string, message: string): Mistake {
  return { file, line: 1, column: 1, path: "", message };
}
