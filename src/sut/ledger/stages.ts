import Database from "better-sqlite3";
import type { AuditCause, Code, CrashPoint, Json, PolicySetting, Status } from "../../model/vocabulary.js";
import {
  type CheckedArguments,
  checkArguments,
  type DraftArguments,
  digestOf,
  readArguments,
} from "./arguments.js";
import { expectedOutput, type Policy, readVerdict } from "./guards.js";
import type { Call, Ending, Passage, Result } from "./ledger.js";
import { AuditUnavailable, Failure, Refusal, ReleaseFailed } from "./refusals.js";
import type { Store } from "./store.js";

export const toolName = "draft";

export type Environment = { readonly store: Store; readonly stages: Stages; readonly clock: () => number };

/** The steps of the pipeline as one record, so that a variant replaces exactly one of them. */
export type Stages = {
  readonly enter: (call: Call) => Passage;
  /** From the request to a decision; never throws. */
  readonly pass: (passage: Passage, environment: Environment) => Promise<Ending>;
  /** Judges parsed arguments; asked when the request comes in and again at the insert. */
  readonly checkArguments: (raw: unknown) => CheckedArguments;
  readonly validate: (passage: Passage, environment: Environment) => DraftArguments;
  readonly digest: (args: DraftArguments, passage: Passage) => string;
  readonly check: (passage: Passage, environment: Environment) => Promise<void>;
  readonly stop: (
    passage: Passage,
    at: "before_business" | "after_business" | "output_check",
    environment: Environment,
  ) => Promise<void>;
  /** The write transaction around `write`. */
  readonly execute: (passage: Passage, environment: Environment) => Json | Promise<Json>;
  readonly write: (passage: Passage, args: DraftArguments, environment: Environment) => Json;
  readonly lookup: (
    passage: Passage,
    args: DraftArguments,
    environment: Environment,
  ) => StoredEffect | undefined;
  readonly insert: (passage: Passage, args: DraftArguments, environment: Environment) => Json;
  readonly notWritten: (passage: Passage, args: DraftArguments, environment: Environment) => Error;
  readonly commit: (passage: Passage, environment: Environment) => void;
  readonly output: (passage: Passage, value: Json, environment: Environment) => Promise<void>;
  readonly classify: (passage: Passage, error: unknown) => Ending;
  /** From a decision to a receipt and the release. */
  readonly conclude: (passage: Passage, ending: Ending, environment: Environment) => Result | Promise<Result>;
  readonly receipt: (
    passage: Passage,
    status: Status,
    code: Code,
    environment: Environment,
  ) => { number: number; effectExists: boolean };
  readonly receiptRow: (
    passage: Passage,
    status: Status,
    code: Code,
    environment: Environment,
  ) => ReceiptParameters;
  readonly auditFailure: (passage: Passage, ending: Ending, error: unknown) => Error;
  readonly setPolicy: (setting: PolicySetting, environment: Environment) => void;
};

/** What the store holds of an effect that a later attempt may reuse; `body` is JSON text. */
export type StoredEffect = { readonly digest: string; readonly body: string };

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

/** The sound pipeline. */
export const stages: Stages = {
  enter,
  pass,
  checkArguments,
  validate,
  digest: digestOf,
  check,
  stop,
  execute,
  write,
  lookup,
  insert,
  notWritten,
  commit,
  output,
  classify,
  conclude,
  receipt,
  receiptRow,
  auditFailure,
  setPolicy,
};

function enter(call: Call): Passage {
  return { call, events: [], args: undefined, digest: "", snapshot: undefined, place: "unforeseen" };
}

