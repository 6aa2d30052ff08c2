import { isJsonObject, readRequestText } from "../../contract/request-text.js";
import type { AttemptName } from "../../model/vocabulary.js";
import { grantText } from "../account/consent.js";
import { eventsOf } from "../account/outcomes.js";
import { type Attempt, attemptOf } from "../account.js";
import { type Always, broken, type Finding, nothing, on } from "./invariant.js";
import { effectKeys, outcomeText, policyText, whileMoving } from "./wording.js";

export const authorityAtCommit: Always = {
  id: "authority-at-commit",
  kind: "always",
  needs: ["second_observer", "capabilities"],
  occurred: [on("capability_set", ({ held }) => !held)],
  check: [
    on("observed", (_, { change, consent, tool }) => {
      const { mover, effects } = change;
      if (mover.kind === "nobody" || effects.added.length === 0) return nothing;
      const { context, contract, name } = mover.attempt;
      if (contract.kind === "invalid" || contract.tool === undefined) return nothing;
      const { principal, tenant, dispatch } = context;
      const taken = { principal, tenant, tool: dispatch?.tool ?? tool, resource: contract.tool.resource };
      if (consent.capabilities.has(grantText(taken))) return nothing;
      return broken(
        `${whileMoving(change)}, ${name} committed what ${principal} had no right to do.`,
        `no effect, as ${principal} holds no capability for ${taken.tool} on ${taken.resource}`,
        effectKeys(effects.added),
      );
    }),
  ],
};

/** Fields by which a request would say who acts, for whom, or what it may. */
const claims = [
  "user_role",
  "role",
  "roles",
  "principal",
  "user",
  "tenant",
  "tenant_id",
  "owner_id",
  "approved",
  "approver",
  "capabilities",
  "run_id",
  "call_id",
  "skip_checks",
] as const;

export const identityFromContext: Always = {
  id: "identity-from-context",
  kind: "always",
  needs: ["stage_events", "capabilities"],
  occurred: [
    on("submitted", ({ request, contract }) => contract.kind === "invalid" && claimsOf(request).length > 0),
  ],
  check: [
    on("parked", ({ attempt, at }, account) => believed(attemptOf(account, attempt), `parked at ${at}`)),
    on("ended", ({ attempt, outcome }, account) =>
      eventsOf(outcome).includes("arguments_valid")
        ? believed(attemptOf(account, attempt), outcomeText(outcome))
        : nothing,
    ),
  ],
};

function claimsOf(request: string): readonly string[] {
  const text = readRequestText(request);
  if (text.kind === "not_json" || !isJsonObject(text.value)) return [];
  const { value } = text;
  return claims.filter((claim) => Object.hasOwn(value, claim));
}

function believed(attempt: Attempt, seen: string): readonly Finding[] {
  if (attempt.contract.kind === "valid") return nothing;
  const claimed = claimsOf(attempt.request);
  if (claimed.length === 0) return nothing;
  return broken(
    `${attempt.name} went on although its request claims ${claimed.join(", ")}, which only the context can say.`,
    "input_rejected",
    seen,
  );
}

export const layersDoNotAverage: Always = {
  id: "layers-do-not-average",
  kind: "always",
  needs: ["checkpoint before_business", "layer capability", "layer approval"],
  occurred: [
    on(
      "ended",
      ({ attempt, outcome }, account) =>
        outcome.kind === "completed" &&
        outcome.status === "permission_denied" &&
        !attemptOf(account, attempt).capableAtSubmission,
    ),
  ],
  check: [
    on("parked", ({ attempt: name, at }, account) => {
      if (at !== "before_business") return nothing;
      const attempt = attemptOf(account, name);
      return refusingLayers(attempt).flatMap((layer) => average(name, layer));
    }),
  ],
};

function average(name: AttemptName, layer: string): readonly Finding[] {
  return broken(
    `${name} came to its business step although a layer refuses it.`,
    `a refusal, as ${layer}`,
    "parked at before_business",
  );
}

/** What refuses an attempt by what the harness knew when it was submitted; whether it was approved, other promises ask. */
function refusingLayers(attempt: Attempt): readonly string[] {
  const { contract, context, policyAtSubmission, capableAtSubmission } = attempt;
  if (contract.kind === "invalid") return ["its arguments are not valid"];
  const isWithin = policyAtSubmission.kind === "present" && contract.weight <= policyAtSubmission.maxCopies;
  return [
    ...(isWithin ? [] : [`its weight is ${contract.weight}, under ${policyText(policyAtSubmission)}`]),
    ...(capableAtSubmission ? [] : [`${context.principal} holds no capability for it`]),
  ];
}
