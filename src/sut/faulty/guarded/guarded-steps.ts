import type {
  Action,
  AttemptName,
  CrashPoint,
  DecisionName,
  Dispatch,
  Fault,
} from "../../../model/vocabulary.js";

export const ticket = { incident: "INC-001", title: "login fails", details: "from INC" };
export const note = { service: "search", message: "down" };
export const river = { job: "JOB-001", topic: "river", copies: 2 };

type Given = {
  readonly call?: string;
  readonly tenant?: string;
  readonly faults?: readonly Fault[];
} & Partial<Omit<Dispatch, "tool">>;

/** A call of a tool in run r1 of tenant t1 by p1, at step 0, which the context does not permit side effects. */
export function submit(attempt: AttemptName, tool: string, args: unknown, given: Given = {}): Action {
  const { call = `c-${attempt}`, tenant = "t1", faults = [], ...rest } = given;
  const dispatch = { tool, step: 0, replaces: "none", sideEffects: "not_permitted", ...rest } as const;
  const context = { tenant, runId: "r1", callId: call, principal: "p1", dispatch };
  return { kind: "submit", attempt, request: JSON.stringify(args), context, faults };
}

export const permitted = { sideEffects: "permitted" } as const;

export function advance(attempt: AttemptName): Action {
  return { kind: "advance", attempt };
}

export function finish(attempt: AttemptName): Action {
  return { kind: "finish", attempt };
}

export function cancel(attempt: AttemptName): Action {
  return { kind: "cancel", attempt };
}

export function retry(attempt: AttemptName, of: AttemptName): Action {
  return { kind: "retry", attempt, of, faults: [] };
}

export function retryWith(attempt: AttemptName, of: AttemptName, fault: Fault): Action {
  return { kind: "retry", attempt, of, faults: [fault] };
}

type Deciding = Extract<Action, { kind: "approve" | "deny" | "revoke" }>;

export function decide(
  kind: Deciding["kind"],
  decision: DecisionName,
  request = 1,
  flaw: Deciding["flaw"] = "none",
): Action {
  return { kind, decision, request, flaw, pace: "at_once" };
}

export function roundTrip(tampered: boolean): Action {
  return { kind: "round_trip", tampered };
}

/** As long as a request lives. */
export const untilExpiry: Action = { kind: "advance_clock", by: 2 };

export function changePolicy(approval: "required" | "not_required"): Action {
  const to = { kind: "limit", maxCopies: 3 } as const;
  return { kind: "change_policy", to: approval === "required" ? { ...to, approval } : to };
}

export function takeCapability(tool: string, resource: string): Action {
  return {
    kind: "set_capability",
    capability: { principal: "p1", tenant: "t1", tool, resource },
    held: false,
  };
}

export function crashAt(attempt: AttemptName, at: CrashPoint): Action {
  return { kind: "crash", where: { kind: "at", attempt, at } };
}

export const crash: Action = { kind: "crash", where: { kind: "parked" } };
export const restart: Action = { kind: "restart" };

/** A ticket that somebody has been asked about, by attempt a1: request 1 waits. */
export const ticketAsked: readonly Action[] = [submit("a1", "create_ticket", ticket), advance("a1")];

/** The same, granted. */
export const ticketGranted: readonly Action[] = [...ticketAsked, decide("approve", "d1")];

/** A draft that nobody may make unasked, granted by request 1. */
export const draftGranted: readonly Action[] = [
  submit("a1", "draft", river),
  advance("a1"),
  decide("approve", "d1"),
];
