import type { Json } from "../../model/vocabulary.js";
import type { DraftArguments } from "./arguments.js";
import { effectRow, readEffect, type StoredEffect } from "./effects.js";
import { expectedOutput } from "./guards.js";
import { announce, type Passage, validated } from "./passage.js";
import { readPolicy } from "./policy.js";
import { Failure, Refusal } from "./refusals.js";
import type { Environment } from "./stages.js";

/** One write transaction; it is closed whichever way it ends. */
export function execute(passage: Passage, environment: Environment): Json {
  const { store, stages: step } = environment;
  store.run("begin");
  try {
    return step.write(passage, validated(passage), environment);
  } finally {
    if (store.inTransaction()) store.run("rollback");
  }
}

/** Reuses, refuses or inserts, and commits; the transaction is open. */
export function write(passage: Passage, args: DraftArguments, environment: Environment): Json {
  const { store, stages: step } = environment;
  const existing = step.lookup(passage, args, environment);
  if (existing !== undefined) {
    if (existing.digest !== passage.digest) throw new Refusal("key_conflict", "key_conflict");
    store.run("commit");
    passage.events.push("effect_reused");
    return JSON.parse(existing.body);
  }
  const value = step.insert(passage, args, environment);
  announce(passage, "inside_transaction");
  step.commit(passage, environment);
  return value;
}

/** The effect under this key, whichever request it came from. */
export function lookup(
  passage: Passage,
  args: DraftArguments,
  { store }: Environment,
): StoredEffect | undefined {
  return readEffect(store, passage, args.job);
}

/** Writes the effect if the policy is still the one that was checked and still allows these arguments. */
export function insert(passage: Passage, args: DraftArguments, environment: Environment): Json {
  const { store, stages: step } = environment;
  const again = step.checkArguments(args);
  if (again.kind === "invalid") throw new Refusal("input_rejected", again.code);
  const value = expectedOutput(args);
  const { changes } = store.run("insertEffect", effectRow(passage, args, value));
  if (changes !== 1) throw step.notWritten(passage, args, environment);
  return value;
}

/** Why a conditional insert wrote nothing: the policy moved on, or, if it still matches, the write itself failed. */
export function notWritten(passage: Passage, args: DraftArguments, { store }: Environment): Error {
  const policy = readPolicy(store);
  const matches =
    policy !== undefined && policy.revision === passage.snapshot?.revision && policy.maxCopies >= args.copies;
  return matches ? new Failure("effect_not_written") : new Refusal("policy_changed", "policy_changed");
}

export function commit(passage: Passage, { store }: Environment): void {
  store.run("commit");
  passage.events.push("effect_committed");
  announce(passage, "after_commit");
}
