/**
 * The words that model, executor, judge and scenario files share: literal lists and record types,
 * without a line of logic. On the wire every word is `snake_case`; record fields are `camelCase`.
 */

/** Every value that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Pipeline stages in the order in which an attempt passes them. */
export const stages = ["validate", "check", "execute", "output", "receipt", "release"] as const;
export type Stage = (typeof stages)[number];

/** Named awaits ◆: an attempt can be parked, cancelled, made to throw, or lost there. */
export const checkpoints = ["before_business", "after_business", "output_check"] as const;
export type Checkpoint = (typeof checkpoints)[number];

/** Named places ▲ around a durable write, announced synchronously: an attempt can be made to throw or be killed there. */
export const crashPoints = ["inside_transaction", "after_commit", "before_receipt", "after_receipt"] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** What an attempt says of its own passage; in this order, each at most once, in an accepted attempt. */
export const stageEvents = [
  "arguments_valid",
  "input_allowed",
  "business_started",
  "effect_committed",
  "effect_reused",
  "output_started",
  "output_allowed",
] as const;
export type StageEvent = (typeof stageEvents)[number];

export const statuses = [
  "accepted",
  "input_rejected",
  "output_rejected",
  "key_conflict",
  "policy_changed",
  "error",
  "cancelled",
] as const;
export type Status = (typeof statuses)[number];

/**
 * Why a status is what it is: `ok`, the field a contract refused (`shape`, `job`, …), a rule (`batch_limit`,
 * `missing_policy`, `output_contract`, …), what the driver said (`busy`, `read_only`, `disk_full`, `commit_refused`,
 * `effect_not_written`), the checkpoint or crash point of an error, or `no_verdict`. A tool's contract brings codes
 * of its own, so it is any text.
 */
export type Code = string;

export const abilities = [
  "cancel",
  "policy",
  "recheck_at_commit",
  "crash",
  "kill",
  "approvals",
  "reconcile",
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
] as const;
export type Ability = (typeof abilities)[number];

/** Stages that a driver fault can hit, and stages whose checker can fail to give a verdict. */
export const driverStages = ["execute", "receipt"] as const;
export type DriverStage = (typeof driverStages)[number];
export const checkerStages = ["check", "output"] as const;
export type CheckerStage = (typeof checkerStages)[number];

/** Faults of the store's driver; each hits one stage. `receipt_*` hit `receipt`, `effect_ignored` hits `execute`. */
export type DriverFault =
  | { readonly kind: "receipt_ignored" | "receipt_aborted" | "effect_ignored" }
  | { readonly kind: "busy" | "commit_refused" | "disk_full" | "read_only"; readonly stage: DriverStage };

export type CheckerFault = {
  readonly kind: "checker_throws" | "checker_rejects_falsy" | "checker_hangs" | "checker_garbled";
  readonly stage: CheckerStage;
};

export type ThrowAt = { readonly kind: "throw_at"; readonly at: Checkpoint | CrashPoint };
export type BadOutput = { readonly kind: "bad_output" };

/** A fault never travels in the request; an attempt's plan of faults is handed to the harness alone. */
export type Fault = DriverFault | CheckerFault | ThrowAt | BadOutput;

export const faultKinds = [
  "throw_at",
  "bad_output",
  "receipt_ignored",
  "receipt_aborted",
  "effect_ignored",
  "busy",
  "commit_refused",
  "disk_full",
  "read_only",
  "checker_throws",
  "checker_rejects_falsy",
  "checker_hangs",
  "checker_garbled",
] as const satisfies readonly Fault["kind"][];
export type FaultKind = Fault["kind"];

/** What an executor claims. Actions, faults and promises follow the claim. */
export type Profile = {
  readonly name: string;
  /** In pipeline order. */
  readonly layers: readonly Stage[];
  /** Where the executor stops, in pipeline order; empty for one that runs to its end. */
  readonly checkpoints: readonly Checkpoint[];
  readonly crashPoints: readonly CrashPoint[];
  readonly faults: readonly FaultKind[];
  readonly abilities: readonly Ability[];
};

