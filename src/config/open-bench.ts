import { remembered } from "../contract/remembered.js";
import type { PolicySetting } from "../model/vocabulary.js";
import { createBudget } from "../properties/budget.js";
import type { Bench } from "../properties/run.js";
import type { PromiseId } from "../properties/verdict.js";
import type { ExecutorEntry } from "./executors.js";

/** Where every generated run starts: the business limit of the article, three copies. */
export const startingPolicy: PolicySetting = { kind: "limit", maxCopies: 3 };

/** Real time that one wait for an executor may take. */
export const defaultBudgetMs = 5000;

export type BenchOptions = {
  /** An existing empty folder of its own. */
  readonly directory: string;
  readonly policy?: PolicySetting;
  readonly budgetMs?: number;
  readonly promises?: readonly PromiseId[];
};

/** Opens an executor for running action lists on it; `close` stops it. Rejects if the executor cannot be opened. */
export async function openBench(
  executor: ExecutorEntry,
  { directory, policy = startingPolicy, budgetMs = defaultBudgetMs, promises }: BenchOptions,
): Promise<Bench & { readonly close: () => Promise<void> }> {
  const port = await executor.open({ directory, budgetMs });
  // The port's own waits end first, since they can name the attempt that is stuck.
  const budget = createBudget(budgetMs * 1.5);
  const close = async (): Promise<void> => {
    budget.close();
    await port.stop();
  };
  const chosen = promises === undefined ? {} : { promises };
  return { port, contract: remembered(executor.contract), policy, budget, ...chosen, close };
}
