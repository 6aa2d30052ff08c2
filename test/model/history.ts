import { type Accepted, accept, type Frontier, startFrontier } from "../../src/model/accept.js";
import type {
  AttemptName,
  AuditCause,
  Checkpoint,
  Code,
  EffectRow,
  Event,
  Fault,
  Happening,
  Observation,
  Outcome,
  PolicySetting,
  Profile,
  ReceiptRow,
  StageEvent,
  Status,
  UnknownCause,
} from "../../src/model/vocabulary.js";
import { call, interpret, ledger, three } from "./fixture.js";

/** What a harness would have recorded, in as few words as a table of histories can bear. */
export function submitted(
  attempt: AttemptName,
  request: string,
  ...faults: readonly Fault[]
): Extract<Happening, { kind: "submitted" }> {
  return {
    kind: "submitted",
    attempt,
    delivery: `d-${attempt}`,
    request,
    context: call(`c-${attempt}`),
    faults,
    contract: interpret(request),
    canaries: [],
  };
}

export function advanced(attempt: AttemptName): Happening {
  return { kind: "advanced", attempt };
}

export function parked(attempt: AttemptName, at: Checkpoint, revision = 1): Happening {
  return { kind: "parked", attempt, at, snapshotRevision: { kind: "seen", revision } };
}

export function delivered(attempt: AttemptName, at: Checkpoint): Happening {
  return { kind: "cancel_delivered", attempt, at };
}

export function cancelRequested(attempt: AttemptName): Happening {
  return { kind: "cancel_requested", attempt };
}

export function tooLate(attempt: AttemptName): Happening {
  return { kind: "cancel_too_late", attempt };
}

export const nothingStored: Observation = {
  effects: [],
  receipts: [],
  policy: { kind: "present", revision: 1, maxCopies: 3 },
  writeLock: "free",
};

/** A call that ended so; accepted ones release an acceptable value. */
export function ended(attempt: AttemptName, outcome: Outcome): Extract<Happening, { kind: "ended" }> {
  const releasedIs = outcome.kind === "completed" && outcome.status === "accepted" ? "acceptable" : "nothing";
  return { kind: "ended", attempt, outcome, releasedIs, atRelease: nothingStored };
}

export function completed(
  receiptNumber: number,
  status: Status,
  code: Code,
  events: readonly StageEvent[],
  effectExists: boolean,
): Outcome {
  const released =
    status === "accepted" ? ({ kind: "value", value: "river" } as const) : ({ kind: "nothing" } as const);
  return { kind: "completed", receiptNumber, status, code, events, effectExists, released };
}

export const cancelled: Outcome = { kind: "cancelled", reason: "callers", errorText: "stop" };

export function unaudited(causes: readonly AuditCause[], events: readonly StageEvent[]): Outcome {
  return { kind: "audit_unavailable", causes, events, errorText: "no receipt" };
}

export function unknown(cause: UnknownCause): Outcome {
  return { kind: "unknown", cause, errorText: "no answer" };
}

export const draft: EffectRow = {
  tenant: "t1",
  tool: "drafts",
  key: "JOB-001",
  digest: "river-2",
  body: "river / copies=2",
  revision: 1,
  runId: "r1",
  callId: "c-a1",
};

export function receiptRow(
  number: number,
  attempt: AttemptName,
  status: Status,
  code: Code,
  events: readonly StageEvent[],
  effectExists: boolean,
): ReceiptRow {
  return {
    number,
    delivery: `d-${attempt}`,
    tenant: "t1",
    runId: "r1",
    callId: `c-${attempt}`,
    key: { kind: "key", key: "JOB-001" },
    status,
    code,
    effectExists,
    events,
    raw: "",
  };
}

/** A look at the store, which holds nothing but what is named. */
export function observed(stored: Partial<Observation> = {}): Happening {
  return { kind: "observed", observation: { ...nothingStored, ...stored } };
}

/** Where a history ends that the machine follows all the way, or where and why it diverges. */
export type Followed =
  | { readonly kind: "following"; readonly frontier: Frontier }
  | (Extract<Accepted, { kind: "diverged" }> & { readonly position: number });

export function follow(
  happenings: readonly Happening[],
  profile: Profile = ledger,
  setting: PolicySetting = three,
): Followed {
  let frontier = startFrontier(profile, setting, "drafts");
  for (const [position, happening] of happenings.entries()) {
    const event: Event = { ...happening, position, action: position };
    const accepted = accept(frontier, event);
    if (accepted.kind !== "following") return { ...accepted, position };
    frontier = accepted.frontier;
  }
  return { kind: "following", frontier };
}
