import type { PredictedOutcome } from "../../src/model/predicted.js";
import type { AuditCause, Code, StageEvent, Status } from "../../src/model/vocabulary.js";
import type { Effect, Receipt } from "../../src/model/world.js";
import { complete } from "./fixture.js";

/** The effect of a1, as the request river2 leaves it under revision 1. */
export const draft: Effect = {
  tenant: "t1",
  tool: "drafts",
  key: "JOB-001",
  digest: "river-2",
  revision: 1,
  runId: "r1",
  callId: "c-a1",
};

export function receipt(
  status: Status,
  code: Code,
  events: readonly StageEvent[],
  effectExists: boolean,
): Receipt {
  return {
    number: 1,
    attempt: "a1",
    tenant: "t1",
    runId: "r1",
    callId: "c-a1",
    key: { kind: "key", key: "JOB-001" },
    status,
    code,
    effectExists,
    events,
  };
}

export function completed(row: Receipt, released: "acceptable" | "nothing" = "nothing"): PredictedOutcome {
  const { number: receiptNumber, status, code, events, effectExists } = row;
  return { kind: "completed", receiptNumber, status, code, events, effectExists, released };
}

export function audit(causes: readonly AuditCause[], events: readonly StageEvent[]): PredictedOutcome {
  return { kind: "audit_unavailable", causes, events };
}

/** What follows is what one attempt of river2 leaves under limit 3 when it is driven to its end. */

export const accepted = receipt("accepted", "ok", complete, true);
