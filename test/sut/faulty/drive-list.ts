import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { draftContract } from "../../../src/contract/draft.js";
import type { Action, Event } from "../../../src/model/vocabulary.js";
import { createBudget } from "../../../src/properties/budget.js";
import { startDrive } from "../../../src/properties/drive.js";
import type { Port } from "../../../src/sut/port.js";

/** The history of a list of actions and its epilogue, on a fresh store with a limit of 3. */
export async function driveList(
  open: (options: { readonly directory: string; readonly budgetMs: number }) => Port,
  actions: readonly Action[],
): Promise<readonly Event[]> {
  const directory = mkdtempSync(join(tmpdir(), "commitpoint-faulty-"));
  const port = open({ directory, budgetMs: 5_000 });
  const budget = createBudget(10_000);
  try {
    const policy = { kind: "limit", maxCopies: 3 } as const;
    const drive = await startDrive({ port, contract: draftContract, policy, budget });
    for (const action of actions) await drive.perform(action);
    await drive.epilogue();
    return drive.history;
  } finally {
    budget.close();
    await port.stop();
    rmSync(directory, { recursive: true });
  }
}
