import { describe, expect, it } from "vitest";
import type { PredictedOutcome } from "../../src/model/predicted.js";
import type { Action, AuditCause, Code, Fault, StageEvent, Status } from "../../src/model/vocabulary.js";
import type { Effect, Receipt } from "../../src/model/world.js";
import * as the from "./fixture.js";

/** The effect of a1, as the request river2 leaves it under revision 1. */
const draft: Effect = {
  tenant: "t1",
  tool: "drafts",
  key: "JOB-001",
  digest: "river-2",
  revision: 1,
  runId: "r1",
  callId: "c-a1",
};

function receipt(status: Status, code: Code, events: readonly StageEvent[], effectExists: boolean): Receipt {
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

function completed(row: Receipt, released: "acceptable" | "nothing" = "nothing"): PredictedOutcome {
  const { number: receiptNumber, status, code, events, effectExists } = row;
  return { kind: "completed", receiptNumber, status, code, events, effectExists, released };
}

function audit(causes: readonly AuditCause[], events: readonly StageEvent[]): PredictedOutcome {
  return { kind: "audit_unavailable", causes, events };
}

type Row = {
  readonly why: string;
  readonly faults: readonly Fault[];
  readonly outcome: PredictedOutcome;
  readonly effects: readonly Effect[];
  readonly receipts: readonly Receipt[];
  /** What the last move is called. */
  readonly last: string;
};

function refused(why: string, fault: Fault | readonly Fault[], code: Code, events: readonly StageEvent[], last: string): Row {
  const row = receipt("error", code, events, events.includes("effect_committed"));
  const effects = events.includes("effect_committed") ? [draft] : [];
  return { why, faults: [fault].flat(), outcome: completed(row), effects, receipts: [row], last };
}

function unaudited(why: string, fault: Fault, causes: readonly AuditCause[]): Row {
  const last = `output_check advance ended audit_unavailable ${causes.join("+")} from accepted/ok`;
  return { why, faults: [fault], outcome: audit(causes, the.complete), effects: [draft], receipts: [], last };
}
