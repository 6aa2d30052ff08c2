import { Refusal } from "../../ledger/refusals.js";
import { columnsOf } from "../consent/rows.js";
import { announce, callOf, type Passage } from "../passage.js";
import type { Environment } from "../stages.js";

/** A call that has started in its run. */
export type StartedCall = {
  readonly step: number;
  readonly callId: string;
  readonly replaces: string;
  readonly isAccepted: boolean;
  readonly isDenied: boolean;
};

/** How many calls may take the place of one that was refused. */
export const mostRepairs = 2;

/** Refuses a call whose run has ended or still waits in an earlier step, or that repairs once too often. */
export function passRunGate(passage: Passage, environment: Environment): void {
  const { stages: step } = environment;
  const { dispatch, call } = passage;
  const started = step.startedCalls(passage, environment);
  const earlier = started.filter((other) => other.step < dispatch.step);
  if (earlier.some(({ isDenied }) => isDenied)) throw new Refusal("blocked", "run_ended");
  if (hasOpenPlace(earlier)) throw new Refusal("blocked", "run_waiting");
  if (repairsBefore(dispatch.replaces, started) > mostRepairs) throw new Refusal("blocked", "repair_limit");
  if (started.some(({ callId }) => callId === call.context.callId)) return;
  step.startStep(passage, environment);
}

export function startedCalls(passage: Passage, { store }: Environment): readonly StartedCall[] {
  const { tenant, runId } = callOf(passage);
  return store.rows("readRun", { tenant, runId }).map((row) => {
    const column = columnsOf(row);
    return {
      step: Number(column("step")),
      callId: String(column("callId")),
      replaces: String(column("replaces")),
      isAccepted: column("accepted") === 1,
      isDenied: column("denied") === 1,
    };
  });
}

/** Written before anything of the call happens, so that a crash cannot take back that its step was begun. */
export function startStep(passage: Passage, { store }: Environment): void {
  const { step, replaces } = passage.dispatch;
  store.run("insertStep", { ...callOf(passage), step, replaces });
  announce(passage, "after_step");
}

/** A place is the calls that repair one another; it is open until one of them was accepted. */
function hasOpenPlace(calls: readonly StartedCall[]): boolean {
  const placeOf = (call: StartedCall): string => {
    const before = calls.find(({ callId, step }) => callId === call.replaces && step === call.step);
    return before === undefined ? `${call.step} ${call.callId}` : placeOf(before);
  };
  const accepted = new Set(calls.filter(({ isAccepted }) => isAccepted).map(placeOf));
  return calls.some((call) => !accepted.has(placeOf(call)));
}

/** How many calls this one stands in for, one after the other. */
function repairsBefore(replaces: string, calls: readonly StartedCall[]): number {
  if (replaces === "none") return 0;
  const before = calls.find(({ callId }) => callId === replaces);
  return 1 + (before === undefined ? 0 : repairsBefore(before.replaces, calls));
}
