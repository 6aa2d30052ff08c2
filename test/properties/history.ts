import type {
  AttemptName,
  Checkpoint,
  CrashPoint,
  EffectRow,
  Event,
  Facts,
  Fault,
  Happening,
  Observation,
  Outcome,
  Policy,
  PolicySetting,
  Profile,
  ReceiptRow,
  StageEvent,
  UnknownCause,
} from "../../src/model/vocabulary.js";
import { checkpoints, crashPoints, faultKinds } from "../../src/model/vocabulary.js";
import { createJudge } from "../../src/properties/judge.js";
import { type PromiseId, promiseIds, type RunVerdict, type Violation } from "../../src/properties/verdict.js";

/**
 * Histories written by hand. Unless a test says otherwise: tenant t1, run r1, call c-a1, delivery d-a1 for attempt a1;
 * key JOB-001, digest D1, body B1, weight 2; policy revision 1 with max_copies 3; nobody holds the write lock.
 */

export const ledger: Profile = {
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
  ],
};

/** Numbers events; the action grows after each read of the store and each skip, until the epilogue. */
export function happened(...happenings: readonly (Happening | readonly Happening[])[]): readonly Event[] {
  let action = 0;
  let inEpilogue = false;
  return happenings.flat().map((happening, position) => {
    const event: Event = { ...happening, position, action };
    if (happening.kind === "epilogue") inEpilogue = true;
    const endsAction = happening.kind === "observed" || happening.kind === "skipped";
    if (endsAction && position > 0 && !inEpilogue) action++;
    return event;
  });
}

/** What the judge says of a history, for these promises alone. */
export function verdictOn(
  history: readonly Event[],
  promises: readonly PromiseId[],
  options: { readonly profile?: Profile; readonly policy?: PolicySetting } = {},
): RunVerdict {
  const { profile = ledger, policy = { kind: "limit", maxCopies: 3 } } = options;
  const judge = createJudge(profile, { policy, tool: "draft", promises });
  for (const event of history) judge.add(event);
  judge.finish();
  return judge.verdict();
}

/** Violations of one promise, judged alone. */
export function breaches(promise: PromiseId, history: readonly Event[]): readonly Violation[] {
  return verdictOn(history, [promise]).violations;
}

/** Whether the situation that a promise guards occurred. */
export function occurs(promise: PromiseId, history: readonly Event[]): boolean {
  return verdictOn(history, [promise]).occurred.includes(promise);
}

/** Promises over the evidence that a history breaks; none for what a sound executor may do. */
export function broken(history: readonly Event[]): readonly PromiseId[] {
  const named = promiseIds.filter((id) => id !== "matches-the-machine");
  return verdictOn(history, named).violations.map(({ promise }) => promise);
}

export function valid(key: string, digest: string, weight: number): Facts {
  return { kind: "valid", key, digest, weight };
}

export const invalid: Facts = { kind: "invalid", code: "copies" };

export const firstRequest = valid("JOB-001", "D1", 2);
/** The same key with other arguments. */
export const changedRequest = valid("JOB-001", "D2", 3);
export const otherKey = valid("JOB-002", "D3", 1);

export function submitted(
  attempt: AttemptName,
  contract: Facts = firstRequest,
  more: {
    readonly tenant?: string;
    readonly callId?: string;
    readonly canaries?: readonly string[];
    readonly faults?: readonly Fault[];
  } = {},
): Happening {
  const { tenant = "t1", callId = `c-${attempt}`, canaries = [], faults = [] } = more;
  return {
    kind: "submitted",
    attempt,
    delivery: `d-${attempt}`,
    request: "{}",
    context: { tenant, runId: "r1", callId, principal: "p1" },
    faults,
    contract,
    canaries,
  };
}

export const advanced = (attempt: AttemptName): Happening => ({ kind: "advanced", attempt });
export const expired = (attempt: AttemptName): Happening => ({ kind: "expired", attempt });
export const blocked = (attempt: AttemptName, on: string): Happening => ({ kind: "blocked", attempt, on });
export const cancelRequested = (attempt: AttemptName): Happening => ({ kind: "cancel_requested", attempt });
export const cancelTooLate = (attempt: AttemptName): Happening => ({ kind: "cancel_too_late", attempt });
export const late = (attempt: AttemptName, what: string): Happening => ({ kind: "late", attempt, what });
export const logged = (text: string): Happening => ({ kind: "logged", text });
export const epilogue: Happening = { kind: "epilogue" };
export const restarted: Happening = { kind: "restarted", result: "up" };
export const restartFailed: Happening = { kind: "restarted", result: "failed" };

export function cancelDelivered(attempt: AttemptName, at: Checkpoint): Happening {
  return { kind: "cancel_delivered", attempt, at };
}

/** `revision`: the policy revision that the attempt's check has seen. */
export function parked(attempt: AttemptName, at: Checkpoint, revision = 1): Happening {
  return { kind: "parked", attempt, at, snapshotRevision: { kind: "seen", revision } };
}

export function fired(attempt: AttemptName, fault: Fault): Happening {
  return { kind: "fault_fired", attempt, fault, at: "somewhere" };
}

/** The value released, if any, is the right one. */
export function ended(attempt: AttemptName, outcome: Outcome, atRelease: Observation): Happening {
  const releases = outcome.kind === "completed" && outcome.released.kind === "value";
  return { kind: "ended", attempt, outcome, releasedIs: releases ? "acceptable" : "nothing", atRelease };
}

