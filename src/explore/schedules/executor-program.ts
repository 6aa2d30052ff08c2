import type { Action, Event } from "../../model/vocabulary.js";
import { type Drive, startDrive } from "../../properties/drive.js";
import { createJudge } from "../../properties/judge.js";
import type { Bench } from "../../properties/run.js";
import type { PromiseId, RunVerdict } from "../../properties/verdict.js";
import { actionLabel } from "./action-label.js";
import { type ExecutionState, executionState } from "./execution-state.js";
import { judgedFootprint } from "./judged-footprint.js";
import type { Ending, Execution, Program } from "./program.js";
import { bothOf, stepFootprint } from "./step-footprint.js";

/** What one thread of a program does: an attempt from its submission to its end, or actions of the surroundings. */
export type ProgramThread =
  | { readonly kind: "attempt"; readonly submit: Extract<Action, { kind: "submit" | "retry" }> }
  | { readonly kind: "surroundings"; readonly name: string; readonly actions: readonly Action[] };

export type ExecutorProgram = Program & {
  /** The actions of a schedule, by the labels of its steps. */
  readonly actionsOf: (labels: readonly string[]) => readonly Action[];
  /** What complete executions so far showed of the promises, besides what broke. */
  readonly judged: () => Judged;
};

export type Judged = {
  readonly occurred: readonly PromiseId[];
  /** Left open by some execution, with the reason. */
  readonly undecided: ReadonlyMap<PromiseId, string>;
};

/**
 * The schedules of some threads over an executor that stops at checkpoints. Every execution starts from the empty
 * store and is judged in full. The surroundings are never made to wait: what comes too early or too late is skipped,
 * and the history says so. Rejects where a run of the same actions would break.
 */
export function executorProgram(bench: Bench, threads: readonly ProgramThread[]): ExecutorProgram {
  const { port } = bench;
  if (port.footprints.kind === "reported") port.footprints.watch();
  const occurred = new Set<PromiseId>();
  const undecided = new Map<PromiseId, string>();
  const note = (verdict: RunVerdict): void => {
    for (const promise of verdict.occurred) occurred.add(promise);
    for (const { promise, reason } of verdict.undecided) undecided.set(promise, reason);
  };
  const known = new Map<string, Action>();
  for (const action of threads.flatMap(actionsOfThread)) known.set(actionLabel(action), action);
  return {
    threads: threads.map((thread) => (thread.kind === "attempt" ? thread.submit.attempt : thread.name)),
    start: async () => {
      const drive = await startDrive(bench);
      if (port.footprints.kind === "reported") port.footprints.take();
      return execution(bench, threads, drive, note);
    },
    actionsOf: (labels) =>
      labels.map((label) => {
        const action = known.get(label);
        if (action === undefined) throw new Error(`no thread of the program does ${label}`);
        return action;
      }),
    judged: () => ({ occurred: [...occurred], undecided }),
  };
}

function actionsOfThread(thread: ProgramThread): readonly Action[] {
  if (thread.kind === "surroundings") return thread.actions;
  const { attempt } = thread.submit;
  return [thread.submit, { kind: "advance", attempt }, { kind: "expire", attempt }];
}

function execution(
  bench: Bench,
  threads: readonly ProgramThread[],
  drive: Drive,
  note: (verdict: RunVerdict) => void,
): Execution {
  const { port, contract, promises } = bench;
  const isJudged = promises === undefined || promises.length > 0;
  const judgedOf = judgedFootprint(contract.name);
  const state = executionState();
  const made = threads.map(() => 0);
  let taken = 0;
  const takeNew = (): readonly Event[] => {
    const fresh = drive.history.slice(taken);
    taken = drive.history.length;
    return fresh;
  };
  const nextOf = (index: number): Action | undefined => nextAction(threads[index], made[index] ?? 0, state);
  const canMove = (index: number): boolean =>
    threads[index]?.kind === "surroundings" || state.executor() === "up";
  const open = (): readonly number[] =>
    threads.map((_, index) => index).filter((index) => nextOf(index) !== undefined);
  const begun = takeNew();
  state.take(begun);
  judgedOf(begun);
  return {
    enabled: () => open().filter(canMove),
    waiting: () => open().filter((index) => !canMove(index)),
    step: async (index) => {
      const action = nextOf(index);
      if (action === undefined) throw new Error(`thread ${index} has ended`);
      await drive.perform(action);
      made[index] = (made[index] ?? 0) + 1;
      const fresh = takeNew();
      const reported = stepFootprint(port, action);
      const footprint = isJudged ? bothOf(reported, judgedOf(fresh)) : reported;
      return { thread: index, label: actionLabel(action), footprint, reported, seen: state.take(fresh) };
    },
    snapshot: async () => state.text(),
    finish: async (how) => {
      const text = state.text();
      if (how === "abandoned") return { state: text, violations: [] };
      return { state: text, violations: await judgeToTheEnd(bench, drive, note) };
    },
  };
}

function nextAction(
  thread: ProgramThread | undefined,
  made: number,
  { standingOf }: ExecutionState,
): Action | undefined {
  if (thread === undefined) return undefined;
  if (thread.kind === "surroundings") return thread.actions[made];
  const { attempt } = thread.submit;
  switch (standingOf(attempt)) {
    case "not_begun":
      return thread.submit;
    case "parked":
      return { kind: "advance", attempt };
    case "blocked":
      return { kind: "expire", attempt };
    case "over":
      return undefined;
  }
}

/** Judges the whole history in one go, the epilogue included unless a named promise is broken before it. */
async function judgeToTheEnd(
  { port, contract, policy, promises }: Bench,
  drive: Drive,
  note: (verdict: RunVerdict) => void,
): Promise<Ending["violations"]> {
  const chosen = promises === undefined ? {} : { promises };
  const judge = createJudge(port.profile, { policy, tool: contract.name, ...chosen });
  let judged = 0;
  const isBroken = (): boolean => {
    for (; judged < drive.history.length; judged++) {
      const event = drive.history[judged];
      if (event !== undefined) judge.add(event);
    }
    return judge.verdict().violations.some(({ promise }) => promise !== "matches-the-machine");
  };
  if (!isBroken()) {
    await drive.epilogue();
    if (!isBroken()) judge.finish();
  }
  const verdict = judge.verdict();
  note(verdict);
  return verdict.violations.map(({ promise }) => promise);
}
