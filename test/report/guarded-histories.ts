import type {
  Action,
  AttemptName,
  Consent,
  Context,
  Decision,
  EffectRow,
  Happening,
  LayerResults,
  Observation,
  Outcome,
  ReceiptRow,
  RequestRow,
  Status,
  UseRow,
} from "../../src/model/vocabulary.js";

/** Hand-made evidence of an executor with approvals, runs, capabilities and a clock. */

export const request = '{"incident":"INC-001","title":"down","details":"all of it"}';
const digest = "a".repeat(64);

const call = { tenant: "t1", runId: "r1", callId: "c-a1" };

const context: Context = {
  ...call,
  principal: "p1",
  dispatch: { tool: "create_ticket", step: 0, replaces: "none", sideEffects: "not_permitted" },
};

export function submit(attempt: AttemptName): Action & { kind: "submit" } {
  return { kind: "submit", attempt, request, context, faults: [] };
}

export function submitted(attempt: AttemptName): Happening {
  const tool = { effect: "write", resource: "tickets", role: "ticket_approver" } as const;
  return {
    kind: "submitted",
    attempt,
    delivery: `d-${attempt}`,
    request,
    context,
    faults: [],
    contract: { kind: "valid", key: "INC-001", digest, weight: 1, tool },
    canaries: [],
  };
}

export const requestRow: RequestRow = {
  ...call,
  number: 1,
  principal: "p1",
  tool: "create_ticket",
  digest,
  revision: 1,
  role: "ticket_approver",
  requestedAt: 0,
  expiresAt: 2,
};

export const useRow: UseRow = { ...call, tool: "create_ticket", digest, request: 1 };
export const effectRow: EffectRow = {
  ...call,
  tool: "create_ticket",
  key: "INC-001",
  digest,
  body: "{}",
  revision: 1,
};

const noConsent: Consent = { steps: [], requests: [], decisions: [], uses: [], escalations: [] };

/** What the store holds: the effect if there is a use row of it. */
export function store(consent: Partial<Consent>, receipts: readonly ReceiptRow[] = []): Observation {
  return {
    effects: (consent.uses ?? []).length === 0 ? [] : [effectRow],
    receipts,
    policy: { kind: "present", revision: 1, maxCopies: 3, approval: "required" },
    writeLock: "free",
    consent: { ...noConsent, ...consent },
  };
}

const allowed: LayerResults = { schema: "allow", business: "allow", capability: "allow", approval: "allow" };
const layersOf: { readonly [status in Status]?: LayerResults } = {
  waiting_for_approval: { ...allowed, approval: "ask" },
  permission_denied: { ...allowed, capability: "escalate", approval: "not_reached" },
};

export function receipt(number: number, attempt: AttemptName, status: Status, code: string): ReceiptRow {
  return {
    ...call,
    number,
    delivery: `d-${attempt}`,
    key: { kind: "key", key: "INC-001" },
    status,
    code,
    effectExists: status === "accepted",
    events: [],
    layers: layersOf[status] ?? allowed,
    raw: "",
  };
}

export function ended(
  { number, delivery, status, code, layers }: ReceiptRow,
  atRelease: Observation,
): Happening {
  const outcome: Outcome = {
    kind: "completed",
    receiptNumber: number,
    status,
    code,
    events: ["arguments_valid", "input_allowed", "capability_granted"],
    effectExists: status === "accepted",
    released: { kind: "nothing" },
    ...(layers === undefined ? {} : { layers }),
  };
  const attempt: AttemptName = delivery === "d-a1" ? "a1" : "a2";
  return { kind: "ended", attempt, outcome, releasedIs: "nothing", atRelease };
}

/** Someone entitled grants request 1. */
export const grant: Decision = {
  decision: "d1",
  request: 1,
  verdict: "grant",
  by: { approver: "approver-1", tenant: "t1", roles: ["ticket_approver"] },
  shown: { tool: "create_ticket", runId: "r1", callId: "c-a1", digest },
};

export const decisionRow = {
  number: 1,
  request: 1,
  verdict: "grant",
  approver: "approver-1",
  role: "ticket_approver",
  decidedAt: 0,
} as const;

export const stepRow = { ...call, step: 0, replaces: "none" } as const;
