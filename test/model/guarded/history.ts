import { type Accepted, accept, type Frontier, startFrontier } from "../../../src/model/accept.js";
import type {
  AttemptName,
  AuditCause,
  Checkpoint,
  Code,
  Consent,
  CrashPoint,
  Decision,
  DecisionAnswer,
  DecisionName,
  DecisionRow,
  EffectRow,
  Event,
  Happening,
  LayerAction,
  LayerResults,
  Observation,
  Outcome,
  PolicySetting,
  Profile,
  ReceiptRow,
  RequestRow,
  StageEvent,
  Status,
  StepRow,
  UseRow,
} from "../../../src/model/vocabulary.js";
import type { Effect } from "../../../src/model/world.js";
import { contextOf, guarded, held, type Intent, interpret, type Saying, three } from "./fixture.js";

/** What a harness would have recorded of a guarded executor, in as few words as can be. */
export function submitted(attempt: AttemptName, intent: Intent, saying: Saying = {}): Happening {
  const context = contextOf(attempt, intent, saying);
  const { faults = [] } = saying;
  return {
    kind: "submitted",
    attempt,
    delivery: `d-${attempt}`,
    request: intent.request,
    context,
    faults,
    contract: interpret(intent.request, context),
    canaries: [],
  };
}

export function advanced(attempt: AttemptName): Happening {
  return { kind: "advanced", attempt };
}

export function parked(attempt: AttemptName, at: Checkpoint, revision = 1): Happening {
  return { kind: "parked", attempt, at, snapshotRevision: { kind: "seen", revision } };
}

export function layers(
  schema: LayerAction,
  business: LayerAction,
  capability: LayerAction,
  approval: LayerAction,
): LayerResults {
  return { schema, business, capability, approval };
}

/** The end of an attempt that got its answer. */
export type End = {
  readonly status: Status;
  readonly code: Code;
  readonly events: readonly StageEvent[];
  readonly effectExists?: boolean;
  readonly layers: LayerResults;
};

const nothingStored: Observation = {
  effects: [],
  receipts: [],
  policy: { kind: "present", revision: 1, maxCopies: 3, approval: "not_required" },
  writeLock: "free",
  consent: { steps: [], requests: [], decisions: [], uses: [], escalations: [] },
};

export function ended(attempt: AttemptName, receiptNumber: number, end: End): Happening {
  const released = end.status === "accepted" ? ({ kind: "value", value: "x" } as const) : nothing;
  return settled(attempt, { kind: "completed", receiptNumber, effectExists: false, ...end, released });
}

const nothing = { kind: "nothing" } as const;

export function settled(attempt: AttemptName, outcome: Outcome): Happening {
  const releasedIs = outcome.kind === "completed" && outcome.status === "accepted" ? "acceptable" : "nothing";
  return { kind: "ended", attempt, outcome, releasedIs, atRelease: nothingStored };
}

export const timeout: Outcome = { kind: "unknown", cause: "timeout", errorText: "no answer" };

export function unaudited(causes: readonly AuditCause[], events: readonly StageEvent[]): Outcome {
  return { kind: "audit_unavailable", causes, events, errorText: "no receipt" };
}

/** Who decides genuinely on request 1 of c-a1, who wants to page. */
export function genuine(decision: DecisionName, verdict: Decision["verdict"] = "grant"): Decision {
  return {
    decision,
    request: 1,
    verdict,
    by: { approver: "approver-1", tenant: "t1", roles: ["incident_commander"] },
    shown: { tool: "notify_oncall", runId: "r1", callId: "c-a1", digest: "page-search" },
  };
}

export const recorded: DecisionAnswer = { kind: "recorded" };

export function decided(decision: Decision, answer: DecisionAnswer = recorded): Happening {
  return { kind: "decided", ...decision, answer };
}

export function killed(attempt: AttemptName, at: CrashPoint, ...lost: readonly AttemptName[]): Happening {
  return { kind: "crashed", advancing: { kind: "attempt", attempt, at }, lost };
}

export const restarted: Happening = { kind: "restarted", result: "up" };

export const stepRow: StepRow = { tenant: "t1", runId: "r1", step: 0, callId: "c-a1", replaces: "none" };

export const requestRow: RequestRow = {
  number: 1,
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  principal: "p1",
  tool: "notify_oncall",
  digest: "page-search",
  revision: 1,
  role: "incident_commander",
  requestedAt: 0,
  expiresAt: 2,
};

export const decisionRow: DecisionRow = {
  number: 1,
  request: 1,
  verdict: "grant",
  approver: "approver-1",
  role: "incident_commander",
  decidedAt: 0,
};

export const useRow: UseRow = {
  tenant: "t1",
  runId: "r1",
  callId: "c-a1",
  tool: "notify_oncall",
  digest: "page-search",
  request: 1,
};

/** As the machine has it, which knows no bodies. */
export const pagedEffect: Effect = {
  tenant: "t1",
  tool: "notify_oncall",
  key: "",
  digest: "page-search",
  revision: 1,
  runId: "r1",
  callId: "c-a1",
};

export const effectRow: EffectRow = { ...pagedEffect, body: "slow" };

export function receiptRow(number: number, attempt: AttemptName, end: End, callId = "c-a1"): ReceiptRow {
  return {
    number,
    delivery: `d-${attempt}`,
    tenant: "t1",
    runId: "r1",
    callId,
    key: { kind: "none" },
    effectExists: false,
    ...end,
    raw: "",
  };
}

/** A look at the store, which holds nothing but what is named. */
export function observed(
  consent: Partial<Consent> = {},
  stored: Partial<Omit<Observation, "consent">> = {},
): Extract<Happening, { kind: "observed" }> {
  const none = { steps: [], requests: [], decisions: [], uses: [], escalations: [] };
  return {
    kind: "observed",
    observation: { ...nothingStored, ...stored, consent: { ...none, ...consent } },
  };
}

type Followed =
  | { readonly kind: "following"; readonly frontier: Frontier }
  | (Extract<Accepted, { kind: "diverged" }> & { readonly position: number });

/** Where a history ends that the machine follows all the way, or where and why it diverges. */
export function follow(
  happenings: readonly Happening[],
  profile: Profile = guarded,
  setting: PolicySetting = three,
): Followed {
  let frontier = startFrontier(profile, setting, "toolbox", held);
  for (const [position, happening] of happenings.entries()) {
    const event: Event = { ...happening, position, action: position };
    const accepted = accept(frontier, event);
    if (accepted.kind !== "following") return { ...accepted, position };
    frontier = accepted.frontier;
  }
  return { kind: "following", frontier };
}

/** What follows is the story of c-a1, who asks, is granted, and pages. */
const allowed: readonly StageEvent[] = ["arguments_valid", "input_allowed", "capability_granted"];

export const waiting: End = {
  status: "waiting_for_approval",
  code: "approval_required",
  events: allowed,
  layers: layers("allow", "allow", "allow", "ask"),
};

export const accepted: End = {
  status: "accepted",
  code: "ok",
  events: [
    ...allowed,
    "approval_matched",
    "business_started",
    "effect_committed",
    "output_started",
    "output_allowed",
  ],
  effectExists: true,
  layers: layers("allow", "allow", "allow", "allow"),
};
