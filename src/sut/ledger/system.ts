import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  checkpoints,
  crashPoints,
  faultKinds,
  type Outcome,
  type PolicySetting,
  type Profile,
} from "../../model/vocabulary.js";
import type { Footprint } from "../footprint.js";
import type { Hooks, Settled } from "../gate.js";
import { type InProcessSystem, inProcessPort } from "../in-process.js";
import type { Port, Submission } from "../port.js";
import { openSqliteFaults, type SqliteFaults } from "../sqlite-faults.js";
import { sqliteFootprint } from "../sqlite-footprint.js";
import { storeFootprints } from "../store-footprints.js";
import { checkLimit, checkOutput } from "./guards.js";
import { createLedger, type Ledger, type Result } from "./ledger.js";
import { type Observer, openObserver } from "./observer.js";
import { AuditUnavailable, ReleaseFailed } from "./refusals.js";
import { type Stages, stages } from "./stages.js";
import { type LedgerSql, openStore, type Statement, type StepStore, type Store } from "./store.js";

export const ledgerProfile: Profile = {
  name: "ledger",
  layers: ["validate", "check", "execute", "output", "receipt"],
  checkpoints,
  crashPoints,
  faults: faultKinds,
  abilities: [
    "cancel",
    "policy",
    "recheck_at_commit",
    "crash",
    "delivery_ids",
    "snapshot_revision",
    "fault_reports",
    "second_observer",
    "lock_probe",
    "receipts",
    "stage_events",
    "effect_digest",
    "effect_body",
    "effect_revision",
    "effect_call",
    "tenants",
  ],
};

/** How an executor differs from the sound one. */
export type Variant = {
  readonly sql?: Partial<LedgerSql>;
  readonly schema?: string;
  /** Called at every start of the executor's process, so that what it remembers dies with it. */
  readonly stages?: () => Partial<Stages>;
  /** Runs when the executor opens its store. */
  readonly onOpen?: (store: StepStore) => void;
  /** What the harness would be told instead. */
  readonly outcomeOf?: (settled: Settled, signal: AbortSignal) => Outcome;
  /** What is reported of a statement in place of the truth. */
  readonly footprint?: (statement: Statement, footprint: Footprint) => Footprint;
};

export type LedgerOptions = {
  readonly directory: string;
  readonly budgetMs: number;
  readonly variant?: Variant;
};

/** The built-in executor, or a variant of it, behind the port; its files live in `directory`, which must exist. */
export function openLedgerPort({ directory, budgetMs, variant = {} }: LedgerOptions): Port {
  return inProcessPort(ledgerSystem(directory, variant), budgetMs);
}

/** Rows of one run; the tables stay, so that a run costs no file and no preparation. */
const emptied = [
  "effects",
  "receipts",
  "policy",
  "policy_revisions",
  "harness_child",
  "harness_ballast",
  "sqlite_sequence",
];

