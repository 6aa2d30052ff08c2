import { faultKinds, type Outcome, type PolicySetting, type Profile } from "../../model/vocabulary.js";
import type { Footprint } from "../footprint.js";
import type { Hooks, Settled } from "../gate.js";
import { type InProcessSystem, inProcessPort } from "../in-process.js";
import type { Port, Submission } from "../port.js";
import { sqliteProcess } from "../sqlite-process.js";
import { checkLimit, checkOutput } from "./guards.js";
import { createLedger, type Ledger, type Result } from "./ledger.js";
import { openObserver } from "./observer.js";
import { AuditUnavailable, ReleaseFailed } from "./refusals.js";
import { type Stages, stages } from "./stages.js";
import {
  type LedgerSql,
  type LedgerStatement,
  openStore,
  type StatementName,
  type StepStore,
  type Store,
} from "./store.js";

export const ledgerProfile: Profile = {
  name: "ledger",
  layers: ["validate", "check", "execute", "output", "receipt"],
  checkpoints: ["before_business", "after_business", "output_check"],
  crashPoints: ["inside_transaction", "after_commit", "before_receipt", "after_receipt"],
  faults: faultKinds.filter((kind) => kind !== "spoilt_output"),
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
  readonly footprint?: (statement: LedgerStatement, footprint: Footprint) => Footprint;
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

const emptied = ["effects", "receipts", "policy", "policy_revisions"];

function ledgerSystem(directory: string, variant: Variant): InProcessSystem {
  let initial: number | "none" = "none";
  const process = sqliteProcess<StatementName, Store, Ledger>(directory, {
    name: "ledger",
    emptied,
    openObserver,
    openStore: (file, watch) =>
      openStore(file, {
        ...watch,
        ...(variant.sql === undefined ? {} : { sql: variant.sql }),
        ...(variant.schema === undefined ? {} : { schema: variant.schema }),
      }),
    start: (store, draw) => {
      store.initialise(initial);
      variant.onOpen?.(store);
      const own = variant.stages === undefined ? stages : { ...stages, ...variant.stages() };
      let now = 0;
      const clock = (): number => {
        draw("#clock");
        return ++now;
      };
      return createLedger(store, own, clock);
    },
    ...(variant.footprint === undefined ? {} : { footprint: variant.footprint }),
  });

  return {
    ...process,
    profile: ledgerProfile,
    begin: ({ policy }) => {
      initial = policy.kind === "limit" ? policy.maxCopies : "none";
      process.begin();
    },
    call: (submission, hooks, signal) => process.running().run(ledgerCall(submission, hooks, signal)),
    outcomeOf: variant.outcomeOf ?? outcomeOf,
    setPolicy: (setting: PolicySetting) => process.running().setPolicy(setting),
  };
}

/** A submission as the ledger is called with it, its checks asked through the host. */
export function ledgerCall(
  submission: Submission,
  hooks: Hooks,
  signal: AbortSignal,
): Parameters<Ledger["run"]>[0] {
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
