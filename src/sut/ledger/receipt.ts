import type { Code, Status } from "../../model/vocabulary.js";
import { isDriverError } from "./driver-errors.js";
import { readEffect } from "./effects.js";
import type { Result } from "./ledger.js";
import { announce, type Ending, type Passage } from "./passage.js";
import { AuditUnavailable, auditCausesOf, Failure, ReleaseFailed } from "./refusals.js";
import type { Environment } from "./stages.js";

/** A receipt as it is bound to its insert; `recordedAt` in milliseconds since the epoch. */
export type ReceiptParameters = {
  readonly delivery: string;
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  readonly key: string | null;
  readonly status: Status;
  readonly code: Code;
  readonly effectExists: 0 | 1;
  readonly events: string;
  readonly recordedAt: number;
};

export function conclude(passage: Passage, ending: Ending, environment: Environment): Result {
  const { stages: step } = environment;
  const { status, code } =
    ending.kind === "finished" ? ending : { status: "cancelled" as const, code: "cancelled" as const };
  let written: { number: number; effectExists: boolean };
  try {
    announce(passage, "before_receipt");
    written = step.receipt(passage, status, code, environment);
  } catch (error) {
    throw step.auditFailure(passage, ending, error);
  }
  try {
    announce(passage, "after_receipt");
  } catch (error) {
    throw new ReleaseFailed({ cause: error });
  }
  if (ending.kind === "cancelled") throw ending.reason;
  return {
    receipt: written.number,
    status,
    code,
    events: [...passage.events],
    effectExists: written.effectExists,
    released: ending.released,
  };
}

/** Writes the receipt in a transaction of its own and requires that exactly one row came of it. */
export function receipt(
  passage: Passage,
  status: Status,
  code: Code,
  environment: Environment,
): { number: number; effectExists: boolean } {
  const { store, stages: step } = environment;
  store.run("begin");
  try {
    const row = step.receiptRow(passage, status, code, environment);
    const { changes, lastId } = store.run("insertReceipt", row);
    if (changes !== 1) throw new Failure("receipt_not_written");
    store.run("commit");
    return { number: lastId, effectExists: row.effectExists === 1 };
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

/** What the receipt says; whether the effect exists is read inside the receipt's transaction. */
export function receiptRow(
  passage: Passage,
  status: Status,
  code: Code,
  { store, clock }: Environment,
): ReceiptParameters {
  const { call, args, events } = passage;
  const effectExists = args !== undefined && readEffect(store, passage, args.job) !== undefined;
  return {
    delivery: call.delivery,
    tenant: call.tenant,
    runId: call.runId,
    callId: call.callId,
    key: args?.job ?? null,
    status,
    code,
    effectExists: effectExists ? 1 : 0,
    events: JSON.stringify(events),
    recordedAt: clock(),
  };
}

export function auditFailure(passage: Passage, ending: Ending, error: unknown): Error {
  const causes = auditCausesOf(ending.kind === "cancelled", error, isDriverError(error));
  const cause = ending.kind === "cancelled" ? new AggregateError([error, ending.reason]) : error;
  return new AuditUnavailable(causes, [...passage.events], { cause });
}
