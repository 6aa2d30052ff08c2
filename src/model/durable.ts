import { claims, list } from "./sight.js";
import type { AttemptName, Policy, Profile, ReceiptRow } from "./vocabulary.js";
import type { Effect, World } from "./world.js";

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

/** Whether two stores hold the same rows, in any order, in all that the profile claims to show. */
export function holdsTheSame(ours: Durable, seen: Durable, profile: Profile): boolean {
  return (
    sameWords(policyRow(ours, profile), policyRow(seen, profile)) &&
    sameRows(effectRows(ours, profile), effectRows(seen, profile)) &&
    sameRows(receiptRows(ours, profile), receiptRows(seen, profile))
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

/** Ours are all different, so as many as ours and each of ours among them are the same rows. */
function sameRows(ours: readonly Row[], seen: readonly Row[]): boolean {
  return ours.length === seen.length && ours.every((row) => seen.some((other) => sameWords(row, other)));
}

function sameWords(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}
