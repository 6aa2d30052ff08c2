import { parentPort, workerData } from "node:worker_threads";
import { resolveExecutor } from "../config/executors.js";
import { loadConfigFile } from "../config/load-config.js";
import { openBench } from "../config/open-bench.js";
import { minimiseFailure } from "../properties/inline-crew.js";
import type { Bench } from "../properties/run.js";
import { executeShare } from "../properties/share.js";
import { type CrewAnswer, type CrewTask, type CrewThreadData, words } from "./crew-messages.js";

/** How often the main thread is told of progress. */
const progressMs = 50;
const beatMs = 200;

// The other side of this thread is `crew.ts` of the same build, so what it hands over has the types it says.
const data: CrewThreadData = workerData;
const shared = new Int32Array(data.shared);
const port = parentPort;
if (port === null) throw new Error("this module runs as a worker thread only");
const answer = (message: CrewAnswer): void => port.postMessage(message);
setInterval(() => Atomics.add(shared, words.beat, 1), beatMs).unref();

async function openOwnBench(): Promise<Bench> {
  const config = data.configFile === undefined ? undefined : await loadConfigFile(data.configFile);
  const resolved = resolveExecutor(data.executor, config);
  if (resolved.kind === "unknown") throw new Error(`there is no executor ${data.executor}`);
  return openBench(resolved.executor, {
    directory: data.directory,
    budgetMs: data.budgetMs,
    ...(data.promises === undefined ? {} : { promises: data.promises }),
  });
}

async function work(bench: Bench, task: CrewTask): Promise<CrewAnswer> {
  if (task.kind === "minimise")
    return { kind: "minimise", minimal: await minimiseFailure(bench, task.failure) };
  let runs = 0;
  let actions = 0;
  let told = performance.now();
  const tell = (): void => {
    answer({ kind: "progress", runs, actions });
    runs = 0;
    actions = 0;
    told = performance.now();
  };
  const share = await executeShare(bench, task.request, {
    stopped: () => Atomics.load(shared, words.stop) === 1,
    began: (run) => Atomics.store(shared, words.run, run),
    ended: (count) => {
      runs++;
      actions += count;
      if (performance.now() - told > progressMs) tell();
    },
  });
  tell();
  return { kind: "share", share };
}

const failed = (error: unknown): CrewAnswer => ({
  kind: "failed",
  message: error instanceof Error ? error.message : String(error),
});

openOwnBench().then(
  (bench) => {
    port.on("message", (task: CrewTask) => work(bench, task).catch(failed).then(answer));
    answer({ kind: "ready" });
  },
  (error: unknown) => answer(failed(error)),
);
