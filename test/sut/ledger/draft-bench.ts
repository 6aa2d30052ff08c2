import { removeScratchFolder, scratchFolder } from "../../../src/cli/scratch.js";
import { defaultBudgetMs, openBench } from "../../../src/config/open-bench.js";
import { draftContract } from "../../../src/contract/draft.js";
import type { Action, AttemptName, Event, Fault, PolicySetting } from "../../../src/model/vocabulary.js";
import { type Drive, startDrive } from "../../../src/properties/drive.js";
import type { Bench } from "../../../src/properties/run.js";
import { ledgerProfile, openLedgerPort, type Variant } from "../../../src/sut/ledger/system.js";

/** A bench on the built-in ledger, or a variant of it, in a folder of its own. */
export async function openDraftBench(
  variant: Variant = {},
  budgetMs = defaultBudgetMs,
): Promise<Bench & { readonly close: () => Promise<void>; readonly directory: string }> {
  const directory = scratchFolder();
  const entry = {
    name: "ledger",
    contract: draftContract,
    profile: ledgerProfile,
    open: async (options: { directory: string; budgetMs: number }) => openLedgerPort({ ...options, variant }),
  };
  const bench = await openBench(entry, { directory, budgetMs });
  const close = async (): Promise<void> => {
    await bench.close();
    removeScratchFolder(directory);
  };
  return { ...bench, directory, close };
}

/** The request of the article's examples: two copies about the river. */
export const draft = (job: string, copies = 2): string => JSON.stringify({ job, topic: "river", copies });

export const submit = (attempt: AttemptName, request: string, faults: readonly Fault[] = []): Action => ({
  kind: "submit",
  attempt,
  request,
  context: { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" },
  faults,
});
export const finish = (attempt: AttemptName): Action => ({ kind: "finish", attempt });
export const advance = (attempt: AttemptName): Action => ({ kind: "advance", attempt });

export async function drive(
  bench: Bench,
  actions: readonly Action[],
  policy: PolicySetting = { kind: "limit", maxCopies: 3 },
): Promise<Drive> {
  const { port, contract, budget } = bench;
  const started = await startDrive({ port, contract, budget, policy });
  for (const action of actions) await started.perform(action);
  return started;
}

export function endedOf(history: readonly Event[], attempt: AttemptName): Extract<Event, { kind: "ended" }> {
  const found = history.find((event) => event.kind === "ended" && event.attempt === attempt);
  if (found?.kind !== "ended") throw new Error(`${attempt} has not ended`);
  return found;
}

export function storeOf(history: readonly Event[]): Extract<Event, { kind: "observed" }>["observation"] {
  const found = history.findLast((event) => event.kind === "observed");
  if (found?.kind !== "observed") throw new Error("nothing was observed");
  return found.observation;
}
