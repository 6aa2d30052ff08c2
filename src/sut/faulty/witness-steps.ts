import type { Action, AttemptName, CrashPoint, Fault } from "../../model/vocabulary.js";

/** The plainest valid request, and others that differ from it in one respect. */
export const request = {
  river: draft("JOB-001", "river", 2),
  /** The same key, another digest. */
  forest: draft("JOB-001", "forest", 2),
  otherKey: draft("JOB-002", "river", 2),
  /** Valid by its shape, refused by the limit of 3. */
  tooMany: draft("JOB-001", "river", 4),
  /** Refused by its shape; the topic is a text that must turn up nowhere. */
  canary: draft("JOB-001", "CANARY-1", 2),
} as const;

/** A request in the order of fields that an agent would write. */
export function draft(job: string, topic: string, copies: number): string {
  return JSON.stringify({ job, topic, copies });
}

/** Each attempt is a call of its own, so that no two share more than the tenant and the run. */
export function submit(attempt: AttemptName, text: string, ...faults: readonly Fault[]): Action {
  const context = { tenant: "t1", runId: "r1", callId: `c-${attempt}`, principal: "p1" };
  return { kind: "submit", attempt, request: text, context, faults };
}

export function advance(attempt: AttemptName): Action {
  return { kind: "advance", attempt };
}

export function finish(attempt: AttemptName): Action {
  return { kind: "finish", attempt };
}

export function cancel(attempt: AttemptName): Action {
  return { kind: "cancel", attempt };
}

export function changePolicy(to: number | "remove"): Action {
  return {
    kind: "change_policy",
    to: to === "remove" ? { kind: "remove" } : { kind: "limit", maxCopies: to },
  };
}

export function crashAt(attempt: AttemptName, at: CrashPoint): Action {
  return { kind: "crash", where: { kind: "at", attempt, at } };
}

export const crashWhileParked: Action = { kind: "crash", where: { kind: "parked" } };
