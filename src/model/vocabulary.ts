/**
 * The words that model, executor, judge and scenario files share: literal lists and record types,
 * without a line of logic. On the wire every word is `snake_case`; record fields are `camelCase`.
 */

/** Every value that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Pipeline stages in the order in which an attempt passes them. */
export const stages = [
  "run",
  "validate",
  "check",
  "capability",
  "rules",
  "approval",
  "reserve",
  "execute",
  "output",
  "receipt",
  "release",
] as const;
export type Stage = (typeof stages)[number];

/** Named awaits ◆: an attempt can be parked, cancelled, made to throw, or lost there. */
export const checkpoints = ["before_request", "before_business", "after_business", "output_check"] as const;
export type Checkpoint = (typeof checkpoints)[number];

/** Named places ▲ around a durable write, announced synchronously: an attempt can be made to throw or be killed there. */
export const crashPoints = [
  "after_step",
  "after_request",
  "after_reserve",
  "inside_transaction",
  "after_commit",
  "before_settle",
  "before_receipt",
  "after_receipt",
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** Crash points ▲ of the handler that records a decision. */
export const decisionPoints = ["before_decision", "after_decision"] as const;
export type DecisionPoint = (typeof decisionPoints)[number];

/**
 * What an attempt says of its own passage; in this order, each at most once, in an accepted attempt. Only
 * `output_regenerated` is said once for each try after the first, at most twice.
 */
export const stageEvents = [
  "arguments_valid",
  "input_allowed",
  "capability_granted",
  "rules_passed",
  "approval_matched",
  "key_reserved",
  "business_started",
  "effect_committed",
  "effect_reused",
  "output_started",
  "output_regenerated",
  "output_allowed",
] as const;
export type StageEvent = (typeof stageEvents)[number];

export const statuses = [
  "accepted",
  "input_rejected",
  "permission_denied",
  "blocked",
  "waiting_for_approval",
  "approval_refused",
  "clarification_needed",
  "escalated",
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
  "runs",
  "capabilities",
  "clock",
  "separate_approver",
  "round_trip",
  "driver",
  "layer_results",
  "rules",
  "reservations",
] as const;
export type Ability = (typeof abilities)[number];

/** Stages that a driver fault can hit, and stages whose checker can fail to give a verdict. */
export const driverStages = ["execute", "receipt"] as const;
export type DriverStage = (typeof driverStages)[number];
export const checkerStages = ["check", "capability", "approval", "output"] as const;
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

/** What is wrong with a value on its way out; from the mildest to the strictest. */
export const outputFindings = ["format", "personal", "question", "impact", "secret"] as const;
export type OutputFinding = (typeof outputFindings)[number];

/** The first `tries` values that are made of the stored result are spoilt in this way; the stored result is not. */
export type SpoiltOutput = {
  readonly kind: "spoilt_output";
  readonly as: OutputFinding;
  readonly tries: 1 | 2 | 3;
};

/** A fault never travels in the request; an attempt's plan of faults is handed to the harness alone. */
export type Fault = DriverFault | CheckerFault | ThrowAt | BadOutput | SpoiltOutput;

export const faultKinds = [
  "throw_at",
  "bad_output",
  "spoilt_output",
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
  /** How long a request for approval can be granted and used, in units of the harness's clock; with layer `approval`. */
  readonly approvalLifetime?: number;
};

/** Harness name of an attempt, numbered in order of submission and never renumbered. */
export type AttemptName = `a${number}`;

/** Harness name of a decision on a request for approval, numbered and never renumbered. */
export type DecisionName = `d${number}`;

/** From the runtime, never from the request. */
export type Context = {
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  readonly principal: string;
  /** Absent where a profile has one tool, no runs and no approvals. */
  readonly dispatch?: Dispatch;
};

/** What the runtime made of a call: which tool it goes to, at which place of its run, with which permission. */
export type Dispatch = {
  readonly tool: string;
  /** From 0; a step may hold several calls. */
  readonly step: number;
  /** The call id whose place in the step this call takes, since that one was refused by its shape. */
  readonly replaces: string | "none";
  readonly sideEffects: "permitted" | "not_permitted";
};

/** The parts of a capability, in the order in which a refusal names the first that no held grant fits. */
export const capabilityParts = ["principal", "tenant", "tool", "resource"] as const;
export type CapabilityPart = (typeof capabilityParts)[number];

/** One capability: this principal may, in this tenant, use this tool on this resource. No part is a pattern. */
export type Grant = { readonly [Part in CapabilityPart]: string };

/** A policy as an operator sets it; `maxCopies` is 0–9. */
export type PolicySetting =
  | { readonly kind: "remove" }
  | { readonly kind: "limit"; readonly maxCopies: number; readonly approval?: ApprovalRule };

/** Whether a `write` that the context permits has to be approved all the same; absent without layer `approval`. */
export type ApprovalRule = "required" | "not_required";

/** A policy as the store holds it; `revision` starts at 1 and only grows. */
export type Policy =
  | { readonly kind: "missing" }
  | {
      readonly kind: "present";
      readonly revision: number;
      readonly maxCopies: number;
      readonly approval?: ApprovalRule;
    };

/** What a request means by the tool's contract. `weight` is what the policy limits. */
export type Facts =
  | { readonly kind: "invalid"; readonly code: Code }
  | {
      readonly kind: "valid";
      /** Empty for a tool without a business key: each of its calls has an effect of its own. */
      readonly key: string;
      readonly digest: string;
      readonly weight: number;
      /** With layer `capability` or `approval`. */
      readonly tool?: ToolFacts;
    };

export const effectClasses = ["read", "write", "external"] as const;
export type EffectClass = (typeof effectClasses)[number];

/** What the registry says of the tool of a call, and what the call touches. */
export type ToolFacts = {
  /** Whatever is not literally `read` or `write` needs approval always. */
  readonly effect: EffectClass | "unknown";
  readonly resource: string;
  /** The role that an approver must hold in the call's tenant. */
  readonly role: string;
};

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
  | {
      /** `revoke` is a deny after a grant. `request` is the number of the request as the store holds it. */
      readonly kind: "approve" | "deny" | "revoke";
      readonly decision: DecisionName;
      readonly request: number;
      readonly flaw: DecisionFlaw;
      /** `held`: stops where its handler does, before it opens its transaction, until it is settled. */
      readonly pace: "at_once" | "held";
    }
  | { readonly kind: "settle"; readonly decision: DecisionName }
  | { readonly kind: "advance_clock"; readonly by: number }
  | { readonly kind: "set_capability"; readonly capability: Grant; readonly held: boolean }
  /** What waits is written out, restored from that text, and compared; a tampered text names something else. */
  | { readonly kind: "round_trip"; readonly tampered: boolean }
  /** The executor's own driver looks at an ended attempt; if it repeats the call, that is the new attempt. */
  | { readonly kind: "drive"; readonly attempt: AttemptName; readonly of: AttemptName }
  /** A turn of the conversation begins with this text of the user. */
  | { readonly kind: "say"; readonly text: string }
  /** A whole rule set in place of the one before; a flawed one has to be refused, and the one before stays. */
  | { readonly kind: "change_rules"; readonly to: RuleSetting; readonly flaw: RuleFlaw }
  /** Settles, from the effects, what no attempt under way will settle. */
  | { readonly kind: "reconcile" }
  /** No state of a reservation can be read any more; their keys and who made them can. */
  | { readonly kind: "damage_ledger" }
  /** The other exit of the rules: a trace of all calls so far is judged. */
  | { readonly kind: "gate"; readonly flaw: TraceFlaw }
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
  "approve",
  "deny",
  "revoke",
  "settle",
  "advance_clock",
  "set_capability",
  "round_trip",
  "drive",
  "say",
  "change_rules",
  "reconcile",
  "damage_ledger",
  "gate",
  "crash",
  "restart",
  "observe",
] as const satisfies readonly ActionKind[];

