import { saidNo } from "../consent/rules.js";
import { fail, goOn, isOfCall, type Passage, passing, settle, type Turn } from "../passage.js";
import type { StepRow } from "../vocabulary.js";
import type { World } from "../world.js";

/** How many calls may stand in for one that was refused by its shape. */
const mostRepairs = 2;

/** Keeps later steps of a run from moving while an earlier one waits, and writes down that a call has begun. */
export function enterRun(passage: Passage): Turn {
  const { world, attempt } = passage;
  const { context } = attempt;
  const { tenant, runId, callId, dispatch } = context;
  if (dispatch === undefined) return fail(passage, "unforeseen");
  const { step, replaces } = dispatch;
  const begun = world.consent.steps.filter((row) => row.tenant === tenant && row.runId === runId);
  const before = begun.filter((row) => row.step < step);
  if (before.some((row) => saidNo(world, row) !== "none")) return settle(passage, "blocked", "run_ended");
  if (before.some((row) => !isTaken(placeOf(row, before), before, world)))
    return settle(passage, "blocked", "run_waiting");
  if (replacedBy(replaces, begun) > mostRepairs) return settle(passage, "blocked", "repair_limit");
  if (begun.some((row) => isOfCall(row, context))) return goOn(passage);
  const row: StepRow = { tenant, runId, step, callId, replaces };
  const { consent } = world;
  const written = {
    ...passage,
    world: { ...world, consent: { ...consent, steps: [...consent.steps, row] } },
  };
  return passing(
    written,
    "after_step",
    () => fail(written, "after_step"),
    () => goOn(written),
  );
}

/** The call that first had the place of this one. */
function placeOf(row: StepRow, rows: readonly StepRow[]): StepRow {
  const earlier = rows.find(({ callId, step }) => callId === row.replaces && step === row.step);
  return earlier === undefined ? row : placeOf(earlier, rows);
}

/** Whether a call of this place was accepted. */
function isTaken(place: StepRow, rows: readonly StepRow[], { receipts }: World): boolean {
  return rows.some(
    (row) =>
      placeOf(row, rows) === place &&
      receipts.some((receipt) => receipt.status === "accepted" && isOfCall(receipt, row)),
  );
}

function replacedBy(replaces: string, rows: readonly StepRow[]): number {
  if (replaces === "none") return 0;
  const row = rows.find(({ callId }) => callId === replaces);
  return 1 + (row === undefined ? 0 : replacedBy(row.replaces, rows));
}
