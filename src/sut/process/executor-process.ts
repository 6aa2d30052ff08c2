import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Reported } from "../port.js";
import {
  type CallName,
  type Calls,
  type ExecutorSettings,
  linesDescriptor,
  parseSaid,
  type Said,
} from "./calls.js";

/** A process with an executor in it, as the harness sees it. */
export type ExecutorProcess = {
  /** Rejects with what the executor threw, or if its process ended or stands at a kill that was not asked for. */
  readonly call: <Name extends CallName>(
    name: Name,
    ...given: Parameters<Calls[Name]>
  ) => Promise<ReturnType<Calls[Name]>>;
  /** The same; `stands` if the process stands at the point at which it is to be killed. */
  readonly callInto: <Name extends CallName>(
    name: Name,
    ...given: Parameters<Calls[Name]>
  ) => Promise<ReturnType<Calls[Name]> | "stands">;
  /** SIGKILL; resolves when the process is gone, and with it its locks. */
  readonly kill: () => Promise<void>;
};

type Answer = Exclude<Said, { kind: "reported" }>;

/** Forks a process with the guarded executor in it; it has no store until it is told to start or to take one up. */
export function executorProcess(
  settings: ExecutorSettings,
  report: (reported: Reported) => void,
): ExecutorProcess {
  const { file, execArgv } = insideFile();
  const child = fork(file, [JSON.stringify(settings)], {
    execArgv,
    stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
  });
  let waiting: ((answer: Answer) => void) | undefined;
  const settle = (answer: Answer): void => {
    const settled = waiting;
    waiting = undefined;
    settled?.(answer);
  };
  createInterface({ input: linesOf(child) }).on("line", (line) => {
    const said = parseSaid(line);
    if (said.kind === "reported") report(said.reported);
    else settle(said);
  });
  const gone = once(child, "exit").then(([code, signal]) => {
    const message = `the executor's process ended by itself (${signal ?? `code ${code}`})`;
    settle({ kind: "threw", message });
  });
  const callInto: ExecutorProcess["callInto"] = async (name, ...given) => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error("the executor's process has ended");
    const answer = await new Promise<Answer>((resolve) => {
      waiting = resolve;
      child.send({ name, given });
    });
    if (answer.kind === "stands") return "stands";
    if (answer.kind === "threw") throw new Error(answer.message);
    return JSON.parse(answer.answer);
  };
  return {
    callInto,
    call: async (name, ...given) => {
      const answer = await callInto(name, ...given);
      if (answer === "stands")
        throw new Error("the executor's process stands at a kill that nobody asked for");
      return answer;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
      if (child.signalCode !== "SIGKILL")
        throw new Error("the executor's process ended before it was killed");
    },
  };
}

/** Run from the sources, a process needs what runs them. */
function insideFile(): { readonly file: URL; readonly execArgv: string[] } {
  const built = new URL("./executor.js", import.meta.url);
  if (!import.meta.url.endsWith(".ts")) return { file: built, execArgv: [] };
  const source = new URL("./executor.ts", import.meta.url);
  return { file: source, execArgv: ["--import", import.meta.resolve("tsx")] };
}

function linesOf(child: ChildProcess): Readable {
  const lines = child.stdio[linesDescriptor];
  if (lines === undefined || lines === null || !("read" in lines))
    throw new Error("the executor's process was forked without a pipe for its lines");
  return lines;
}
