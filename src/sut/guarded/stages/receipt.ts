import type { Code, Status } from "../../../model/vocabulary.js";
import { isDriverError } from "../../ledger/driver-errors.js";
import { AuditUnavailable, auditCausesOf, Failure, ReleaseFailed } from "../../ledger/refusals.js";
import type { Parameters } from "../../sqlite-store.js";
import type { Result } from "../guarded.js";
import { resultsOf } from "../layer-decision.js";
import { announce, callOf, type Ending, type Passage } from "../passage.js";
import type { Environment } from "../stages.js";

/** However an attempt fared, its receipt comes before its release. */
export function conclude(passage: Passage, ending: Ending, environment: Environment): Result {
  const { stages: step } = environment;
  const { status, code } =
    ending.kind === "finished" ? ending : { status: "cancelled" as const, code: "cancelled" as const };
  let written: { number: number; effectExists: boolean };
  try {
    announce(passage, "before_receipt");
    written = step.receipt(passage, status, code, environment);
  } catch (error) {
    throw auditFailure(passage, ending, error);
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
    layers: resultsOf(passage.layers),
  };
}

/** Writes the receipt, and what a human has to look at, in one transaction of its own. */
export function receipt(
  passage: Passage,
  status: Status,
  code: Code,
  environment: Environment,
): { number: number; effectExists: boolean } {
  const { store, stages: step } = environment;
  store.run("begin");
  try {
    const effectExists = step.effectExists(passage, environment);
    const row = step.receiptRow(passage, { status, code, effectExists }, environment);
    const { changes, lastId } = store.run("insertReceipt", row);
    if (changes !== 1) throw new Failure("receipt_not_written");
    for (const layer of escalatedLayers(passage, status)) {
      const { delivery } = passage.call;
      store.run("insertEscalation", { ...callOf(passage), delivery, layer });
    }
    store.run("commit");
    return { number: lastId, effectExists };
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

function escalatedLayers({ layers }: Passage, status: Status): readonly string[] {
  return [
    ...(layers.get("capability")?.action === "escalate" ? ["capability"] : []),
    ...(status === "escalated" ? ["output"] : []),
  ];
}

/** Whether what the call is about is there now; asked inside the receipt's transaction. */
export function effectExists(passage: Passage, environment: Environment): boolean {
  if (passage.args === undefined || passage.tool === undefined) return false;
  return environment.stages.lookup(passage, environment) !== undefined;
}

export function receiptRow(
  passage: Passage,
  said: { readonly status: Status; readonly code: Code; readonly effectExists: boolean },
  { clock }: Environment,
): Parameters {
  const { call, tool, args, events, layers, withheld } = passage;
  const key = tool === undefined || args === undefined ? "" : tool.key(args);
  return {
    ...callOf(passage),
    delivery: call.delivery,
    key: key === "" ? null : key,
    status: said.status,
    code: said.code,
    effectExists: said.effectExists ? 1 : 0,
    events: JSON.stringify(events),
    layers: JSON.stringify(Object.fromEntries(layers)),
    withheld: withheld.join(" "),
    recordedAt: clock(),
  };
}

function auditFailure(passage: Passage, ending: Ending, error: unknown): Error {
  const causes = auditCausesOf(ending.kind === "cancelled", error, isDriverError(error));
  const cause = ending.kind === "cancelled" ? new AggregateError([error, ending.reason]) : error;
  return new AuditUnavailable(causes, [...passage.events], { cause });
}