/** A new attempt, as an action that may be killed on its way in. */
export type Entry = Extract<Action, { readonly kind: "submit" | "retry" }>;

/**
 * `at`: the named attempt is advanced and killed at that point if it passes it; otherwise it is a plain advance.
 * `entering`: the same of a new attempt up to its first halt. `deciding`: the same of a held decision up to its answer.
 */
export type CrashWhere =
  | { readonly kind: "parked" }
  | { readonly kind: "at"; readonly attempt: AttemptName; readonly at: CrashPoint }
  | { readonly kind: "entering"; readonly entry: Entry; readonly at: CrashPoint }
  | { readonly kind: "deciding"; readonly decision: DecisionName; readonly at: DecisionPoint };

/**
 * What is wrong with a decision, if anything: it names a request that was never opened, comes from another tenant, from
 * someone without the role, from the requester, or echoes another tool, call or digest than it was shown.
 */
export const decisionFlaws = [
  "none",
  "request",
  "tenant",
  "role",
  "requester",
  "tool",
  "call",
  "digest",
] as const;
export type DecisionFlaw = (typeof decisionFlaws)[number];

export const decisionVerdicts = ["grant", "deny"] as const;
export type DecisionVerdict = (typeof decisionVerdicts)[number];

/** Why a decision is refused, in the order in which the reasons are looked at; the last four are for grants alone. */
export const decisionRefusals = [
  "no_such_request",
  "tenant_mismatch",
  "not_entitled",
  "tool_mismatch",
  "call_mismatch",
  "digest_mismatch",
  "already_used",
  "already_denied",
  "superseded",
  "already_granted",
  "expired",
  "policy_changed",
] as const;
export type DecisionRefusal = (typeof decisionRefusals)[number];