/** Harness name of an attempt, numbered in order of submission and never renumbered. */
export type AttemptName = `a${number}`;

/** From the runtime, never from the request. */
export type Context = {
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  readonly principal: string;
};

/** The parts of a capability, in the order in which a refusal names the first that no held grant fits. */
export const capabilityParts = ["principal", "tenant", "tool", "resource"] as const;
export type CapabilityPart = (typeof capabilityParts)[number];

/** One capability: this principal may, in this tenant, use this tool on this resource. No part is a pattern. */
export type Grant = { readonly [Part in CapabilityPart]: string };

/** A policy as an operator sets it; `maxCopies` is 0–9. */
export type PolicySetting =
  | { readonly kind: "remove" }
  | { readonly kind: "limit"; readonly maxCopies: number };

/** A policy as the store holds it; `revision` starts at 1 and only grows. */
export type Policy =
  | { readonly kind: "missing" }
  | { readonly kind: "present"; readonly revision: number; readonly maxCopies: number };

/** What a request means by the tool's contract. `weight` is what the policy limits. */
export type Facts =
  | { readonly kind: "invalid"; readonly code: Code }
  | { readonly kind: "valid"; readonly key: string; readonly digest: string; readonly weight: number };

/** One step of an interleaving. `request` is JSON text exactly as the executor receives it. */
export type Action =
  | {
      readonly kind: "submit";
      readonly attempt: AttemptName;
      readonly request: string;
      readonly context: Context;
      readonly faults: readonly Fault[];
    }
  | {
      /** Same call, same request, a new attempt. */
      readonly kind: "retry";
      readonly attempt: AttemptName;
      readonly of: AttemptName;
      readonly faults: readonly Fault[];
    }
  | {
      /** `retry_changed`: same call and key, other arguments. `resubmit_new_key`: a new call for the same intent under another key. */
      readonly kind: "retry_changed" | "resubmit_new_key";
      readonly attempt: AttemptName;
      readonly of: AttemptName;
      readonly request: string;
      readonly faults: readonly Fault[];
    }
  | { readonly kind: "advance" | "finish" | "cancel" | "expire"; readonly attempt: AttemptName }
  | { readonly kind: "change_policy"; readonly to: PolicySetting }
  | { readonly kind: "arm" | "disarm"; readonly fault: DriverFault }
  | { readonly kind: "crash"; readonly where: CrashWhere }
  | { readonly kind: "restart" }
  | { readonly kind: "observe" };
export type ActionKind = Action["kind"];

export const actionKinds = [
  "submit",
  "retry",
  "retry_changed",
  "resubmit_new_key",
  "advance",
  "finish",
  "cancel",
  "expire",
  "change_policy",
  "arm",
  "disarm",
  "crash",
  "restart",
  "observe",
] as const satisfies readonly ActionKind[];

/** `at`: the named attempt is advanced and killed at that point if it passes it; otherwise it is a plain advance. */
export type CrashWhere =
  | { readonly kind: "parked" }
  | { readonly kind: "at"; readonly attempt: AttemptName; readonly at: CrashPoint };

/** What reached the caller. */
export type Released = { readonly kind: "nothing" } | { readonly kind: "value"; readonly value: Json };

/** Why an audit failed; in this order in a list, each at most once. */
export const auditCauses = ["cancelled", "receipt_write", "driver", "other"] as const;
export type AuditCause = (typeof auditCauses)[number];

export const unknownCauses = ["timeout", "disconnect", "unreadable", "rejected", "after_receipt"] as const;
export type UnknownCause = (typeof unknownCauses)[number];

/** How a call ended for its caller. */
export type Outcome =
  | {
      readonly kind: "completed";
      readonly receiptNumber: number;
      readonly status: Status;
      readonly code: Code;
      readonly events: readonly StageEvent[];
      readonly effectExists: boolean;
      readonly released: Released;
    }
  | { readonly kind: "cancelled"; readonly reason: "callers" | "other"; readonly errorText: string }
  | {
      readonly kind: "audit_unavailable";
      readonly causes: readonly AuditCause[];
      readonly events: readonly StageEvent[];
      readonly errorText: string;
    }
  | { readonly kind: "refused" | "failed"; readonly proof: string; readonly errorText: string }
  | { readonly kind: "unknown"; readonly cause: UnknownCause; readonly errorText: string };

