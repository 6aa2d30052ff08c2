import type { Code, Json, PolicySetting, Status } from "../../model/vocabulary.js";
import {
  type CheckedArguments,
  checkArguments,
  type DraftArguments,
  digestOf,
  readArguments,
} from "./arguments.js";
import { driverCode } from "./driver-errors.js";
import type { StoredEffect } from "./effects.js";
import { commit, execute, insert, lookup, notWritten, write } from "./execute.js";
import { readVerdict } from "./guards.js";
import type { Call, Result } from "./ledger.js";
import { type Ending, finished, type Passage, validated } from "./passage.js";
import { readPolicy, setPolicy } from "./policy.js";
import { auditFailure, conclude, type ReceiptParameters, receipt, receiptRow } from "./receipt.js";
import { Failure, Refusal } from "./refusals.js";
import type { StepStore } from "./store.js";

export type Environment = {
  readonly store: StepStore;
  readonly stages: Stages;
  readonly clock: () => number;
};

/** The steps of the pipeline as one record, so that a variant replaces exactly one of them. */
export type Stages = {
  readonly enter: (call: Call) => Passage;
  /** From the request to a decision; never throws. */
  readonly pass: (passage: Passage, environment: Environment) => Promise<Ending>;
  /** Judges parsed arguments; asked when the request comes in and again at the insert. */
  readonly checkArguments: (raw: unknown) => CheckedArguments;
  readonly validate: (passage: Passage, environment: Environment) => DraftArguments;
  readonly digest: (args: DraftArguments, passage: Passage) => string;
  readonly check: (passage: Passage, environment: Environment) => Promise<void>;
  readonly stop: (
    passage: Passage,
    at: "before_business" | "after_business" | "output_check",
    environment: Environment,
  ) => Promise<void>;
  /** The write transaction around `write`. */
  readonly execute: (passage: Passage, environment: Environment) => Json | Promise<Json>;
  readonly write: (passage: Passage, args: DraftArguments, environment: Environment) => Json;
  readonly lookup: (
    passage: Passage,
    args: DraftArguments,
    environment: Environment,
  ) => StoredEffect | undefined;
  readonly insert: (passage: Passage, args: DraftArguments, environment: Environment) => Json;
  readonly notWritten: (passage: Passage, args: DraftArguments, environment: Environment) => Error;
  readonly commit: (passage: Passage, environment: Environment) => void;
  readonly output: (passage: Passage, value: Json, environment: Environment) => Promise<void>;
  readonly classify: (passage: Passage, error: unknown) => Ending;
  /** From a decision to a receipt and the release. */
  readonly conclude: (passage: Passage, ending: Ending, environment: Environment) => Result | Promise<Result>;
  readonly receipt: (
    passage: Passage,
    status: Status,
    code: Code,
    environment: Environment,
  ) => { number: number; effectExists: boolean };
  readonly receiptRow: (
    passage: Passage,
    status: Status,
    code: Code,
    environment: Environment,
  ) => ReceiptParameters;
  readonly auditFailure: (passage: Passage, ending: Ending, error: unknown) => Error;
  readonly setPolicy: (setting: PolicySetting, environment: Environment) => void;
};

/** The sound pipeline. */
export const stages: Stages = {
  enter,
  pass,
  checkArguments,
  validate,
  digest: digestOf,
  check,
  stop,
  execute,
  write,
  lookup,
  insert,
  notWritten,
  commit,
  output,
  classify,
  conclude,
  receipt,
  receiptRow,
  auditFailure,
  setPolicy,
};

function enter(call: Call): Passage {
  return { call, events: [], args: undefined, digest: "", snapshot: undefined, place: "unforeseen" };
}

async function pass(passage: Passage, environment: Environment): Promise<Ending> {
  const { stages: step } = environment;
  const { events, call } = passage;
  try {
    passage.args = step.validate(passage, environment);
    passage.digest = step.digest(passage.args, passage);
    events.push("arguments_valid");
    await step.check(passage, environment);
    events.push("input_allowed");
    await step.stop(passage, "before_business", environment);
    events.push("business_started");
    const stored = await step.execute(passage, environment);
    await step.stop(passage, "after_business", environment);
    events.push("output_started");
    const value = call.hooks.returned(stored);
    await step.stop(passage, "output_check", environment);
    await step.output(passage, value, environment);
    events.push("output_allowed");
    return { kind: "finished", status: "accepted", code: "ok", released: value };
  } catch (error) {
    return step.classify(passage, error);
  }
}

function validate(passage: Passage, { stages: step }: Environment): DraftArguments {
  const read = readArguments(passage.call.request, step.checkArguments);
  if (read.kind === "invalid") throw new Refusal("input_rejected", read.code);
  return read.args;
}

/** Takes the policy snapshot and asks the business check; holds no lock meanwhile. */
async function check(passage: Passage, { store }: Environment): Promise<void> {
  const { call } = passage;
  const policy = readPolicy(store);
  if (policy === undefined) throw new Refusal("input_rejected", "missing_policy");
  passage.snapshot = policy;
  call.hooks.snapshotTaken(policy.revision);
  const args = validated(passage);
  const verdict = await readVerdict(() => call.guards.check(args, policy), call.hooks.patience("check"));
  if (verdict.action === "block") throw new Refusal("input_rejected", verdict.code);
}

/** Stops at a checkpoint; an abort that arrived by then takes hold when the stop is over. */
async function stop(
  passage: Passage,
  at: "before_business" | "after_business" | "output_check",
): Promise<void> {
  passage.place = at;
  await passage.call.hooks.checkpoint(at);
  passage.call.signal.throwIfAborted();
}

async function output(passage: Passage, value: Json): Promise<void> {
  const { hooks, guards } = passage.call;
  const args = validated(passage);
  const verdict = await readVerdict(() => guards.output(value, args), hooks.patience("output"));
  if (verdict.action === "block") throw new Refusal("output_rejected", verdict.code);
}

/** Anything unforeseen is an error at the place where the attempt stood, never a pass. */
function classify(passage: Passage, error: unknown): Ending {
  const { signal } = passage.call;
  if (signal.aborted && error === signal.reason) return { kind: "cancelled", reason: error };
  if (error instanceof Refusal) return finished(error.status, error.code);
  if (error instanceof Failure) return finished("error", error.code);
  return finished("error", driverCode(error) ?? passage.place);
}
