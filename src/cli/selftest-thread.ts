import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { resolveExecutor } from "../config/executors.js";
import { openBench } from "../config/open-bench.js";
import type { Bench } from "../properties/run.js";
import { type BugResult, type BugTask, testBug } from "../selftest/test-bug.js";

export type SelftestTask = { readonly task: BugTask; readonly folder: string };

const benches = new Map<string, Promise<Bench>>();

/** Tests one bug with one seed, on a faulty and a sound executor of this thread's own. */
export default async function selftestThread({ task, folder }: SelftestTask): Promise<BugResult> {
  return testBug(task, await benchOf(task.bug, folder), await benchOf(task.base, folder));
}

/** One bench an executor and thread, kept open: opening costs more than most runs. */
function benchOf(executor: string, folder: string): Promise<Bench> {
  const known = benches.get(executor);
  if (known !== undefined) return known;
  const directory = join(folder, `thread-${threadId}-${executor}`);
  mkdirSync(directory);
  const resolved = resolveExecutor(executor, undefined);
  if (resolved.kind === "unknown") throw new Error(`there is no executor ${executor}`);
  const opened = openBench(resolved.executor, { directory });
  benches.set(executor, opened);
  return opened;
}
