import { setMaxListeners } from "node:events";
import { Tinypool } from "tinypool";
import type { BugResult, BugTask } from "../selftest/test-bug.js";
import { removeScratchFolder, scratchFolder } from "./scratch.js";
import type { SelftestTask } from "./selftest-thread.js";

export type SelftestPool = {
  readonly test: (task: BugTask) => Promise<BugResult>;
  readonly close: () => Promise<void>;
};

/** Threads that test bugs; tasks still waiting when `signal` aborts are rejected. */
export function openSelftestPool(threads: number, signal: AbortSignal): SelftestPool {
  const folder = scratchFolder();
  // Every waiting task listens to it.
  setMaxListeners(Number.POSITIVE_INFINITY, signal);
  const pool = new Tinypool({
    filename: new URL("./selftest-thread.js", import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
  });
  return {
    test: (task) => {
      const message: SelftestTask = { task, folder };
      return pool.run(message, { signal });
    },
    close: async () => {
      await pool.destroy();
      removeScratchFolder(folder);
    },
  };
}
