import { z } from "zod";
import {
  auditCauses,
  checkpoints,
  crashPoints,
  decisionPoints,
  decisionRefusals,
  decisionVerdicts,
  type Event,
  effectClasses,
  ruleFlaws,
  statuses,
  traceFlaws,
  unknownCauses,
} from "../model/vocabulary.js";
import {
  attempt,
  capability,
  context,
  decision,
  driverFault,
  fault,
  kind,
  rules,
  setting,
} from "./action-schema.js";
import { events, layers, observationSchema as observation } from "./observation-schema.js";

const count = z.int().min(0);

const outcome = z.discriminatedUnion("kind", [
  z.object({
    kind: kind("completed"),
    receiptNumber: z.number(),
    status: z.enum(statuses),
    code: z.string(),
    events,
    effectExists: z.boolean(),
    released: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("nothing") }),
      z.object({ kind: z.literal("value"), value: z.json() }),
    ]),
    layers: layers.exactOptional(),
  }),
  z.object({ kind: kind("cancelled"), reason: z.enum(["callers", "other"]), errorText: z.string() }),
  z.object({
    kind: kind("audit_unavailable"),
    causes: z.array(z.enum(auditCauses)),
    events,
    errorText: z.string(),
  }),
  z.object({ kind: kind("refused", "failed"), proof: z.string(), errorText: z.string() }),
  z.object({ kind: kind("unknown"), cause: z.enum(unknownCauses), errorText: z.string() }),
]);

const facts = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("invalid"), code: z.string() }),
  z.object({
    kind: z.literal("valid"),
    key: z.string(),
    digest: z.string(),
    weight: z.number(),
    tool: z
      .object({ effect: z.enum([...effectClasses, "unknown"]), resource: z.string(), role: z.string() })
      .exactOptional(),
  }),
]);

const decided = {
  decision,
  request: count,
  verdict: z.enum(decisionVerdicts),
  by: z.object({ approver: z.string(), tenant: z.string(), roles: z.array(z.string()) }),
  shown: z.object({ tool: z.string(), runId: z.string(), callId: z.string(), digest: z.string() }),
};

const answer = z.discriminatedUnion("kind", [
  z.object({ kind: kind("recorded", "unknown") }),
  z.object({ kind: kind("refused"), code: z.enum(decisionRefusals) }),
]);

const position = { position: count, action: count };

/** One event of a history, as a report holds it. */
export const eventSchema: z.ZodType<Event> = z.discriminatedUnion("kind", [
  z.object({
    ...position,
    kind: kind("submitted"),
    attempt,
    delivery: z.string(),
    request: z.string(),
    context,
    faults: z.array(fault),
    contract: facts,
    canaries: z.array(z.string()),
  }),
  z.object({
    ...position,
    kind: kind("advanced", "cancel_requested", "cancel_too_late", "expired"),
    attempt,
  }),
  z.object({
    ...position,
    kind: kind("parked"),
    attempt,
    at: z.enum(checkpoints),
    snapshotRevision: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("none") }),
      z.object({ kind: z.literal("seen"), revision: z.number() }),
    ]),
  }),
  z.object({ ...position, kind: kind("blocked"), attempt, on: z.string() }),
  z.object({ ...position, kind: kind("fault_fired"), attempt, fault, at: z.string() }),
  z.object({ ...position, kind: kind("cancel_delivered"), attempt, at: z.enum(checkpoints) }),
  z.object({
    ...position,
    kind: kind("ended"),
    attempt,
    outcome,
    releasedIs: z.enum(["acceptable", "unacceptable", "nothing"]),
    atRelease: observation,
  }),
  z.object({ ...position, kind: kind("policy_set"), setting }),
  z.object({ ...position, kind: kind("armed", "disarmed"), fault: driverFault }),
  z.object({ ...position, kind: kind("decision_held"), ...decided }),
  z.object({ ...position, kind: kind("decided"), ...decided, answer }),
  z.object({ ...position, kind: kind("clock_set"), now: count }),
  z.object({ ...position, kind: kind("capability_set"), capability, held: z.boolean() }),
  z.object({
    ...position,
    kind: kind("round_tripped"),
    tampered: z.boolean(),
    answer: z.enum(["restored", "refused"]),
  }),
  z.object({ ...position, kind: kind("said"), text: z.string() }),
  z.object({
    ...position,
    kind: kind("rules_set"),
    to: rules,
    flaw: z.enum(ruleFlaws),
    answer: z.enum(["taken", "refused"]),
  }),
  z.object({ ...position, kind: kind("reconciled", "ledger_damaged") }),
  z.object({ ...position, kind: kind("gated"), flaw: z.enum(traceFlaws), verdicts: z.array(z.string()) }),
  z.object({ ...position, kind: kind("driven"), of: attempt, answer: z.enum(["repeats", "rests"]) }),
  z.object({
    ...position,
    kind: kind("crashed"),
    advancing: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("idle") }),
      z.object({ kind: z.literal("attempt"), attempt, at: z.enum(crashPoints) }),
      z.object({ kind: z.literal("decision"), decision, at: z.enum(decisionPoints) }),
    ]),
    lost: z.array(attempt),
    lostDecisions: z.array(decision).exactOptional(),
  }),
  z.object({ ...position, kind: kind("restarted"), result: z.enum(["up", "failed"]) }),
  z.object({ ...position, kind: kind("skipped"), reason: z.string() }),
  z.object({ ...position, kind: kind("logged"), text: z.string() }),
  z.object({ ...position, kind: kind("late"), attempt, what: z.string() }),
  z.object({ ...position, kind: kind("epilogue") }),
  z.object({ ...position, kind: kind("observed"), observation }),
]);
