import { createFindings, type Violation } from "./findings.js";
import { traceKey } from "./happens-before.js";
import { type Limits, reachedLimit, type Unfinished } from "./limits.js";
import type { Program } from "./program.js";
import { createRandom, type Random } from "./random.js";
import { type Walker, walk } from "./walk.js";
import { type Expected, partialOrderWalker, priorityWalker, randomWalker } from "./walkers.js";

export type SamplingOptions = Limits & {
  readonly seed: number;
  /** Executions of each strategy; `executions` bounds them all together. */
  readonly each: number;
  /** How many orderings PCT looks for at once, from 1; the papers find most bugs with 2 or 3. */
  readonly depth: number;
};

export type Sampling = {
  readonly outcome:
    | { readonly kind: "complete" }
    | { readonly kind: "undecided"; readonly reason: Unfinished };
  readonly samples: readonly Sample[];
};

export type Strategy = "random_walk" | "pos" | "pct";

export type Sample = {
  readonly strategy: Strategy;
  readonly executions: number;
  /** Different traces and final states among them. */
  readonly traces: number;
  readonly states: number;
  /** Each counts executions of this strategy alone. */
  readonly violations: readonly Violation[];
};

/**
 * Executes schedules at random, the same number by each of three strategies in turns, so that they stand side by side
 * also when a limit ends them early. Proves nothing; the same seed makes the same executions.
 */
export async function sampleSchedules(program: Program, options: SamplingOptions): Promise<Sampling> {
  const random = createRandom(options.seed);
  const lanes = strategies.map((strategy) => createLane(strategy, createRandom(random.below(2 ** 32))));
  const expected: Expected = new Map();
  let longest = 1;
  let started = 0;
  const result = (outcome: Sampling["outcome"]): Sampling => ({
    outcome,
    samples: lanes.map((lane) => lane.sample()),
  });
  for (let round = 0; round < options.each; round++) {
    for (const lane of lanes) {
      const found = lanes.filter(({ findings }) => findings.violations().length > 0).length;
      const reason = reachedLimit(options, started, found);
      if (reason !== undefined) return result({ kind: "undecided", reason });
      started++;
      const shape = { threads: program.threads.length, depth: options.depth, longest };
      longest = Math.max(longest, await lane.execute(program, walkerOf(lane, expected, shape)));
    }
  }
  return result({ kind: "complete" });
}

const strategies: readonly Strategy[] = ["random_walk", "pos", "pct"];

type Lane = {
  readonly strategy: Strategy;
  readonly random: Random;
  readonly findings: ReturnType<typeof createFindings>;
  /** Answers how many steps the execution had. */
  readonly execute: (program: Program, walker: Walker) => Promise<number>;
  readonly sample: () => Sample;
};

function createLane(strategy: Strategy, random: Random): Lane {
  const findings = createFindings();
  const traces = new Set<string>();
  let executions = 0;
  return {
    strategy,
    random,
    findings,
    execute: async (program, walker) => {
      const { records, ending } = await walk(program, walker);
      executions++;
      traces.add(traceKey(program.threads.length, records));
      findings.add(records, ending, executions);
      return records.length;
    },
    sample: () => ({
      strategy,
      executions,
      traces: traces.size,
      states: findings.states.size,
      violations: findings.violations(),
    }),
  };
}

type Shape = { readonly threads: number; readonly depth: number; readonly longest: number };

function walkerOf({ strategy, random }: Lane, expected: Expected, shape: Shape): Walker {
  switch (strategy) {
    case "random_walk":
      return randomWalker(random);
    case "pos":
      return partialOrderWalker(random, expected);
    case "pct":
      return priorityWalker(random, shape.threads, shape.depth, shape.longest);
  }
}
