import { existsSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { configMistakes } from "./config-mistakes.js";
import { configSchema } from "./config-schema.js";
import type { CommitpointConfig } from "./define-config.js";
import { builtInExecutors } from "./executors.js";
import { UsageError } from "./usage-error.js";
import type { Given } from "./values.js";

const configNames = [
  "commitpoint.config.ts",
  "commitpoint.config.mts",
  "commitpoint.config.js",
  "commitpoint.config.mjs",
] as const;

export type LoadedConfig =
  | { readonly kind: "loaded"; readonly file: string; readonly config: CommitpointConfig }
  | { readonly kind: "none" };

/**
 * The configuration that `wanted` names, or the one in `folder`.
 *
 * @throws UsageError if the named file is missing, if the folder holds two, or if the file cannot be loaded or is wrong.
 */
export async function loadConfig(folder: string, wanted: Given | undefined): Promise<LoadedConfig> {
  if (wanted !== undefined) {
    const file = resolve(folder, wanted.text);
    if (!existsSync(file)) {
      throw new UsageError({
        message: `there is no configuration file ${wanted.text}`,
        place: wanted.place,
        nextStep: `It is looked for from ${folder}.`,
      });
    }
    return { kind: "loaded", file, config: await loadConfigFile(file) };
  }
  const found = configNames.filter((name) => existsSync(join(folder, name)));
  const [name, second] = found;
  if (name === undefined) return { kind: "none" };
  if (second !== undefined) {
    throw new UsageError({
      message: `two configuration files: ${name} and ${second}`,
      place: folder,
      nextStep: "Remove one, or choose with --config.",
    });
  }
  const file = join(folder, name);
  return { kind: "loaded", file, config: await loadConfigFile(file) };
}

/**
 * The configuration in one file, checked.
 *
 * @param file absolute path
 * @throws UsageError that names the file and every mistake in it
 */
export async function loadConfigFile(file: string): Promise<CommitpointConfig> {
  const exported = defaultExport(await importModule(file), file);
  const parsed = configSchema.safeParse(exported);
  const mistakes = parsed.success ? shadowed(parsed.data) : configMistakes(parsed.error.issues, exported);
  if (parsed.success && mistakes.length === 0) return parsed.data;
  throw new UsageError({ message: mistakes.join("\n"), place: file });
}

/** Node 20 cannot import TypeScript, so that goes through jiti; JavaScript is imported as it is. */
async function importModule(file: string): Promise<unknown> {
  const extension = extname(file);
  try {
    if (![".ts", ".mts", ".cts"].includes(extension)) return await import(pathToFileURL(file).href);
    const { createJiti } = await import("jiti");
    return await createJiti(import.meta.url, { fsCache: false }).import(file);
  } catch (error) {
    const message = `the configuration cannot be loaded: ${firstLine(error)}`;
    throw new UsageError({ message, place: file + positionIn(file, error) });
  }
}

function defaultExport(module: unknown, file: string): unknown {
  if (typeof module === "object" && module !== null && "default" in module) return module.default;
  throw new UsageError({
    message: "the configuration has no default export",
    place: file,
    nextStep: "Write `export default defineConfig({ ... })`.",
  });
}

/** A configured executor under a built-in's name would put another thing under test than the name says. */
function shadowed(config: CommitpointConfig): readonly string[] {
  return builtInExecutors
    .filter(({ name }) => config.executors !== undefined && Object.hasOwn(config.executors, name))
    .map(({ name }) => `executors.${name}: the name of a built-in executor; choose another`);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split("\n", 1)[0] ?? text).trimEnd();
}

/** `:2:7` if the error says where in the file it happened. */
function positionIn(file: string, error: unknown): string {
  const text = error instanceof Error ? `${error.message}\n${error.stack}` : "";
  const after = text.slice(text.indexOf(file) + file.length);
  return text.includes(file) ? (/^:\d+:\d+/.exec(after)?.[0] ?? "") : "";
}