export function policySet(maxCopies: number): Happening {
  return { kind: "policy_set", setting: { kind: "limit", maxCopies } };
}
export const policyRemoved: Happening = { kind: "policy_set", setting: { kind: "remove" } };

export function crashedAtRest(...lost: readonly AttemptName[]): Happening {
  return { kind: "crashed", advancing: { kind: "idle" }, lost };
}

/** The first of `lost` is the attempt that was advancing. */
export function crashedAt(
  at: CrashPoint,
  attempt: AttemptName,
  ...others: readonly AttemptName[]
): Happening {
  return { kind: "crashed", advancing: { kind: "attempt", attempt, at }, lost: [attempt, ...others] };
}

export function observed(observation: Observation): Happening {
  return { kind: "observed", observation };
}

export function store(parts: Partial<Observation> = {}): Observation {
  return { effects: [], receipts: [], policy: policy(1, 3), writeLock: "free", ...parts };
}

export function policy(revision: number, maxCopies: number): Policy {
  return { kind: "present", revision, maxCopies };
}
export const noPolicy: Policy = { kind: "missing" };

export function effect(parts: Partial<EffectRow> = {}): EffectRow {
  return {
    tenant: "t1",
    tool: "draft",
    key: "JOB-001",
    digest: "D1",
    body: "B1",
    revision: 1,
    runId: "r1",
    callId: "c-a1",
    ...parts,
  };
}

export const stopped = {
  byArguments: [],
  byCheck: ["arguments_valid"],
  beforeBusiness: ["arguments_valid", "input_allowed"],
  inBusiness: ["arguments_valid", "input_allowed", "business_started"],
  afterCommit: ["arguments_valid", "input_allowed", "business_started", "effect_committed"],
  afterReuse: ["arguments_valid", "input_allowed", "business_started", "effect_reused"],
  byOutput: ["arguments_valid", "input_allowed", "business_started", "effect_committed", "output_started"],
} as const satisfies { readonly [where: string]: readonly StageEvent[] };

export const committedAndPassed: readonly StageEvent[] = [...stopped.byOutput, "output_allowed"];
export const reusedAndPassed: readonly StageEvent[] = [
  ...stopped.afterReuse,
  "output_started",
  "output_allowed",
];

/** An accepted receipt of an attempt that committed, unless `parts` says otherwise. */
export function receipt(number: number, attempt: AttemptName, parts: Partial<ReceiptRow> = {}): ReceiptRow {
  return {
    number,
    delivery: `d-${attempt}`,
    tenant: "t1",
    runId: "r1",
    callId: `c-${attempt}`,
    key: { kind: "key", key: "JOB-001" },
    status: "accepted",
    code: "ok",
    effectExists: true,
    events: committedAndPassed,
    raw: `row ${number}`,
    ...parts,
  };
}
export const noKey = { kind: "none" } as const;
export const keyed = (key: string) => ({ kind: "key", key }) as const;

type Completed = Extract<Outcome, { kind: "completed" }>;

/** What a caller is told who is told the truth of this receipt; an accepted one releases a value. */
export function told(row: ReceiptRow, parts: Partial<Completed> = {}): Completed {
  const { number, status, code, events, effectExists } = row;
  const released = status === "accepted" ? ({ kind: "value", value: "B1" } as const) : nothingReleased;
  return { kind: "completed", receiptNumber: number, status, code, events, effectExists, released, ...parts };
}
export const nothingReleased = { kind: "nothing" } as const;

export const cancelled: Outcome = { kind: "cancelled", reason: "callers", errorText: "aborted" };

export function unknown(cause: UnknownCause = "after_receipt"): Outcome {
  return { kind: "unknown", cause, errorText: "no answer" };
}

export function auditUnavailable(
  events: readonly StageEvent[],
  causes: Extract<Outcome, { kind: "audit_unavailable" }>["causes"] = ["receipt_write"],
): Outcome {
  return { kind: "audit_unavailable", causes, events, errorText: "audit unavailable" };
}

/** An attempt is submitted and stands before its business; the store is as given. */
export function startOf(
  attempt: AttemptName,
  at: Observation,
  contract: Facts = firstRequest,
): readonly Happening[] {
  return [submitted(attempt, contract), parked(attempt, "before_business"), observed(at)];
}

/** An attempt moves on to a checkpoint; the store is then as given. */
export function advanceTo(attempt: AttemptName, at: Checkpoint, now: Observation): readonly Happening[] {
  return [advanced(attempt), parked(attempt, at), observed(now)];
}

/** An attempt moves on to its end; the store is as given in that moment and after it. */
export function advanceToEnd(attempt: AttemptName, outcome: Outcome, now: Observation): readonly Happening[] {
  return [advanced(attempt), ended(attempt, outcome, now), observed(now)];
}

/** `a1` has committed JOB-001 and was accepted with receipt 1; events 0 to 12, actions 0 to 3. */
export const acceptedOnce: readonly Happening[] = [
  observed(store()),
  ...startOf("a1", store()),
  ...advanceTo("a1", "after_business", store({ effects: [effect()] })),
  ...advanceTo("a1", "output_check", store({ effects: [effect()] })),
  ...advanceToEnd("a1", told(receipt(1, "a1")), store({ effects: [effect()], receipts: [receipt(1, "a1")] })),
];
export const afterAccepted = store({ effects: [effect()], receipts: [receipt(1, "a1")] });