function ledgerSystem(directory: string, variant: Variant): InProcessSystem {
  let generation = 0;
  let file = "";
  let initial: number | "none" = "none";
  let open: { store: Store; ledger: Ledger } | undefined;
  let harness: { faults: SqliteFaults; observer: Observer } | undefined;
  const footprints = storeFootprints(() => open?.store.connection.inTransaction === true);
  const footprintOf = sqliteFootprint();

  const openExecutor = (): void => {
    const store = openStore(file, {
      onStatement: (connection, statement) => {
        if (!footprints.isWatched()) return;
        const footprint = footprintOf(connection, statement.sql, statement.parameters);
        footprints.ran(variant.footprint?.(statement, footprint) ?? footprint);
      },
      onQuestion: footprints.asked,
      ...(variant.sql === undefined ? {} : { sql: variant.sql }),
      ...(variant.schema === undefined ? {} : { schema: variant.schema }),
    });
    run(store);
  };
  /** A process of the executor begins: a new ledger, which remembers nothing, over an open store. */
  const run = (store: Store): void => {
    store.initialise(initial);
    variant.onOpen?.(store);
    const own = variant.stages === undefined ? stages : { ...stages, ...variant.stages() };
    let now = 0;
    const clock = (): number => {
      footprints.drew("#clock");
      return ++now;
    };
    open = { store, ledger: createLedger(store, own, clock) };
  };
  const executor = (): { store: Store; ledger: Ledger } => {
    if (open === undefined) throw new Error("the executor is down");
    return open;
  };
  const opened = (): { faults: SqliteFaults; observer: Observer } => {
    if (harness === undefined) throw new Error("the store has not been opened");
    return harness;
  };
  const openFresh = (): void => {
    closeAll();
    file = join(directory, `ledger-${++generation}.db`);
    openExecutor();
    const faults = openSqliteFaults({
      file,
      tables: { execute: "effects", receipt: "receipts" },
      connection: () => open?.store.connection,
    });
    harness = { faults, observer: openObserver(file) };
  };
  const closeAll = (): void => {
    sever();
    harness?.observer.close();
    harness?.faults.close();
    harness = undefined;
    for (const suffix of ["", "-wal", "-shm"]) if (existsSync(file + suffix)) rmSync(file + suffix);
  };
  const sever = (): void => {
    open?.store.close();
    open = undefined;
  };

  return {
    profile: ledgerProfile,
    begin: (policy) => {
      initial = policy.kind === "limit" ? policy.maxCopies : "none";
      const reusable = open !== undefined && harness !== undefined && !open.store.inTransaction();
      if (!reusable || harness?.faults.probeLock() !== "free") {
        openFresh();
        return;
      }
      const { connection } = opened().faults;
      connection.exec(`BEGIN IMMEDIATE; ${emptied.map((table) => `DELETE FROM ${table};`).join(" ")} COMMIT`);
      run(executor().store);
    },
    call: (submission, hooks, signal) => executor().ledger.run(ledgerCall(submission, hooks, signal)),
    outcomeOf: variant.outcomeOf ?? outcomeOf,
    observe: (writeLock) => opened().observer.read(writeLock),
    probeLock: () => opened().faults.probeLock(),
    setPolicy: (setting: PolicySetting) => executor().ledger.setPolicy(setting),
    faults: {
      enforce: (fault) => opened().faults.enforce(fault),
      lift: () => harness?.faults.lift(),
    },
    sever,
    reopen: openExecutor,
    close: closeAll,
    footprints,
  };
}

function ledgerCall(submission: Submission, hooks: Hooks, signal: AbortSignal): Parameters<Ledger["run"]>[0] {
  const { request, delivery, context } = submission;
  return {
    request,
    tenant: context.tenant,
    runId: context.runId,
    callId: context.callId,
    delivery,
    signal,
    hooks,
    guards: {
      check: (args, policy) => hooks.ask("check", () => checkLimit(args, policy)),
      output: (value, args) => hooks.ask("output", () => checkOutput(value, args)),
    },
  };
}

/** What the ledger told its caller, in the vocabulary's words. */
export function outcomeOf(settled: Settled, signal: AbortSignal): Outcome {
  if (settled.kind === "resolved") {
    const result = settled.value;
    if (isResult(result)) {
      const { receipt, status, code, events, effectExists, released } = result;
      const out =
        released === null ? { kind: "nothing" as const } : { kind: "value" as const, value: released };
      return { kind: "completed", receiptNumber: receipt, status, code, events, effectExists, released: out };
    }
    return { kind: "unknown", cause: "unreadable", errorText: "the call resolved with no result" };
  }
  const { error } = settled;
  if (signal.aborted && error === signal.reason) {
    return { kind: "cancelled", reason: "callers", errorText: textOf(error) };
  }
  if (error instanceof AuditUnavailable) {
    return {
      kind: "audit_unavailable",
      causes: error.causes,
      events: error.events,
      errorText: textOf(error),
    };
  }
  if (error instanceof ReleaseFailed)
    return { kind: "unknown", cause: "after_receipt", errorText: textOf(error) };
  return { kind: "unknown", cause: "rejected", errorText: textOf(error) };
}

/** Message and causes of an error: all that a log line would show of it. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes =
    error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error.message, ...causes.map(textOf)].filter((text) => text !== "").join("; caused by: ");
}

function isResult(value: unknown): value is Result {
  return (
    typeof value === "object" &&
    value !== null &&
    "receipt" in value &&
    "status" in value &&
    "events" in value
  );
}
