import type { Slots } from "../machine.js";
import type { Bounded } from "./bounded.js";
import { attemptSlots, type Layout, ofAttempt, packedEvents, phases } from "./layout.js";

/** What a step does to the slots, told without what it leaves as it was. */
export type LocalStep = {
  /** An attempt's actions are numbered as those of the first attempt. */
  readonly action: number;
  /** Slots that all share, each followed by the value that it takes. */
  readonly written: Int32Array;
  /** How much more of each bound is spent; `cleared` once that makes no difference any more. */
  readonly spent: Int32Array | "cleared";
  /** The attempt that moved, as it then stands; empty if none did. */
  readonly attempt: Slots;
  readonly others: Others;
  readonly showing: number;
};

/** What a step does to attempts that it does not move. */
type Others = "as_they_were" | "snapshots_stale" | "faults_cleared" | "gone";

type Where = { readonly bounded: Bounded; readonly layout: Layout };

type Told = {
  readonly action: number;
  readonly mover: number;
  readonly showing: number;
  /** Keys of the receipts that the step writes; that of none comes after the others. */
  readonly receipts: readonly number[];
};

/** Tells a step from the states before and after it. What it cannot tell shows when the step is applied again. */
export function localStep(
  { bounded, layout }: Where,
  state: Slots,
  next: Slots,
  { action, mover, showing, receipts }: Told,
): LocalStep {
  const { firstCounter, endOfCounters } = layout;
  const isOver = next[layout.phase] !== state[layout.phase];
  const written: number[] = [];
  for (let at = 0; at < layout.attempts; at++) {
    const isSpent = at >= firstCounter && at < endOfCounters;
    const isReceipt = at >= layout.receipts && at <= layout.receipts + bounded.bounds.keys;
    // A step that writes a receipt is the same whether or not there is one of its key already.
    const isWritten = (isReceipt && receipts.includes(at - layout.receipts)) || next[at] !== state[at];
    if (!isSpent && !(isOver && isReceipt) && isWritten) written.push(at, next[at] ?? 0);
  }
  const at = layout.attempts + mover * attemptSlots;
  const moved =
    mover < bounded.bounds.attempts && !isSame(state, next, at) ? next.slice(at, at + attemptSlots) : none;
  return {
    action,
    written: Int32Array.from(written),
    spent: isOver
      ? "cleared"
      : Int32Array.from(
          { length: endOfCounters - firstCounter },
          (_, n) => (next[firstCounter + n] ?? 0) - (state[firstCounter + n] ?? 0),
        ),
    attempt: moved,
    others: othersAfter(layout, state, next),
    showing,
  };
}

const none = new Uint8Array(0);

function isSame(state: Slots, next: Slots, at: number): boolean {
  for (let slot = at; slot < at + attemptSlots; slot++) if (state[slot] !== next[slot]) return false;
  return true;
}

/** What becomes of attempts that do not move; that it is so is seen where there are some. */
function othersAfter(layout: Layout, state: Slots, next: Slots): Others {
  if (next[layout.executor] === 1 && state[layout.executor] === 0) return "gone";
  if (phaseOf(layout, next) === "faults_gone" && phaseOf(layout, state) === "open") return "faults_cleared";
  const wasSet = (next[layout.policyChanges] ?? 0) > (state[layout.policyChanges] ?? 0);
  return wasSet ? "snapshots_stale" : "as_they_were";
}

function phaseOf(layout: Layout, state: Slots): (typeof phases)[number] | undefined {
  return phases[state[layout.phase] ?? 0];
}

/** Does a step to a state, in which `mover` is the slot of the attempt that moves. */
export function applyStep({ bounded, layout }: Where, step: LocalStep, mover: number, next: Slots): void {
  const { written, spent, attempt, others } = step;
  const { firstCounter, endOfCounters } = layout;
  if (spent === "cleared") {
    for (let at = firstCounter; at < endOfCounters; at++) next[at] = 0;
    for (let at = layout.receipts; at <= layout.receipts + bounded.bounds.keys; at++) next[at] = 0;
  } else {
    for (let n = 0; n < spent.length; n++)
      next[firstCounter + n] = (next[firstCounter + n] ?? 0) + (spent[n] ?? 0);
  }
  for (let n = 0; n < written.length; n += 2) next[written[n] ?? 0] = written[n + 1] ?? 0;
  if (others !== "as_they_were") {
    for (let slot = 0; slot < bounded.bounds.attempts; slot++) {
      touch(bounded, next, layout.attempts + slot * attemptSlots, others);
    }
  }
  const from = layout.attempts + mover * attemptSlots;
  for (let at = 0; at < attempt.length; at++) next[from + at] = attempt[at] ?? 0;
}

function touch(bounded: Bounded, state: Slots, at: number, how: Exclude<Others, "as_they_were">): void {
  switch (how) {
    case "gone":
      for (let slot = at; slot < at + attemptSlots; slot++) state[slot] = 0;
      break;
    case "snapshots_stale":
      if (state[at + ofAttempt.snapshot] === 2) state[at + ofAttempt.snapshot] = 1;
      break;
    case "faults_cleared":
      if (!isSpoilt(bounded, state, at)) state[at + ofAttempt.plan] = 0;
      break;
  }
}

const outputStarted = 1 << packedEvents.indexOf("output_started");

/** Whether the copy to be released is spoilt by now, which nothing takes back. */
function isSpoilt({ workload }: Bounded, state: Slots, at: number): boolean {
  const hasStarted = ((state[at + ofAttempt.events] ?? 0) & outputStarted) !== 0;
  const plan = workload.faultPlans[state[at + ofAttempt.plan] ?? 0];
  return hasStarted && plan?.some(({ kind }) => kind === "bad_output") === true;
}

/** The first slot without an attempt; as many as there are if none is free. */
export function firstFree(layout: Layout, attempts: number, state: Slots): number {
  for (let slot = 0; slot < attempts; slot++) {
    if (state[layout.attempts + slot * attemptSlots] === 0) return slot;
  }
  return attempts;
}
