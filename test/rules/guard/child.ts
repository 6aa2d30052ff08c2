import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type Child = {
  readonly pid: number;
  /** The next line it says; rejects where it ends without one. */
  readonly line: () => Promise<string>;
  readonly go: () => void;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
};

/** Starts a TypeScript file as a process of its own. */
export function child(file: URL, ...given: readonly string[]): Child {
  const started: ChildProcess = spawn(process.execPath, ["--import", "tsx", fileURLToPath(file), ...given], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { stdout, stdin, pid } = started;
  if (stdout === null || stdin === null || pid === undefined) throw new Error("the process did not start");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  stdin.on("error", () => {});
  return {
    pid,
    line: async () => {
      const next = await lines.next();
      if (next.done === true) throw new Error("the process ended without a word");
      return next.value;
    },
    go: () => void stdin.write("go\n"),
    signal: (signal) => void started.kill(signal),
    ended: once(started, "exit").then(([code, signal]) => ({ code, signal })),
  };
}