async function pass(passage: Passage, environment: Environment): Promise<Ending> {
  const { stages: step } = environment;
  const { events, call } = passage;
  try {
    passage.args = step.validate(passage, environment);
    passage.digest = step.digest(passage.args, passage);
    events.push("arguments_valid");
    await step.check(passage, environment);
    events.push("input_allowed");
    await step.stop(passage, "before_business", environment);
    events.push("business_started");
    const stored = await step.execute(passage, environment);
    await step.stop(passage, "after_business", environment);
    events.push("output_started");
    const value = call.hooks.returned(stored);
    await step.stop(passage, "output_check", environment);
    await step.output(passage, value, environment);
    events.push("output_allowed");
    return { kind: "finished", status: "accepted", code: "ok", released: value };
  } catch (error) {
    return step.classify(passage, error);
  }
}

function validate(passage: Passage, { stages: step }: Environment): DraftArguments {
  const read = readArguments(passage.call.request, step.checkArguments);
  if (read.kind === "invalid") throw new Refusal("input_rejected", read.code);
  return read.args;
}

/** Takes the policy snapshot and asks the business check; holds no lock meanwhile. */
async function check(passage: Passage, { store }: Environment): Promise<void> {
  const { call } = passage;
  const policy = readPolicy(store);
  if (policy === undefined) throw new Refusal("input_rejected", "missing_policy");
  passage.snapshot = policy;
  call.hooks.snapshotTaken(policy.revision);
  const args = validated(passage);
  const verdict = await readVerdict(() => call.guards.check(args, policy), call.hooks.patience("check"));
  if (verdict.action === "block") throw new Refusal("input_rejected", verdict.code);
}

/** Stops at a checkpoint; an abort that arrived by then takes hold when the stop is over. */
async function stop(
  passage: Passage,
  at: "before_business" | "after_business" | "output_check",
): Promise<void> {
  passage.place = at;
  await passage.call.hooks.checkpoint(at);
  passage.call.signal.throwIfAborted();
}

