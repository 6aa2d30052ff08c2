import { executorProgram } from "../../src/explore/schedules/executor-program.js";
import type { Violation } from "../../src/explore/schedules/findings.js";
import { type Strategy, sampleSchedules } from "../../src/explore/schedules/sampling.js";
import { exploreSchedules } from "../../src/explore/schedules/source-dpor.js";
import { median } from "../stopwatch.js";
import { type Interleaving, interleavings } from "./interleavings.js";
import { openScheduleBench, unlimited } from "./schedule-bench.js";

/** DPOR finds each of the list within so many executions, complete and blocked together. */
const mostExecutions = 50;
const seeds = [1, 2, 3, 4, 5];
const sampledEach = 50;
/** How many orderings PCT looks for at once: 2 are enough for every row of the list. */
const depth = 2;
const strategies: readonly Strategy[] = ["random_walk", "pos", "pct"];

/** Executions until each bug of the list was found: by DPOR, and by the three ways to sample, as medians over seeds. */
export async function foundBy(): Promise<string> {
  const rows: string[] = [];
  let worst = 0;
  for (const row of interleavings) {
    const { bench, close } = openScheduleBench(row.name);
    const program = executorProgram(bench, row.threads);
    const search = await exploreSchedules(program, { ...unlimited, repeat: "none" });
    const found = untilFound(row, search.violations);
    worst = Math.max(worst, found);
    const until: { readonly [strategy in Strategy]: number[] } = { random_walk: [], pos: [], pct: [] };
    for (const seed of seeds) {
      const { samples } = await sampleSchedules(program, { ...unlimited, seed, each: sampledEach, depth });
      for (const { strategy, violations } of samples) until[strategy].push(untilFound(row, violations));
    }
    await close();
    const { complete, blocked } = search.executions;
    const sampled = strategies.map((strategy) => told(median(until[strategy])));
    rows.push(line(row.name, [told(found), `${complete} + ${blocked}`, ...sampled]));
  }
  return [
    `executions until the bug was found, on the smallest workload of each of ${interleavings.length} interleavings;`,
    `sampled: medians over seeds ${seeds[0]}–${seeds.at(-1)}, PCT with depth ${depth}`,
    line("", ["DPOR", "all of DPOR", "random walk", "POS", "PCT"]),
    ...rows,
    `  found by DPOR at the latest after ${told(worst)}, at most ${mostExecutions}: ${worst <= mostExecutions ? "met" : "NOT MET"}`,
  ].join("\n");
}

/** Infinite if it was not. */
function untilFound({ finds }: Interleaving, violations: readonly Violation[]): number {
  const found = violations.filter(({ text }) => finds.some((promise) => promise === text));
  return Math.min(...found.map(({ executions }) => executions));
}

function told(executions: number): string {
  return Number.isFinite(executions) ? String(executions) : `> ${sampledEach}`;
}

function line(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(52)}${cells.map((cell) => cell.padStart(13)).join("")}`;
}
