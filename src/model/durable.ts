import { claims, list } from "./sight.js";
import type {
  AttemptName,
  Consent,
  EscalationRow,
  LayerResults,
  Policy,
  Profile,
  ReceiptKey,
  ReceiptRow,
} from "./vocabulary.js";
import { guardLayers } from "./vocabulary.js";
import type { ConsentRows, Effect, Receipt, World } from "./world.js";

/** What outlives the executor; an observation is one, too. */
export type Durable = {
  readonly effects: readonly Effect[];
  readonly receipts: readonly Omit<ReceiptRow, "raw">[];
  readonly policy: Policy;
  readonly consent?: Consent;
};

/** Which delivery each attempt came with. */
export type Deliveries = { readonly [attempt: AttemptName]: string };

/** What the machine has in its store, in the executor's terms. */
export function durableOf(world: World, deliveries: Deliveries): Durable {
  const receipts = world.receipts.map((receipt) => ({
    ...receipt,
    delivery: deliveries[receipt.attempt] ?? "none",
  }));
  const escalations = world.consent.escalations.map(({ attempt, ...row }) => ({
    ...row,
    delivery: deliveries[attempt] ?? "none",
  }));
  const rows = { effects: world.effects, receipts, policy: world.policy };
  return claims(world.profile, "approvals") ? { ...rows, consent: { ...world.consent, escalations } } : rows;
}

/** A row as the words in which it can differ from another, as far as the profile claims to show them. */
type Row = readonly (string | number)[];

/** Whether the machine's store holds the rows that were seen, in any order, in all that the profile claims to show. */
export function holdsTheSame(
  { effects, receipts, policy, consent }: World,
  deliveries: Deliveries,
  seen: Durable,
  profile: Profile,
): boolean {
  return (
    sameConsent(consent, seen.consent, deliveries, profile) &&
    (!claims(profile, "policy") || samePolicy(policy, seen.policy)) &&
    sameRows(effects, seen.effects, sameEffect, profile) &&
    (!claims(profile, "receipts") ||
      sameRows(
        receipts,
        seen.receipts,
        (ours, theirs) => sameReceipt(ours, theirs, deliveries, profile),
        profile,
      ))
  );
}

/**
 * Ours are all different, so as many as ours and each of ours among them are the same rows. Most stand where ours
 * do, which is looked at first.
 */
function sameRows<Ours, Theirs>(
  ours: readonly Ours[],
  theirs: readonly Theirs[],
  same: (one: Ours, other: Theirs, profile: Profile) => boolean,
  profile: Profile,
): boolean {
  if (ours.length !== theirs.length) return false;
  return ours.every((one, index) => {
    const facing = theirs[index];
    return (
      (facing !== undefined && same(one, facing, profile)) ||
      theirs.some((other) => same(one, other, profile))
    );
  });
}

function sameKey(one: ReceiptKey, other: ReceiptKey): boolean {
  return one.kind === "key" ? other.kind === "key" && one.key === other.key : other.kind === "none";
}

function samePolicy(one: Policy, other: Policy): boolean {
  if (one.kind === "missing" || other.kind === "missing") return one.kind === other.kind;
  return (
    one.revision === other.revision && one.maxCopies === other.maxCopies && one.approval === other.approval
  );
}

/** Rows of consent are numbered and never taken back, so that they stand in the order in which they were written. */
function sameConsent(
  ours: ConsentRows,
  theirs: Consent | undefined,
  deliveries: Deliveries,
  profile: Profile,
): boolean {
  const approvals = claims(profile, "approvals");
  const runs = claims(profile, "runs");
  if (!approvals && !runs) return true;
  if (theirs === undefined) return false;
  return (
    (!runs || sameList(ours.steps, theirs.steps)) &&
    (!approvals ||
      (sameList(ours.requests, theirs.requests) &&
        sameList(ours.decisions, theirs.decisions) &&
        sameList(ours.uses, theirs.uses))) &&
    (!claims(profile, "layer_results") || sameEscalations(ours, theirs.escalations, deliveries))
  );
}

type Flat = { readonly [column: string]: string | number };

function sameList(ours: readonly Flat[], theirs: readonly Flat[]): boolean {
  return (
    ours === theirs ||
    (ours.length === theirs.length && ours.every((row, index) => sameFlat(row, theirs[index] ?? {})))
  );
}

function sameFlat(one: Flat, other: Flat): boolean {
  if (one === other) return true;
  for (const column in one) if (one[column] !== other[column]) return false;
  return true;
}

function sameEscalations(
  { escalations }: ConsentRows,
  theirs: readonly EscalationRow[],
  deliveries: Deliveries,
): boolean {
  return (
    escalations.length === theirs.length &&
    escalations.every(({ attempt, ...row }, index) => {
      const other = theirs[index];
      return (
        other !== undefined &&
        other.delivery === (deliveries[attempt] ?? "none") &&
        other.callId === row.callId &&
        other.runId === row.runId &&
        other.tenant === row.tenant &&
        other.layer === row.layer
      );
    })
  );
}

function sameLayers(one: LayerResults | undefined, other: LayerResults | undefined): boolean {
  return guardLayers.every((layer) => one?.[layer] === other?.[layer]);
}

function sameEffect(one: Effect, other: Effect, profile: Profile): boolean {
  return (
    one.key === other.key &&
    one.tenant === other.tenant &&
    one.tool === other.tool &&
    (!claims(profile, "effect_call") || (one.callId === other.callId && one.runId === other.runId)) &&
    (!claims(profile, "effect_digest") || one.digest === other.digest) &&
    (!claims(profile, "effect_revision") || one.revision === other.revision)
  );
}

function sameReceipt(
  one: Receipt,
  other: Omit<ReceiptRow, "raw">,
  deliveries: Deliveries,
  profile: Profile,
): boolean {
  return (
    one.number === other.number &&
    one.callId === other.callId &&
    one.runId === other.runId &&
    one.tenant === other.tenant &&
    one.status === other.status &&
    one.code === other.code &&
    one.effectExists === other.effectExists &&
    sameKey(one.key, other.key) &&
    (!claims(profile, "layer_results") || sameLayers(one.layers, other.layers)) &&
    (!claims(profile, "delivery_ids") || (deliveries[one.attempt] ?? "none") === other.delivery) &&
    (!claims(profile, "stage_events") || sameWords(one.events, other.events))
  );
}

/** In brief: `receipts 1, 2; effects JOB-001@r1; policy r1 limit 3`. */
export function tellBriefly({ receipts, effects, policy, consent }: Durable): string {
  const numbers = receipts.map(({ number }) => number);
  const keys = effects.map(({ key, revision }) => `${key}@r${revision}`);
  const current = policy.kind === "missing" ? "missing" : `r${policy.revision} limit ${policy.maxCopies}`;
  return `receipts ${list(numbers, ", ")}; effects ${list(keys, ", ")}; policy ${current}${briefConsent(consent)}`;
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
  const consent = consentText(durable.consent, profile);
  return `receipts ${list(receipts, ", ")}; effects ${list(effects, ", ")}; policy ${list(policy)}${consent}`;
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

function sameWords(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
