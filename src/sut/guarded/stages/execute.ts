import type { Json } from "../../../model/vocabulary.js";
import { Failure, Refusal } from "../../ledger/refusals.js";
import { columnsOf } from "../consent/rows.js";
import { announce, callOf, note, type Passage, validated } from "../passage.js";
import type { Environment } from "../stages.js";

/** What the store holds of an effect that a later attempt may reuse; `body` is JSON text. */
export type StoredEffect = { readonly digest: string; readonly body: string };

/** What an attempt leaves the transaction with; `again`: the effect was there before. */
export type Executed = { readonly value: Json; readonly delivery: "first" | "again" | "none" };

/** One write transaction; it is closed whichever way it ends. */
export function execute(passage: Passage, environment: Environment): Executed {
  const { store, stages: step } = environment;
  store.run("begin");
  try {
    return step.write(passage, environment);
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

/** Reuses, refuses or inserts, and commits; everything that was checked before is looked up once more. */
export function write(passage: Passage, environment: Environment): Executed {
  const { store, stages: step } = environment;
  const { tool, args } = validated(passage);
  const call = callOf(passage);
  const other = step.mismatchAtCommit(passage, environment);
  if (other !== undefined) throw refused(passage, other);
  if (tool.effect !== "read" && step.useAtCommit(passage, environment) !== undefined) {
    const effect = step.lookup(passage, environment);
    if (effect === undefined) throw new Failure("unforeseen");
    store.run("commit");
    passage.events.push("effect_reused");
    return { value: JSON.parse(effect.body), delivery: "again" };
  }
  const no = step.denialAtCommit(call, environment);
  if (no !== undefined) throw refused(passage, no);
  if (step.isExpiredAtCommit(passage, environment)) throw refused(passage, "expired");
  step.capabilityAtCommit(passage, environment);
  if (tool.effect === "read") {
    if (!step.isCurrentAtCommit(passage, environment)) throw new Refusal("policy_changed", "policy_changed");
    store.run("commit");
    return { value: tool.result(args), delivery: "none" };
  }
  const existing = tool.key(args) === "" ? undefined : step.lookup(passage, environment);
  if (existing === undefined) return insert(passage, environment);
  if (existing.digest !== passage.digest) throw new Refusal("key_conflict", "key_conflict");
  step.recordReuse(passage, environment);
  announce(passage, "inside_transaction");
  store.run("commit");
  passage.events.push("effect_reused");
  announce(passage, "after_commit");
  return { value: JSON.parse(existing.body), delivery: "again" };
}

function insert(passage: Passage, environment: Environment): Executed {
  const { stages: step } = environment;
  const value = step.insert(passage, environment);
  step.recordUse(passage, environment);
  announce(passage, "inside_transaction");
  step.commit(passage, environment);
  return { value, delivery: "first" };
}

function refused(passage: Passage, code: string): Refusal {
  note(passage, "approval", "block", code);
  return new Refusal("approval_refused", code);
}

/** The effect under the key, whoever's it is; of a tool without a key, the call's own. */
export function lookup(passage: Passage, { store }: Environment): StoredEffect | undefined {
  const { tool, args } = validated(passage);
  const call = callOf(passage);
  const key = tool.key(args);
  const row =
    key === ""
      ? store.row("readCallEffect", { ...call, tool: tool.name })
      : store.row("readEffect", { tenant: call.tenant, tool: tool.name, key });
  if (row === undefined) return undefined;
  const column = columnsOf(row);
  return { digest: String(column("digest")), body: String(column("body")) };
}

/** Writes the effect if the policy is still the one that was checked and still allows these arguments. */
export function insertEffect(passage: Passage, environment: Environment): Json {
  const { store, stages: step } = environment;
  const { tool, args } = validated(passage);
  const value = tool.result(args);
  const { changes } = store.run("insertEffect", {
    ...callOf(passage),
    tool: tool.name,
    key: tool.key(args),
    digest: passage.digest,
    body: JSON.stringify(value),
    revision: passage.snapshot?.revision ?? 0,
    weight: tool.weight(args),
  });
  if (changes === 1) return value;
  const matches = step.isCurrentAtCommit(passage, environment);
  throw matches ? new Failure("effect_not_written") : new Refusal("policy_changed", "policy_changed");
}

/** Spends the call and with it the approval that it goes on by. */
export function recordUse(passage: Passage, { store }: Environment): void {
  const { tool } = validated(passage);
  store.run("insertUse", {
    ...callOf(passage),
    tool: tool.name,
    digest: passage.digest,
    request: passage.matched?.number ?? null,
  });
}

/** Whether the policy is the one that was checked and allows these arguments. */
export function isCurrentAtCommit(passage: Passage, { store, stages: step }: Environment): boolean {
  const { tool, args } = validated(passage);
  const policy = step.policy(store);
  return (
    policy !== undefined &&
    policy.revision === passage.snapshot?.revision &&
    policy.maxCopies >= tool.weight(args)
  );
}

export function isExpiredAtCommit(passage: Passage, { stages: step, clock }: Environment): boolean {
  return passage.matched !== undefined && step.isExpired(passage.matched, clock());
}

export function commit(passage: Passage, { store }: Environment): void {
  store.run("commit");
  passage.events.push("effect_committed");
  announce(passage, "after_commit");
}