/** A decision as its handler receives it, over a channel that no agent writes to. */
export type Decision = {
  readonly decision: DecisionName;
  readonly request: number;
  readonly verdict: DecisionVerdict;
  /** `roles` are those that the approver holds in `tenant` at that moment. */
  readonly by: { readonly approver: string; readonly tenant: string; readonly roles: readonly string[] };
  /** What the approver was shown. */
  readonly shown: {
    readonly tool: string;
    readonly runId: string;
    readonly callId: string;
    readonly digest: string;
  };
};

export type DecisionAnswer =
  | { readonly kind: "recorded" }
  | { readonly kind: "refused"; readonly code: DecisionRefusal }
  | { readonly kind: "unknown" };

/** What a rule claims of the calls of the profile's tool, in order of what is reported first. */
export type RuleClaim =
  /** At most one transaction under the key of a call. */
  | { readonly kind: "idempotent" }
  | { readonly kind: "forbid" }
  /** A closed list that the tool is not on. */
  | { readonly kind: "allow_others" }
  /** Of all calls of the conversation, also those that were refused. */
  | { readonly kind: "budget"; readonly most: number };

/** A rule of the rule set; once it is switched on it stays so. */
export type RuleWord = {
  readonly name: string;
  /** One of these occurs in what the user has said so far; empty: no such condition. */
  readonly saidAny: readonly string[];
  /** The conversation has come to this turn; 0: no such condition. */
  readonly fromTurn: number;
  readonly claim: RuleClaim;
};
export type RuleSetting = readonly RuleWord[];

/** What is wrong with a text of rules: a key that there is not in place of a condition, or a file that is no YAML. */
export const ruleFlaws = ["none", "unknown_key", "broken_file"] as const;
export type RuleFlaw = (typeof ruleFlaws)[number];

/** What the trace does not show of its last call. */
export const traceFlaws = ["none", "unnamed_call", "no_arguments"] as const;
export type TraceFlaw = (typeof traceFlaws)[number];

/** Of a key: `unknown` after an error that proves nothing, `unreadable` once its ledger was damaged. */
export const reservationStates = ["reserved", "done", "unknown", "unreadable"] as const;
export type ReservationState = (typeof reservationStates)[number];

/** A key that was reserved before its effect; at most one for each tenant and key. */
export type ReservationRow = {
  readonly tenant: string;
  readonly key: string;
  readonly state: ReservationState;
  /** Of the attempt that reserved it. */
  readonly delivery: string;
};

/** The layers of a decision on a call, each with a result of its own. */
export const guardLayers = ["schema", "business", "capability", "approval"] as const;
export type GuardLayer = (typeof guardLayers)[number];

