import { claims } from "./sight.js";
import type {
  AttemptName,
  Consent,
  EscalationRow,
  LayerResults,
  Policy,
  Profile,
  ReceiptKey,
  ReceiptRow,
  ReservationRow,
} from "./vocabulary.js";
import { guardLayers } from "./vocabulary.js";
import type { ConsentRows, Effect, Receipt, Reservation, World } from "./world.js";

/** What outlives the executor; an observation is one, too. */
export type Durable = {
  readonly effects: readonly Effect[];
  readonly receipts: readonly Omit<ReceiptRow, "raw">[];
  readonly policy: Policy;
  readonly reservations?: readonly ReservationRow[];
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
  const reservations = world.reservations.map(({ attempt, ...row }) => ({
    ...row,
    delivery: deliveries[attempt] ?? "none",
  }));
  const rows = {
    ...{ effects: world.effects, receipts, policy: world.policy },
    ...(claims(world.profile, "reservations") ? { reservations } : {}),
  };
  return claims(world.profile, "approvals") ? { ...rows, consent: { ...world.consent, escalations } } : rows;
}

/** A row as the words in which it can differ from another, as far as the profile claims to show them. */
export type Row = readonly (string | number)[];

/** Whether the machine's store holds the rows that were seen, in any order, in all that the profile claims to show. */
export function holdsTheSame(
  { effects, receipts, policy, consent, reservations }: World,
  deliveries: Deliveries,
  seen: Durable,
  profile: Profile,
): boolean {
  return (
    sameConsent(consent, seen.consent, deliveries, profile) &&
    (!claims(profile, "policy") || samePolicy(policy, seen.policy)) &&
    (!claims(profile, "reservations") ||
      (seen.reservations !== undefined &&
        sameRows(
          reservations,
          seen.reservations,
          (ours, theirs) => sameReservation(ours, theirs, deliveries, profile),
          profile,
        ))) &&
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

export type Flat = { readonly [column: string]: string | number };

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

function sameReservation(
  one: Reservation,
  other: ReservationRow,
  deliveries: Deliveries,
  profile: Profile,
): boolean {
  return (
    one.key === other.key &&
    one.tenant === other.tenant &&
    one.state === other.state &&
    (!claims(profile, "delivery_ids") || (deliveries[one.attempt] ?? "none") === other.delivery)
  );
}

function sameWords(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
