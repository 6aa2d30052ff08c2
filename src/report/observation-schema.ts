import { z } from "zod";
import {
  type Consent,
  decisionVerdicts,
  layerActions,
  type Observation,
  reservationStates,
  stageEvents,
  statuses,
} from "../model/vocabulary.js";
import { approvalRule } from "./action-schema.js";

export const events = z.array(z.enum(stageEvents));

const layerAction = z.enum(layerActions);

export const layers = z.object({
  schema: layerAction,
  business: layerAction,
  capability: layerAction,
  approval: layerAction,
});

const call = { tenant: z.string(), runId: z.string(), callId: z.string() };

const consent: z.ZodType<Consent> = z.object({
  steps: z.array(z.object({ ...call, step: z.number(), replaces: z.string() })),
  requests: z.array(
    z.object({
      ...call,
      number: z.number(),
      principal: z.string(),
      tool: z.string(),
      digest: z.string(),
      revision: z.number(),
      role: z.string(),
      requestedAt: z.number(),
      expiresAt: z.number(),
    }),
  ),
  decisions: z.array(
    z.object({
      number: z.number(),
      request: z.number(),
      verdict: z.enum(decisionVerdicts),
      approver: z.string(),
      role: z.string(),
      decidedAt: z.number(),
    }),
  ),
  uses: z.array(
    z.object({
      ...call,
      tool: z.string(),
      digest: z.string(),
      request: z.union([z.number(), z.literal("none")]),
    }),
  ),
  escalations: z.array(z.object({ ...call, delivery: z.string(), layer: z.enum(["capability", "output"]) })),
});

/** What a look at the store saw, as a report holds it. */
export const observationSchema: z.ZodType<Observation> = z.object({
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
      layers: layers.exactOptional(),
      raw: z.string(),
    }),
  ),
  policy: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("missing") }),
    z.object({
      kind: z.literal("present"),
      revision: z.number(),
      maxCopies: z.number(),
      approval: approvalRule.exactOptional(),
    }),
  ]),
  writeLock: z.enum(["free", "held", "held_by_harness", "not_probed"]),
  reservations: z
    .array(
      z.object({
        tenant: z.string(),
        key: z.string(),
        state: z.enum(reservationStates),
        delivery: z.string(),
      }),
    )
    .exactOptional(),
  consent: consent.exactOptional(),
});
