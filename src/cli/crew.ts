import { Worker } from "node:worker_threads";
import { startingPolicy } from "../config/open-bench.js";
import type { ToolContract } from "../contract/tool.js";
import type { Profile } from "../model/vocabulary.js";
import type { Crew } from "../properties/campaign.js";
import { planOfRun, type Share, type ShareRequest } from "../properties/share.js";
import type { PromiseId } from "../properties/verdict.js";
import { type CrewAnswer, type CrewTask, type CrewThreadData, words } from "./crew-messages.js";
import { removeScratchFolder, scratchFolder } from "./scratch.js";

export type CrewOptions = {
  readonly size: number;
  readonly executor: string;
  readonly configFile: string | undefined;
  readonly contract: ToolContract;
  readonly profile: Profile;
  readonly budgetMs: number;
  readonly promises: readonly PromiseId[] | undefined;
};

/** The threads, and a way to send them home. */
export type ThreadCrew = Crew & { readonly close: () => Promise<void> };

/**
 * Starts threads that execute shares, each with an executor of its own. A thread whose event loop stands still is
 * ended, and the run it stood in is broken. Rejects if the executor cannot be opened.
 */
export async function startCrew(options: CrewOptions): Promise<ThreadCrew> {
  const threads = await Promise.all(Array.from({ length: options.size }, () => startThread(options)));
  const idle = [...threads];
  const waiting: ((thread: Thread) => void)[] = [];
  const borrow = (): Promise<Thread> => {
    const thread = idle.pop();
    return thread === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(thread);
  };
  const giveBack = (thread: Thread): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  };
  const withThread = async <Answer>(work: (thread: Thread) => Promise<Answer>): Promise<Answer> => {
    const thread = await borrow();
    try {
      return await work(thread);
    } finally {
      giveBack(thread);
    }
  };
  return {
    size: options.size,
    share: (request, onRuns) => withThread((thread) => shareOn(thread, request, onRuns, options)),
    minimise: (failure) =>
      withThread(async (thread) => {
        const answer = await thread.ask({ kind: "minimise", failure });
        if (answer.kind === "minimise") return answer.minimal;
        const why = answer.kind === "failed" ? answer.message : "the executor stood still";
        return {
          actions: failure.actions,
          violation: failure.violation,
          history: [],
          kind: "not_reproduced",
          candidatesTried: 0,
          why,
        };
      }),
    interrupt: () => {
      for (const thread of threads) thread.requestStop();
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

type Answered =
  | Exclude<CrewAnswer, { kind: "ready" | "progress" }>
  | { readonly kind: "stuck"; readonly run: number };

type Thread = {
  readonly ask: (task: CrewTask, onProgress?: (runs: number, actions: number) => void) => Promise<Answered>;
  readonly requestStop: () => void;
  readonly end: () => Promise<void>;
};

async function shareOn(
  thread: Thread,
  request: ShareRequest,
  onRuns: (runs: number, actions: number) => void,
  { contract, profile }: CrewOptions,
): Promise<Share> {
  const answer = await thread.ask({ kind: "share", request }, onRuns);
  if (answer.kind === "share") return answer.share;
  const run = answer.kind === "stuck" ? answer.run : request.first;
  const where = answer.kind === "stuck" ? "the event loop" : "the harness";
  const message =
    answer.kind === "failed"
      ? answer.message
      : "the executor blocked the thread it runs in: a loop without an await, or a synchronous wait";
  const settings = { profile, contract, policy: startingPolicy };
  const { actions } = planOfRun(settings, request.seed, run, request.maxActions);
  return {
    first: request.first,
    executed: 0,
    performed: 0,
    skipped: 0,
    byKind: {},
    occurred: {},
    reached: {},
    undecided: {},
    failures: [],
    broken: [{ run, where, message, actions }],
    end: "broken",
  };
}

function startThread(options: CrewOptions): Promise<Thread> {
  const shared = new SharedArrayBuffer(words.length * Int32Array.BYTES_PER_ELEMENT);
  const memory = new Int32Array(shared);
  const directory = scratchFolder();
  const { executor, configFile, budgetMs, promises } = options;
  const workerData: CrewThreadData = { executor, configFile, directory, budgetMs, promises, shared };
  const worker = new Worker(new URL("./crew-thread.js", import.meta.url), { workerData });
  let isEnded = false;
  let listen: (answer: CrewAnswer | { kind: "stuck"; run: number }) => void = () => {};
  worker.on("message", (answer: CrewAnswer) => listen(answer));
  worker.on("error", (error) => listen({ kind: "failed", message: error.message }));
  const end = async (): Promise<void> => {
    await worker.terminate();
    removeScratchFolder(directory);
  };
  const thread: Thread = {
    end,
    requestStop: () => Atomics.store(memory, words.stop, 1),
    ask: (task, onProgress) =>
      new Promise((resolve) => {
        if (isEnded) {
          resolve({ kind: "stuck", run: Atomics.load(memory, words.run) });
          return;
        }
        const watch = watchBeat(memory, budgetMs, () => {
          isEnded = true;
          worker.terminate();
          listen({ kind: "stuck", run: Atomics.load(memory, words.run) });
        });
        listen = (answer) => {
          if (answer.kind === "ready") return;
          if (answer.kind === "progress") {
            onProgress?.(answer.runs, answer.actions);
            return;
          }
          watch.stop();
          resolve(answer);
        };
        worker.postMessage(task);
      }),
  };
  return new Promise((resolve, reject) => {
    listen = (answer) => {
      if (answer.kind === "ready") resolve(thread);
      else if (answer.kind === "failed") end().then(() => reject(new Error(answer.message)), reject);
    };
  });
}

/** Calls `onStill` once if the beat has not moved for longer than any wait may take. */
function watchBeat(memory: Int32Array, budgetMs: number, onStill: () => void): { readonly stop: () => void } {
  let last = Atomics.load(memory, words.beat);
  let since = performance.now();
  const timer = setInterval(() => {
    const beat = Atomics.load(memory, words.beat);
    if (beat !== last) {
      last = beat;
      since = performance.now();
    } else if (performance.now() - since > budgetMs * 2) {
      clearInterval(timer);
      onStill();
    }
  }, 250);
  return { stop: () => clearInterval(timer) };
}
