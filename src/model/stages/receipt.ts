import { layerResults } from "../layer-results.js";
import { driverFault, effectUnderKey, goOn, type Passage, passing, type Turn } from "../passage.js";
import type { AuditCause } from "../vocabulary.js";
import type { Escalation } from "../world.js";

/** Writes down what became of the attempt, in a transaction of its own: it can fail, and it can undo nothing. */
export function writeReceipt(passage: Passage): Turn {
  return passing(
    passage,
    "before_receipt",
    () => unavailable(passage, "other"),
    () => {
      const fault = driverFault(passage, "receipt");
      if (fault === "none") return goOn(withReceipt(passage));
      // An insert that is ignored raises nothing: there is no error of the driver to keep.
      return fault === "receipt_ignored" ? unavailable(passage) : unavailable(passage, "driver");
    },
  );
}

function unavailable(passage: Passage, ...why: readonly AuditCause[]): Turn {
  const { events } = passage.attempt;
  const cancelled: readonly AuditCause[] = passage.verdict.status === "cancelled" ? ["cancelled"] : [];
  const causes: readonly AuditCause[] = [...cancelled, "receipt_write", ...why];
  return { kind: "ended", passage, outcome: { kind: "audit_unavailable", causes, events } };
}

/** Its number is the next one: a receipt that could not be written has used none. */
function withReceipt(passage: Passage): Passage {
  const { world, attempt, verdict } = passage;
  const { name, context, facts, events } = attempt;
  const { tenant, runId, callId } = context;
  const receipt = {
    number: world.receipts.length + 1,
    attempt: name,
    tenant,
    runId,
    callId,
    key:
      facts.kind === "valid" && facts.key !== "" && events.includes("arguments_valid")
        ? ({ kind: "key", key: facts.key } as const)
        : ({ kind: "none" } as const),
    ...verdict,
    effectExists: showsEffect(passage),
    events,
    ...(world.profile.abilities.includes("layer_results") ? { layers: layerResults(attempt, verdict) } : {}),
  };
  const escalated = escalationsOf(passage);
  const consent =
    escalated.length === 0
      ? world.consent
      : { ...world.consent, escalations: [...world.consent.escalations, ...escalated] };
  return { ...passage, world: { ...world, consent, receipts: [...world.receipts, receipt] } };
}

/** Whether the effect is there; a request that was not validated names none. */
export function showsEffect(passage: Passage): boolean {
  const isRefused =
    passage.world.profile.layers.includes("validate") && !passage.attempt.events.includes("arguments_valid");
  return !isRefused && effectUnderKey(passage) !== "none";
}

/** What a human has to look at. */
function escalationsOf({ world, attempt, verdict }: Passage): readonly Escalation[] {
  if (!world.profile.abilities.includes("layer_results")) return [];
  const { tenant, runId, callId } = attempt.context;
  const row = { tenant, runId, callId, attempt: attempt.name };
  if (verdict.status === "permission_denied") return [{ ...row, layer: "capability" }];
  return verdict.status === "escalated" ? [{ ...row, layer: "output" }] : [];
}