/** What a layer answered, from the mildest to the strictest; `not_reached` where it was not asked. */
export const layerActions = ["not_reached", "allow", "ask", "escalate", "block"] as const;
export type LayerAction = (typeof layerActions)[number];
export type LayerResults = { readonly [layer in GuardLayer]: LayerAction };

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
      /** With the ability `layer_results`. */
      readonly layers?: LayerResults;
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
  /** With the ability `layer_results`. */
  readonly layers?: LayerResults;
  /** Every column as text: what a canary must not occur in. */
  readonly raw: string;
};

/** Written before the first attempt of a call; a run has used as many steps as differ in `step`. */
export type StepRow = {
  readonly tenant: string;
  readonly runId: string;
  readonly step: number;
  readonly callId: string;
  readonly replaces: string | "none";
};

/** A request for approval. Append-only; it holds no arguments. Times in units of the harness's clock. */
export type RequestRow = {
  /** From 1, in order of opening. */
  readonly number: number;
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  readonly principal: string;
  readonly tool: string;
  readonly digest: string;
  /** Policy revision under which it was disclosed. */
  readonly revision: number;
  readonly role: string;
  readonly requestedAt: number;
  /** The first moment at which it can be neither granted nor used any more. */
  readonly expiresAt: number;
};

/** Append-only. */
export type DecisionRow = {
  readonly number: number;
  readonly request: number;
  readonly verdict: DecisionVerdict;
  readonly approver: string;
  readonly role: string;
  readonly decidedAt: number;
};

/** One for each call that executed or met its effect; written in one transaction with it. It spends the approval. */
export type UseRow = {
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly digest: string;
  readonly request: number | "none";
};

/** A refusal that a human has to look at; written in one transaction with the receipt. */
export type EscalationRow = {
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  readonly delivery: string;
  readonly layer: "capability" | "output";
};

/** The durable rows from which consent and the state of a run are derived; in order of writing. */
export type Consent = {
  readonly steps: readonly StepRow[];
  readonly requests: readonly RequestRow[];
  readonly decisions: readonly DecisionRow[];
  readonly uses: readonly UseRow[];
  readonly escalations: readonly EscalationRow[];
};

export type WriteLock = "free" | "held" | "held_by_harness" | "not_probed";

/** What a second observer reads from the store. Rows are lists, so that duplicates show; order is the store's. */
export type Observation = {
  readonly effects: readonly EffectRow[];
  readonly receipts: readonly ReceiptRow[];
  readonly policy: Policy;
  readonly writeLock: WriteLock;
  /** With the ability `reservations`; in order of tenant and key. */
  readonly reservations?: readonly ReservationRow[];
  /** With layer `approval` or the ability `runs`. */
  readonly consent?: Consent;
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
  /** It stands where its handler stops, before its transaction. */
  | ({ readonly kind: "decision_held" } & Decision)
  | ({ readonly kind: "decided"; readonly answer: DecisionAnswer } & Decision)
  | { readonly kind: "clock_set"; readonly now: number }
  | { readonly kind: "capability_set"; readonly capability: Grant; readonly held: boolean }
  | { readonly kind: "round_tripped"; readonly tampered: boolean; readonly answer: "restored" | "refused" }
  /** What the executor's driver made of an ended attempt; `repeats` is followed by a submission of the same call. */
  | { readonly kind: "driven"; readonly of: AttemptName; readonly answer: "repeats" | "rests" }
  | { readonly kind: "said"; readonly text: string }
  | {
      readonly kind: "rules_set";
      readonly to: RuleSetting;
      readonly flaw: RuleFlaw;
      readonly answer: "taken" | "refused";
    }
  | { readonly kind: "reconciled" }
  | { readonly kind: "ledger_damaged" }
  /** For each call that came to the rules, in order: `allow`, or why it is refused or cannot be decided. */
  | { readonly kind: "gated"; readonly flaw: TraceFlaw; readonly verdicts: readonly Code[] }
  | { readonly kind: "armed" | "disarmed"; readonly fault: DriverFault }
  | {
      readonly kind: "crashed";
      readonly advancing:
        | { readonly kind: "idle" }
        | { readonly kind: "attempt"; readonly attempt: AttemptName; readonly at: CrashPoint }
        | { readonly kind: "decision"; readonly decision: DecisionName; readonly at: DecisionPoint };
      readonly lost: readonly AttemptName[];
      /** Held decisions whose approver hears nothing. */
      readonly lostDecisions?: readonly DecisionName[];
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
