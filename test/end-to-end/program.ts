import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Running = {
  readonly ended: Promise<Ended>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves when stderr or stdout has said this. */
  readonly said: (text: string) => Promise<void>;
};

/** The built program in a process of its own, as a user runs it. */
export function start(args: readonly string[], folder: string): Running {
  const { CI: _, ...rest } = process.env;
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
    cwd: folder,
    env: { ...rest, NO_COLOR: "1" },
  });
  let stdout = "";
  let stderr = "";
  const waiting: { readonly text: string; readonly go: () => void }[] = [];
  const hear = (): void => {
    for (const { text, go } of waiting) if ((stdout + stderr).includes(text)) go();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    hear();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    hear();
  });
  return {
    ended: new Promise((done) => child.on("close", (code) => done({ code, stdout, stderr }))),
    signal: (name) => child.kill(name),
    said: (text) =>
      new Promise((go) => {
        waiting.push({ text, go });
        hear();
      }),
  };
}

export const run = (args: readonly string[], folder: string): Promise<Ended> => start(args, folder).ended;

export function emptyFolder(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "commitpoint-e2e-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Scratch folders of processes that may be running now. */
export function scratchFolders(): readonly string[] {
  return ["/dev/shm", tmpdir()].flatMap((place) => {
    try {
      return readdirSync(place).filter((name) => /^commitpoint-[A-Za-z0-9]{6}$/.test(name));
    } catch {
      return [];
    }
  });
}