/** One write transaction; it is closed whichever way it ends. */
function execute(passage: Passage, environment: Environment): Json {
  const { store, stages: step } = environment;
  store.run("begin");
  try {
    return step.write(passage, validated(passage), environment);
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

/** Reuses, refuses or inserts, and commits; the transaction is open. */
function write(passage: Passage, args: DraftArguments, environment: Environment): Json {
  const { store, stages: step } = environment;
  const existing = step.lookup(passage, args, environment);
  if (existing !== undefined) {
    if (existing.digest !== passage.digest) throw new Refusal("key_conflict", "key_conflict");
    store.run("commit");
    passage.events.push("effect_reused");
    return JSON.parse(existing.body);
  }
  const value = step.insert(passage, args, environment);
  announce(passage, "inside_transaction");
  step.commit(passage, environment);
  return value;
}

/** The effect under this key, whichever request it came from. */
function lookup(passage: Passage, args: DraftArguments, { store }: Environment): StoredEffect | undefined {
  return readEffect(store, passage, args.job);
}

/** Writes the effect if the policy is still the one that was checked and still allows these arguments. */
function insert(passage: Passage, args: DraftArguments, environment: Environment): Json {
  const { store, stages: step } = environment;
  const again = step.checkArguments(args);
  if (again.kind === "invalid") throw new Refusal("input_rejected", again.code);
  const value = expectedOutput(args);
  const { changes } = store.run("insertEffect", effectRow(passage, args, value));
  if (changes !== 1) throw step.notWritten(passage, args, environment);
  return value;
}

/** Why a conditional insert wrote nothing: the policy moved on, or, if it still matches, the write itself failed. */
function notWritten(passage: Passage, args: DraftArguments, { store }: Environment): Error {
  const policy = readPolicy(store);
  const matches =
    policy !== undefined && policy.revision === passage.snapshot?.revision && policy.maxCopies >= args.copies;
  return matches ? new Failure("effect_not_written") : new Refusal("policy_changed", "policy_changed");
}

function commit(passage: Passage, { store }: Environment): void {
  store.run("commit");
  passage.events.push("effect_committed");
  announce(passage, "after_commit");
}

async function output(passage: Passage, value: Json): Promise<void> {
  const { hooks, guards } = passage.call;
  const args = validated(passage);
  const verdict = await readVerdict(() => guards.output(value, args), hooks.patience("output"));
  if (verdict.action === "block") throw new Refusal("output_rejected", verdict.code);
}

/** Anything unforeseen is an error at the place where the attempt stood, never a pass. */
function classify(passage: Passage, error: unknown): Ending {
  const { signal } = passage.call;
  if (signal.aborted && error === signal.reason) return { kind: "cancelled", reason: error };
  if (error instanceof Refusal) return finished(error.status, error.code);
  if (error instanceof Failure) return finished("error", error.code);
  return finished("error", driverCode(error) ?? passage.place);
}

function conclude(passage: Passage, ending: Ending, environment: Environment): Result {
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
function receipt(
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
function receiptRow(
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

function auditFailure(passage: Passage, ending: Ending, error: unknown): Error {
  const causes: AuditCause[] = ending.kind === "cancelled" ? ["cancelled"] : [];
  causes.push("receipt_write");
  if (driverCode(error) !== undefined) causes.push("driver");
  else if (!(error instanceof Failure)) causes.push("other");
  const cause = ending.kind === "cancelled" ? new AggregateError([error, ending.reason]) : error;
  return new AuditUnavailable(causes, [...passage.events], { cause });
}

function setPolicy(setting: PolicySetting, { store }: Environment): void {
  store.run("begin");
  try {
    if (setting.kind === "remove") store.run("removePolicy");
    else {
      store.run("nextRevision");
      store.run("putPolicy", { maxCopies: setting.maxCopies });
    }
    store.run("commit");
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

/** Announces a crash point; a throw there is an error at that place. */
export function announce(passage: Passage, point: CrashPoint): void {
  passage.place = point;
  passage.call.hooks.crashPoint(point);
}

export function finished(status: Status, code: Code): Ending {
  return { kind: "finished", status, code, released: null };
}

export function validated(passage: Passage): DraftArguments {
  if (passage.args === undefined) throw new Failure("unforeseen");
  return passage.args;
}

export function effectRow(
  passage: Passage,
  args: DraftArguments,
  value: Json,
): { readonly [name: string]: string | number } {
  const { tenant, runId, callId } = passage.call;
  return {
    tenant,
    tool: toolName,
    key: args.job,
    digest: passage.digest,
    body: JSON.stringify(value),
    revision: passage.snapshot?.revision ?? 0,
    copies: args.copies,
    runId,
    callId,
  };
}

export function readPolicy(store: Store): Policy | undefined {
  const row = store.row("readPolicy");
  return isPolicy(row) ? row : undefined;
}

export function readEffect(store: Store, passage: Passage, key: string): StoredEffect | undefined {
  const row = store.row("readEffect", { tenant: passage.call.tenant, tool: toolName, key });
  return isEffect(row) ? row : undefined;
}

/** The vocabulary's code for what the driver said, or undefined if it was not the driver. */
export function driverCode(error: unknown): Code | undefined {
  if (!(error instanceof Database.SqliteError)) return undefined;
  const { code } = error;
  if (code.startsWith("SQLITE_BUSY")) return "busy";
  if (code.startsWith("SQLITE_READONLY")) return "read_only";
  if (code.startsWith("SQLITE_FULL")) return "disk_full";
  if (code === "SQLITE_CONSTRAINT_FOREIGNKEY") return "commit_refused";
  return "effect_not_written";
}

function isPolicy(row: unknown): row is Policy {
  return (
    typeof row === "object" &&
    row !== null &&
    "revision" in row &&
    typeof row.revision === "number" &&
    "maxCopies" in row &&
    typeof row.maxCopies === "number"
  );
}

function isEffect(row: unknown): row is StoredEffect {
  return (
    typeof row === "object" &&
    row !== null &&
    "digest" in row &&
    typeof row.digest === "string" &&
    "body" in row &&
    typeof row.body === "string"
  );
}
