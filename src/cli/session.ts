import { relative, resolve } from "node:path";
import { type Environment, readEnvironment, variable } from "../config/environment.js";
import { type ExecutorEntry, resolveExecutor } from "../config/executors.js";
import { type LoadedConfig, loadConfig } from "../config/load-config.js";
import { UsageError } from "../config/usage-error.js";
import type { Given } from "../config/values.js";
import { type Canvas, paintFor, widest } from "../report/paint.js";
import type { Detail } from "../report/terminal.js";
import type { Engine } from "./engine.js";
import type { Io, Output } from "./io.js";

/** Flags that every verb takes. */
export type GlobalFlags = {
  readonly config?: string;
  readonly color: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
};

/** One call of the program: its streams, its surroundings, and how much it is to say. */
export type Session = {
  readonly io: Io;
  readonly engine: Engine;
  readonly environment: Environment;
  readonly detail: Detail;
  readonly configFlag: Given | undefined;
  /** How to lay out text for one of the two streams. */
  readonly canvas: (output: Output) => Canvas;
};

export function openSession(flags: GlobalFlags, io: Io, engine: Engine): Session {
  if (flags.quiet === true && flags.verbose === true) {
    throw new UsageError({
      message: "--quiet and --verbose exclude each other",
      nextStep: "Leave one of them out.",
    });
  }
  const environment = readEnvironment(io.env);
  const canvas = (output: Output): Canvas => ({
    paint: paintFor(isColoured(flags, io, output) ? "coloured" : "plain"),
    width: Math.min(widest, Math.max(60, output.columns ?? widest)),
  });
  const configFlag =
    flags.config === undefined
      ? variable(environment, "CONFIG")
      : { text: flags.config, place: `--config ${flags.config}` };
  const detail = flags.quiet === true ? "quiet" : flags.verbose === true ? "verbose" : "usual";
  const session: Session = { io, engine, environment, detail, configFlag, canvas };
  for (const warning of environment.warnings) io.stderr.write(`warning: ${warning}\n`);
  return session;
}

/** A line for whoever watches: never on stdout, and not at all when asked to be quiet. */
export function note(session: Session, line: string): void {
  if (session.detail !== "quiet") session.io.stderr.write(`${line}\n`);
}

export function loadSessionConfig(session: Session): Promise<LoadedConfig> {
  return loadConfig(session.io.cwd, session.configFlag);
}

/** The executor of that name. @throws UsageError with the nearest name there is */
export function executorNamed(name: Given, loaded: LoadedConfig): ExecutorEntry {
  const found = resolveExecutor(name.text, loaded.kind === "loaded" ? loaded.config : undefined);
  if (found.kind === "found") return found.executor;
  const near = found.nearest === undefined ? "" : `; did you mean "${found.nearest}"?`;
  throw new UsageError({
    message: `there is no executor "${name.text}"${near}`,
    place: name.place,
    nextStep:
      loaded.kind === "loaded"
        ? "Executors of your own are named under `executors` in the configuration."
        : "No configuration was found here; executors of your own are named in commitpoint.config.ts.",
  });
}

/** A path as people see it: from where they are, unless that leads far away. */
export function shownPath(io: Io, path: string): string {
  const absolute = resolve(io.cwd, path);
  const short = relative(io.cwd, absolute);
  return short === "" ? "." : short.startsWith("..") ? absolute : short;
}

function isColoured(flags: GlobalFlags, { env }: Io, output: Output): boolean {
  const force = env.FORCE_COLOR;
  if (!flags.color || (env.NO_COLOR !== undefined && env.NO_COLOR !== "")) return false;
  if (force !== undefined) return !["0", "false"].includes(force);
  return output.isTty && env.TERM !== "dumb";
}
