import { z } from "zod";
import {
  type Action,
  type AttemptName,
  type Context,
  checkerStages,
  checkpoints,
  crashPoints,
  type DecisionName,
  decisionFlaws,
  decisionPoints,
  driverStages,
  type Fault,
  type Grant,
  outputFindings,
  type PolicySetting,
  type RuleSetting,
  ruleFlaws,
  traceFlaws,
} from "../model/vocabulary.js";

const count = z.int().min(0);

/** One of these literal kinds. */
export function kind<Kind extends string>(...kinds: [Kind, ...Kind[]]) {
  return z.enum(kinds);
}

export const attempt: z.ZodType<AttemptName> = z.templateLiteral(["a", count]);
export const decision: z.ZodType<DecisionName> = z.templateLiteral(["d", count]);

export const context: z.ZodType<Context> = z.object({
  tenant: z.string(),
  runId: z.string(),
  callId: z.string(),
  principal: z.string(),
  dispatch: z
    .object({
      tool: z.string(),
      step: count,
      replaces: z.string(),
      sideEffects: z.enum(["permitted", "not_permitted"]),
    })
    .exactOptional(),
});

export const driverFault = z.union([
  z.object({ kind: kind("receipt_ignored", "receipt_aborted", "effect_ignored") }),
  z.object({ kind: kind("busy", "commit_refused", "disk_full", "read_only"), stage: z.enum(driverStages) }),
]);

export const fault: z.ZodType<Fault> = z.union([
  driverFault,
  z.object({
    kind: kind("checker_throws", "checker_rejects_falsy", "checker_hangs", "checker_garbled"),
    stage: z.enum(checkerStages),
  }),
  z.object({ kind: kind("throw_at"), at: z.union([z.enum(checkpoints), z.enum(crashPoints)]) }),
  z.object({ kind: kind("bad_output") }),
  z.object({
    kind: kind("spoilt_output"),
    as: z.enum(outputFindings),
    tries: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  }),
]);

export const approvalRule = z.enum(["required", "not_required"]);

export const setting: z.ZodType<PolicySetting> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("remove") }),
  z.object({ kind: z.literal("limit"), maxCopies: count, approval: approvalRule.exactOptional() }),
]);

export const capability: z.ZodType<Grant> = z.object({
  principal: z.string(),
  tenant: z.string(),
  tool: z.string(),
  resource: z.string(),
});

export const rules: z.ZodType<RuleSetting> = z.array(
  z.object({
    name: z.string(),
    saidAny: z.array(z.string()),
    fromTurn: count,
    claim: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal(["idempotent", "forbid", "allow_others"]) }),
      z.object({ kind: z.literal("budget"), most: count }),
    ]),
  }),
);

const submit = z.object({
  kind: kind("submit"),
  attempt,
  request: z.string(),
  context,
  faults: z.array(fault),
});
const retry = z.object({ kind: kind("retry"), attempt, of: attempt, faults: z.array(fault) });

const crash = z.object({
  kind: kind("crash"),
  where: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("parked") }),
    z.object({ kind: z.literal("at"), attempt, at: z.enum(crashPoints) }),
    z.object({
      kind: z.literal("entering"),
      entry: z.discriminatedUnion("kind", [submit, retry]),
      at: z.enum(crashPoints),
    }),
    z.object({ kind: z.literal("deciding"), decision, at: z.enum(decisionPoints) }),
  ]),
});

const deciding = z.object({
  kind: kind("approve", "deny", "revoke"),
  decision,
  request: count,
  flaw: z.enum(decisionFlaws),
  pace: z.enum(["at_once", "held"]),
});

/** One action of an action list, as a report holds it. */
export const actionSchema: z.ZodType<Action> = z.discriminatedUnion("kind", [
  submit,
  retry,
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
  deciding,
  z.object({ kind: kind("settle"), decision }),
  z.object({ kind: kind("advance_clock"), by: count }),
  z.object({ kind: kind("set_capability"), capability, held: z.boolean() }),
  z.object({ kind: kind("round_trip"), tampered: z.boolean() }),
  z.object({ kind: kind("drive"), attempt, of: attempt }),
  z.object({ kind: kind("say"), text: z.string() }),
  z.object({ kind: kind("change_rules"), to: rules, flaw: z.enum(ruleFlaws) }),
  z.object({ kind: kind("gate"), flaw: z.enum(traceFlaws) }),
  z.object({ kind: kind("reconcile", "damage_ledger") }),
  crash,
  z.object({ kind: kind("restart") }),
  z.object({ kind: kind("observe") }),
]);
