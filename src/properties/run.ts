import fc from "fast-check";
import type { ToolContract } from "../contract/tool.js";
import type { Action, Event, PolicySetting } from "../model/vocabulary.js";
import type { Port } from "../sut/port.js";
import { actionCommand, type Progress } from "./action-command.js";
import { type Budget, Overrun } from "./budget.js";
import { type Drive, startDrive } from "./drive.js";
import { createJudge } from "./judge.js";
import type { PromiseId, RunVerdict } from "./verdict.js";

/** What every run of one executor needs. */
export type Bench = {
  readonly port: Port;
  readonly contract: ToolContract;
  readonly policy: PolicySetting;
  readonly budget: Budget;
  /** Promises to judge; all that the profile can be asked about if absent. */
  readonly promises?: readonly PromiseId[];
};

export type RunRecord = {
  readonly verdict: RunVerdict;
  readonly history: readonly Event[];
  readonly performed: number;
  readonly skipped: number;
  readonly end:
    | { readonly kind: "judged" }
    /** The harness, the adapter or the executor failed to answer; what was judged before stands. */
    | { readonly kind: "broken"; readonly where: string; readonly message: string };
};

export type RunOptions = {
  /** Whether the epilogue is driven after the list. */
  readonly epilogue: "driven" | "left_out";
};

/**
 * Runs one action list from an empty store and judges it as it goes. Stops after the action that breaks a named
 * promise; a divergence from the machine alone does not stop it, so that a named promise can still show itself.
 */
export async function executeRun(
  bench: Bench,
  actions: readonly Action[],
  options: RunOptions = { epilogue: "driven" },
): Promise<RunRecord> {
  const { port, contract, policy, budget, promises } = bench;
  const progress: Progress = { stopped: false, performed: 0, skipped: 0 };
  const judge = createJudge(port.profile, {
    policy,
    tool: contract.name,
    ...(contract.toolbox === undefined ? {} : { capabilities: contract.toolbox.capabilities }),
    ...(promises === undefined ? {} : { promises }),
  });
  let drive: Drive | undefined;
  let judged = 0;
  /** Takes what was recorded since the last time: in one go, which finds more of it in the processor's cache. */
  const judgeNew = (): void => {
    const fresh = drive?.history.slice(judged) ?? [];
    judged += fresh.length;
    for (const event of fresh) {
      const found = judge.add(event);
      if (found.some(({ promise }) => promise !== "matches-the-machine")) progress.stopped = true;
    }
  };
  let end: RunRecord["end"] = { kind: "judged" };
  try {
    const started = await startDrive({ port, contract, policy, budget });
    drive = started;
    const commands = actions.map((action) => actionCommand(action, judgeNew));
    await fc.asyncModelRun(() => ({ model: progress, real: started }), commands);
    if (!progress.stopped && options.epilogue === "driven") await started.epilogue();
    judgeNew();
    if (!progress.stopped) judge.finish();
  } catch (error) {
    judgeNew();
    if (!progress.stopped) end = brokenBy(error);
  }
  const history = drive?.history ?? [];
  return { verdict: judge.verdict(), history, performed: progress.performed, skipped: progress.skipped, end };
}

function brokenBy(error: unknown): RunRecord["end"] {
  if (error instanceof Overrun) return { kind: "broken", where: error.method, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "broken", where: "the executor or its adapter", message };
}
