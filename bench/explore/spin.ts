import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type SmallModelSize, sizeNamed } from "./small-model-shape.js";

const compilerFlags = ["-O2", "-DSAFETY", "-DNOREDUCE"];
const searchFlags = ["-w24", "-m100000"];

/** SPIN with its search compiled, or why there is none. */
export type Spin =
  | { readonly kind: "missing"; readonly why: string }
  | {
      readonly kind: "ready";
      readonly version: string;
      /** The commands as they were given. */
      readonly commands: readonly string[];
      /** Wall time of the whole process, and processor time, in milliseconds. */
      readonly run: () => Promise<SpinRun>;
      readonly remove: () => void;
    };

export type SpinRun = {
  readonly states: number;
  readonly transitions: number;
  readonly wall: number;
  readonly processor: number;
};

/** Compiles SPIN's search of the small model of this size. */
export function prepareSpin(sizeName: string): Spin {
  const folder = mkdtempSync(join(tmpdir(), "commitpoint-spin-"));
  const model = fileURLToPath(new URL("./small-model.pml", import.meta.url));
  const generate = [...definitions(sizeNamed(sizeName)), "-a", model];
  const compile = [...compilerFlags, "-o", "pan", "pan.c"];
  try {
    execFileSync("spin", generate, { cwd: folder, stdio: "pipe" });
    execFileSync("gcc", compile, { cwd: folder, stdio: "pipe" });
  } catch (error) {
    rmSync(folder, { recursive: true });
    return { kind: "missing", why: error instanceof Error ? error.message : String(error) };
  }
  return {
    kind: "ready",
    version: execFileSync("spin", ["-V"], { encoding: "utf8" }).trim(),
    commands: [`spin ${generate.join(" ")}`, `gcc ${compile.join(" ")}`, `./pan ${searchFlags.join(" ")}`],
    run: () => runPan(folder),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function definitions({ attempts, keys, policyChanges, retries }: SmallModelSize): readonly string[] {
  return [`-DATTEMPTS=${attempts}`, `-DKEYS=${keys}`, `-DCHANGES=${policyChanges}`, `-DRETRIES=${retries}`];
}

/** The shell's own clock, since Node does not tell what a process used. */
async function runPan(folder: string): Promise<SpinRun> {
  const script = `TIMEFORMAT='%3R %3U %3S'; time ./pan ${searchFlags.join(" ")}`;
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], { cwd: folder });
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(/\s+/).map(Number);
  return {
    states: figure(stdout, /(\d+) states, stored/),
    transitions: figure(stdout, /(\d+) transitions/),
    wall: wall * 1000,
    processor: (user + system) * 1000,
  };
}

function figure(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined || !/errors: 0\b/.test(output)) throw new Error(`pan has not searched:\n${output}`);
  return Number(found);
}