export type EffectRow = {
  readonly tenant: string;
  readonly tool: string;
  readonly key: string;
  readonly digest: string;
  readonly body: string;
  readonly revision: number;
  readonly runId: string;
  readonly callId: string;
};

export type ReceiptKey = { readonly kind: "none" } | { readonly kind: "key"; readonly key: string };

export type ReceiptRow = {
  readonly number: number;
  readonly delivery: string;
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  readonly key: ReceiptKey;
  readonly status: Status;
  readonly code: Code;
  readonly effectExists: boolean;
  readonly events: readonly StageEvent[];
  /** Every column as text: what a canary must not occur in. */
  readonly raw: string;
};

export type WriteLock = "free" | "held" | "held_by_harness" | "not_probed";

/** What a second observer reads from the store. Rows are lists, so that duplicates show; order is the store's. */
export type Observation = {
  readonly effects: readonly EffectRow[];
  readonly receipts: readonly ReceiptRow[];
  readonly policy: Policy;
  readonly writeLock: WriteLock;
};

export type SnapshotRevision =
  | { readonly kind: "none" }
  | { readonly kind: "seen"; readonly revision: number };

/** What happened, as the harness recorded it. */
export type Happening =
  | {
      readonly kind: "submitted";
      readonly attempt: AttemptName;
      readonly delivery: string;
      readonly request: string;
      readonly context: Context;
      readonly faults: readonly Fault[];
      readonly contract: Facts;
      /** Texts of this request that no receipt, error or log line may hold. */
      readonly canaries: readonly string[];
    }
  | { readonly kind: "advanced"; readonly attempt: AttemptName }
  | {
      readonly kind: "parked";
      readonly attempt: AttemptName;
      readonly at: Checkpoint;
      readonly snapshotRevision: SnapshotRevision;
    }
  | { readonly kind: "blocked"; readonly attempt: AttemptName; readonly on: string }
  | {
      readonly kind: "fault_fired";
      readonly attempt: AttemptName;
      readonly fault: Fault;
      readonly at: string;
    }
  | { readonly kind: "cancel_requested"; readonly attempt: AttemptName }
  | { readonly kind: "cancel_delivered"; readonly attempt: AttemptName; readonly at: Checkpoint }
  | { readonly kind: "cancel_too_late"; readonly attempt: AttemptName }
  | { readonly kind: "expired"; readonly attempt: AttemptName }
  | {
      readonly kind: "ended";
      readonly attempt: AttemptName;
      readonly outcome: Outcome;
      /** Whether the contract accepts the released value for this request; `nothing` if nothing was released. */
      readonly releasedIs: "acceptable" | "unacceptable" | "nothing";
      /** Read in the very moment in which the call settled. */
      readonly atRelease: Observation;
    }
  | { readonly kind: "policy_set"; readonly setting: PolicySetting }
  | { readonly kind: "armed" | "disarmed"; readonly fault: DriverFault }
  | {
      readonly kind: "crashed";
      readonly advancing:
        | { readonly kind: "idle" }
        | { readonly kind: "attempt"; readonly attempt: AttemptName; readonly at: CrashPoint };
      readonly lost: readonly AttemptName[];
    }
  | { readonly kind: "restarted"; readonly result: "up" | "failed" }
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "logged"; readonly text: string }
  /** Activity of an attempt after it ended. */
  | { readonly kind: "late"; readonly attempt: AttemptName; readonly what: string }
  /** Faults are gone and everything is driven to its end from here on. */
  | { readonly kind: "epilogue" }
  | { readonly kind: "observed"; readonly observation: Observation };

/** `position` counts events from 0; `action` is the index in the action list, or its length in the epilogue. */
export type Event = Happening & { readonly position: number; readonly action: number };
