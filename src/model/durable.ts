import { claims, list } from "./sight.js";
import type { AttemptName, Policy, Profile, ReceiptKey, ReceiptRow } from "./vocabulary.js";
import type { Effect, Receipt, World } from "./world.js";

/** What outlives the executor; an observation is one, too. */
export type Durable = {
  readonly effects: readonly Effect[];
  readonly receipts: readonly Omit<ReceiptRow, "raw">[];
  readonly policy: Policy;
};

/** Which delivery each attempt came with. */
export type Deliveries = { readonly [attempt: AttemptName]: string };

/** What the machine has in its store, in the executor's terms. */
export function durableOf(world: World, deliveries: Deliveries): Durable {
  const receipts = world.receipts.map((receipt) => ({
    ...receipt,
    delivery: deliveries[receipt.attempt] ?? "none",
  }));
  return { effects: world.effects, receipts, policy: world.policy };
}

/** A row as the words in which it can differ from another, as far as the profile claims to show them. */
type Row = readonly (string | number)[];

/** Whether the machine's store holds the rows that were seen, in any order, in all that the profile claims to show. */
export function holdsTheSame(
  { effects, receipts, policy }: World,
  deliveries: Deliveries,
  seen: Durable,
  profile: Profile,
): boolean {
  return (
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
  return one.revision === other.revision && one.maxCopies === other.maxCopies;
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
    (!claims(profile, "delivery_ids") || (deliveries[one.attempt] ?? "none") === other.delivery) &&
    (!claims(profile, "stage_events") || sameWords(one.events, other.events))
  );
}

/** In brief: `receipts 1, 2; effects JOB-001@r1; policy r1 limit 3`. */
export function tellBriefly({ receipts, effects, policy }: Durable): string {
  const numbers = receipts.map(({ number }) => number);
  const keys = effects.map(({ key, revision }) => `${key}@r${revision}`);
  const current = policy.kind === "missing" ? "missing" : `r${policy.revision} limit ${policy.maxCopies}`;
  return `receipts ${list(numbers, ", ")}; effects ${list(keys, ", ")}; policy ${current}`;
}

/** In all that the profile claims to show, for where the brief text would say the same of both. */
export function tellFully(durable: Durable, profile: Profile): string {
  const receipts = receiptRows(durable, profile).map((row) => row.join(" "));
  const effects = effectRows(durable, profile).map((row) => row.join(" "));
  const policy = policyRow(durable, profile);
  return `receipts ${list(receipts, ", ")}; effects ${list(effects, ", ")}; policy ${list(policy)}`;
}

function policyRow({ policy }: Durable, profile: Profile): Row {
  if (!claims(profile, "policy")) return [];
  return policy.kind === "missing" ? ["missing"] : [`r${policy.revision}`, "limit", policy.maxCopies];
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
  ]);
}

function sameWords(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
