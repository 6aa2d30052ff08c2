import type { Durable, Flat, Row } from "./durable.js";
import { claims, list } from "./sight.js";
import { type Consent, guardLayers, type Profile, type ReservationRow } from "./vocabulary.js";

/** In brief: `receipts 1, 2; effects JOB-001@r1; policy r1 limit 3`. */
export function tellBriefly({ receipts, effects, policy, reservations, consent }: Durable): string {
  const numbers = receipts.map(({ number }) => number);
  const keys = effects.map(({ key, revision }) => `${key}@r${revision}`);
  const current = policy.kind === "missing" ? "missing" : `r${policy.revision} limit ${policy.maxCopies}`;
  return `receipts ${list(numbers, ", ")}; effects ${list(keys, ", ")}; policy ${current}${briefReservations(reservations)}${briefConsent(consent)}`;
}

function briefReservations(reservations: readonly ReservationRow[] | undefined): string {
  if (reservations === undefined) return "";
  const rows = reservations.map(({ key, state }) => `${key} ${state}`);
  return `; reservations ${list(rows.sort(), ", ")}`;
}

function briefConsent(consent: Consent | undefined): string {
  if (consent === undefined) return "";
  const { steps, requests, decisions, uses, escalations } = consent;
  const counts = [
    `steps ${steps.length}`,
    `requests ${requests.length}`,
    `decisions ${decisions.length}`,
    `uses ${uses.length}`,
    `escalations ${escalations.length}`,
  ];
  return `; ${counts.join(", ")}`;
}

/** In all that the profile claims to show, for where the brief text would say the same of both. */
export function tellFully(durable: Durable, profile: Profile): string {
  const receipts = receiptRows(durable, profile).map((row) => row.join(" "));
  const effects = effectRows(durable, profile).map((row) => row.join(" "));
  const policy = policyRow(durable, profile);
  const reservations = reservationsText(durable, profile);
  const consent = consentText(durable.consent, profile);
  return `receipts ${list(receipts, ", ")}; effects ${list(effects, ", ")}; policy ${list(policy)}${reservations}${consent}`;
}

function reservationsText({ reservations }: Durable, profile: Profile): string {
  if (!claims(profile, "reservations")) return "";
  if (reservations === undefined) return "; reservations unseen";
  const deliveries = claims(profile, "delivery_ids");
  const rows = reservations.map(({ tenant, key, state, delivery }) =>
    [tenant, key, state, ...(deliveries ? [delivery] : [])].join(" "),
  );
  return `; reservations ${list(rows.sort(), ", ")}`;
}

function consentText(consent: Consent | undefined, profile: Profile): string {
  if (consent === undefined || !claims(profile, "approvals")) return "";
  const table = (name: string, rows: readonly Flat[]) =>
    `; ${name} ${list(
      rows.map((row) => Object.values(row).join(" ")),
      ", ",
    )}`;
  const { steps, requests, decisions, uses, escalations } = consent;
  return [
    table(
      "steps",
      steps.map(({ tenant, runId, step, callId, replaces }) => ({ tenant, runId, step, callId, replaces })),
    ),
    table("requests", requests),
    table("decisions", decisions),
    table("uses", uses),
    table(
      "escalations",
      escalations.map(({ tenant, runId, callId, delivery, layer }) => ({
        tenant,
        runId,
        callId,
        delivery,
        layer,
      })),
    ),
  ].join("");
}

function policyRow({ policy }: Durable, profile: Profile): Row {
  if (!claims(profile, "policy")) return [];
  if (policy.kind === "missing") return ["missing"];
  const { revision, maxCopies, approval } = policy;
  return [`r${revision}`, "limit", maxCopies, ...(approval === undefined ? [] : [`approval ${approval}`])];
}

function effectRows({ effects }: Durable, profile: Profile): readonly Row[] {
  const calls = claims(profile, "effect_call");
  const digests = claims(profile, "effect_digest");
  const revisions = claims(profile, "effect_revision");
  return effects.map(({ tenant, tool, key, runId, callId, digest, revision }) => [
    tenant,
    tool,
    key,
    ...(calls ? [runId, callId] : []),
    ...(digests ? [digest] : []),
    ...(revisions ? [`r${revision}`] : []),
  ]);
}

function receiptRows({ receipts }: Durable, profile: Profile): readonly Row[] {
  if (!claims(profile, "receipts")) return [];
  const deliveries = claims(profile, "delivery_ids");
  const events = claims(profile, "stage_events");
  return receipts.map((receipt) => [
    receipt.number,
    receipt.tenant,
    receipt.runId,
    receipt.callId,
    receipt.key.kind === "key" ? receipt.key.key : "no key",
    `${receipt.status}/${receipt.code}`,
    receipt.effectExists ? "effect exists" : "no effect",
    ...(deliveries ? [receipt.delivery] : []),
    ...(events ? receipt.events : []),
    ...guardLayers.flatMap((layer) =>
      receipt.layers === undefined ? [] : [`${layer} ${receipt.layers[layer]}`],
    ),
  ]);
}
