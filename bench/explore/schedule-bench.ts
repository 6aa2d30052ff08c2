import { removeScratchFolder, scratchFolder } from "../../src/cli/scratch.js";
import { defaultBudgetMs, startingPolicy } from "../../src/config/open-bench.js";
import { draftContract } from "../../src/contract/draft.js";
import { remembered } from "../../src/contract/remembered.js";
import type { Limits } from "../../src/explore/schedules/limits.js";
import { createBudget } from "../../src/properties/budget.js";
import type { Bench } from "../../src/properties/run.js";
import { faultyExecutors } from "../../src/sut/faulty/faulty-executors.js";
import { openLedgerPort } from "../../src/sut/ledger/system.js";
import type { Port } from "../../src/sut/port.js";

export type OpenedBench = { readonly bench: Bench; readonly close: () => Promise<void> };

/** A bench on the executor of that name, `ledger` being the sound one; `over` may put something around its port. */
export function openScheduleBench(name: string, over: (port: Port) => Port = (port) => port): OpenedBench {
  const directory = scratchFolder();
  const faulty = faultyExecutors.find((executor) => executor.name === name);
  if (faulty === undefined && name !== "ledger") throw new Error(`there is no executor ${name}`);
  const port = over((faulty?.open ?? openLedgerPort)({ directory, budgetMs: defaultBudgetMs }));
  // The port's own waits end first, since they can name the attempt that is stuck.
  const budget = createBudget(defaultBudgetMs * 1.5);
  return {
    bench: { port, contract: remembered(draftContract), policy: startingPolicy, budget },
    close: async () => {
      budget.close();
      await port.stop();
      removeScratchFolder(directory);
    },
  };
}

/** A search that may take as long as it needs. */
export const unlimited: Limits = {
  executions: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
  now: () => 0,
  signal: new AbortController().signal,
  violations: "all",
};
