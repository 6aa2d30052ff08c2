import { removeScratchFolder, scratchFolder } from "../../src/cli/scratch.js";
import { openBench } from "../../src/config/open-bench.js";
import { draftContract } from "../../src/contract/draft.js";
import type { Bench } from "../../src/properties/run.js";
import { faultyExecutors } from "../../src/sut/faulty/faulty-executors.js";
import { type LedgerOptions, ledgerProfile, openLedgerPort } from "../../src/sut/ledger/system.js";
import type { Port } from "../../src/sut/port.js";

export type Opener = (options: LedgerOptions) => Port;

/** Lends a bench on an executor of drafts, with files of its own, and takes it back. */
export async function withBench<Answer>(
  open: Opener,
  use: (bench: Bench) => Promise<Answer>,
): Promise<Answer> {
  const directory = scratchFolder();
  const entry = {
    name: "an executor under test",
    contract: draftContract,
    profile: ledgerProfile,
    open: async (options: { readonly directory: string; readonly budgetMs: number }) => open(options),
  };
  const bench = await openBench(entry, { directory });
  try {
    return await use(bench);
  } finally {
    await bench.close();
    removeScratchFolder(directory);
  }
}

/** The executor of that name; `ledger` is the sound one. */
export function openerOf(name: string): Opener {
  if (name === "ledger") return openLedgerPort;
  const found = faultyExecutors.find((executor) => executor.name === name);
  if (found === undefined) throw new Error(`there is no faulty executor ${name}`);
  return found.open;
}
