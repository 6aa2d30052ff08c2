import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { builtInExecutors, configuredExecutors } from "../config/executors.js";
import type { LoadedConfig } from "../config/load-config.js";
import { nearest } from "../config/nearest.js";
import { UsageError } from "../config/usage-error.js";
import { type ArrangementFile, loadScenarios, type ScenarioFile } from "../scenario/load.js";
import { formatMistake } from "../scenario/scenario.js";
import { type Session, shownPath } from "./session.js";

export type ScenarioSearch = {
  /** Files, folders, or ids: a file's name without its ending. */
  readonly wanted: readonly string[];
  /** Where files are looked up by id, from where the program runs. */
  readonly folders: readonly string[];
  readonly loaded: LoadedConfig;
  /** `any`: they are to run on another executor than the one they name. */
  readonly executors: "known" | "any";
};

/** The scenarios meant. @throws UsageError with every mistake in every file, or the nearest id there is */
export function findScenarios(
  session: Session,
  search: ScenarioSearch,
): { readonly scenarios: readonly ScenarioFile[]; readonly arrangements: readonly ArrangementFile[] } {
  const { cwd } = session.io;
  const paths = search.wanted.map((wanted) => {
    const path = resolve(cwd, wanted);
    return existsSync(path) ? path : fileOfId(session, wanted, search.folders);
  });
  const names = [
    ...configuredExecutors(search.loaded.kind === "loaded" ? search.loaded.config : undefined),
    ...builtInExecutors,
  ];
  const known = search.executors === "any" ? {} : { executors: names.map(({ name }) => name) };
  const found = loadScenarios(paths, known);
  if (found.kind === "loaded") {
    const { io } = session;
    return {
      scenarios: found.scenarios.map((one) => ({ ...one, file: shownPath(io, one.file) })),
      arrangements: found.arrangements.map((one) => ({ ...one, file: shownPath(io, one.file) })),
    };
  }
  const lines = found.mistakes.map((mistake) =>
    formatMistake({ ...mistake, file: shownPath(session.io, mistake.file) }),
  );
  throw new UsageError({
    message: lines.join("\n"),
    nextStep: "Nothing was run. schema/scenario.schema.json describes the format.",
  });
}

function fileOfId(session: Session, id: string, folders: readonly string[]): string {
  const files = folders
    .map((folder) => resolve(session.io.cwd, folder))
    .filter((folder) => existsSync(folder))
    .flatMap(yamlFiles);
  const found = files.filter((file) => idOf(file) === id);
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  if (second !== undefined) {
    const list = found.map((file) => shownPath(session.io, file)).join(", ");
    throw new UsageError({
      message: `several scenarios have the id "${id}": ${list}`,
      nextStep: "Name the file.",
    });
  }
  const near = nearest(id, files.map(idOf));
  throw new UsageError({
    message: `there is no scenario file, folder or id "${id}"${near === undefined ? "" : `; did you mean "${near}"?`}`,
    place: `from ${session.io.cwd}`,
    nextStep: `Ids are looked up in ${folders.join(" and ")}.`,
  });
}

function yamlFiles(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.ya?ml$/i.test(name)).map((name) => join(folder, name));
}

function idOf(file: string): string {
  return basename(file).replace(/\.ya?ml$/i, "");
}
