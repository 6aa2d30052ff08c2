import { z } from "zod";
import {
  type Action,
  type AttemptName,
  auditCauses,
  checkerStages,
  checkpoints,
  crashPoints,
  driverStages,
  type Event,
  type Observation,
  stageEvents,
  statuses,
  unknownCauses,
} from "../model/vocabulary.js";

const count = z.int().min(0);
const kind = <Kind extends string>(...kinds: [Kind, ...Kind[]]) => z.enum(kinds);

const attempt: z.ZodType<AttemptName> = z.templateLiteral(["a", z.int().min(0)]);

const context = z.object({
  tenant: z.string(),
  runId: z.string(),
  callId: z.string(),
  principal: z.string(),
});

const driverFault = z.union([
  z.object({ kind: kind("receipt_ignored", "receipt_aborted", "effect_ignored") }),
  z.object({ kind: kind("busy", "commit_refused", "disk_full", "read_only"), stage: z.enum(driverStages) }),
]);

const fault = z.union([
  driverFault,
  z.object({
    kind: kind("checker_throws", "checker_rejects_falsy", "checker_hangs", "checker_garbled"),
    stage: z.enum(checkerStages),
  }),
  z.object({ kind: kind("throw_at"), at: z.union([z.enum(checkpoints), z.enum(crashPoints)]) }),
  z.object({ kind: kind("bad_output") }),
]);

const setting = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("remove") }),
  z.object({ kind: z.literal("limit"), maxCopies: count }),
]);

/** One action of an action list, as a report holds it. */
export const actionSchema: z.ZodType<Action> = z.discriminatedUnion("kind", [
  z.object({ kind: kind("submit"), attempt, request: z.string(), context, faults: z.array(fault) }),
  z.object({ kind: kind("retry"), attempt, of: attempt, faults: z.array(fault) }),
  z.object({
    kind: kind("retry_changed", "resubmit_new_key"),
    attempt,
    of: attempt,
    request: z.string(),
    faults: z.array(fault),
  }),
  z.object({ kind: kind("advance", "finish", "cancel", "expire"), attempt }),
  z.object({ kind: kind("change_policy"), to: setting }),
  z.object({ kind: kind("arm", "disarm"), fault: driverFault }),
  z.object({
    kind: kind("crash"),
    where: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("parked") }),
      z.object({ kind: z.literal("at"), attempt, at: z.enum(crashPoints) }),
    ]),
  }),
  z.object({ kind: kind("restart") }),
  z.object({ kind: kind("observe") }),
]);

const events = z.array(z.enum(stageEvents));

const observation: z.ZodType<Observation> = z.object({
  effects: z.array(
    z.object({
      tenant: z.string(),
      tool: z.string(),
      key: z.string(),
      digest: z.string(),
      body: z.string(),
      revision: z.number(),
      runId: z.string(),
      callId: z.string(),
    }),
  ),
  receipts: z.array(
    z.object({
      number: z.number(),
      delivery: z.string(),
      tenant: z.string(),
      runId: z.string(),
      callId: z.string(),
      key: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("none") }),
        z.object({ kind: z.literal("key"), key: z.string() }),
      ]),
      status: z.enum(statuses),
      code: z.string(),
      effectExists: z.boolean(),
      events,
      raw: z.string(),
    }),
  ),
  policy: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("missing") }),
    z.object({ kind: z.literal("present"), revision: z.number(), maxCopies: z.number() }),
  ]),
  writeLock: z.enum(["free", "held", "held_by_harness", "not_probed"]),
});

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
  z.object({ kind: z.literal("valid"), key: z.string(), digest: z.string(), weight: z.number() }),
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
  z.object({
    ...position,
    kind: kind("crashed"),
    advancing: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("idle") }),
      z.object({ kind: z.literal("attempt"), attempt, at: z.enum(crashPoints) }),
    ]),
    lost: z.array(attempt),
  }),
  z.object({ ...position, kind: kind("restarted"), result: z.enum(["up", "failed"]) }),
  z.object({ ...position, kind: kind("skipped"), reason: z.string() }),
  z.object({ ...position, kind: kind("logged"), text: z.string() }),
  z.object({ ...position, kind: kind("late"), attempt, what: z.string() }),
  z.object({ ...position, kind: kind("epilogue") }),
  z.object({ ...position, kind: kind("observed"), observation }),
]);
