import { Tinypool } from "tinypool";
import type { BitstateOptions, BitstateSearch } from "./bitstate.js";
import type { BitstateTask, MachineSource } from "./bitstate-worker.js";
import { type MergedSeeds, mergeSeeds } from "./merge-seeds.js";

export type SwarmOptions = {
  readonly source: MachineSource;
  /** All but the seed: plain data, since it goes to another process. */
  readonly options: Omit<BitstateOptions, "seed" | "now" | "isInterrupted">;
  /** One search each. */
  readonly seeds: readonly number[];
  /** Searches at a time; each has a bit field of its own. */
  readonly processes: number;
};

/** Searches with several seeds over worker processes. Rejects if the machine cannot be made, or when `signal` aborts. */
export async function searchWithSeeds(
  { source, options, seeds, processes }: SwarmOptions,
  signal: AbortSignal,
): Promise<MergedSeeds> {
  const pool = new Tinypool({
    ...workerFile(),
    runtime: "child_process",
    minThreads: processes,
    maxThreads: processes,
  });
  try {
    const tasks = seeds.map((seed): BitstateTask => ({ source, options: { ...options, seed } }));
    const searches = await Promise.all(
      tasks.map((task): Promise<BitstateSearch> => pool.run(task, { signal })),
    );
    return mergeSeeds(searches);
  } finally {
    await pool.destroy();
  }
}

/** Run from the sources, a process needs what runs them. */
function workerFile(): { readonly filename: string; readonly execArgv?: string[] } {
  const built = new URL("./bitstate-worker.js", import.meta.url).href;
  if (!import.meta.url.endsWith(".ts")) return { filename: built };
  return { filename: built.replace(/\.js$/, ".ts"), execArgv: ["--import", import.meta.resolve("tsx")] };
}
