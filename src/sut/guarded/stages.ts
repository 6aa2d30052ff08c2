import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type {
  Checkpoint,
  Code,
  Decision,
  DecisionAnswer,
  DecisionRefusal,
  Grant,
  Json,
  PolicySetting,
  RequestRow,
  Status,
} from "../../model/vocabulary.js";
import type { DecisionHooks } from "../decision-gate.js";
import { driverCode } from "../ledger/driver-errors.js";
import { type GuardVerdict, readAnswer } from "../ledger/guards.js";
import { Failure, Refusal } from "../ledger/refusals.js";
import type { Parameters } from "../sqlite-store.js";
import { decide, isEntitled, lateObjection, objection, record } from "./consent/decide.js";
import type { StoredUse } from "./consent/rows.js";
import {
  denial,
  isCurrent,
  isExpired,
  isGranted,
  mismatch,
  needsApproval,
  requestFor,
  requestsOf,
  type Standing,
  standing,
  useOf,
} from "./consent/standing.js";
import { restore, waitingRequests, writeOut } from "./consent/waiting.js";
import type { Call, Result } from "./guarded.js";
import type { LayerDecision } from "./layer-decision.js";
import type { Disposition } from "./output/disposition.js";
import {
  type CallRow,
  callOf,
  type Ending,
  finished,
  type GuardedPolicy,
  note,
  type Passage,
  validated,
} from "./passage.js";
import { readPolicy, setPolicy } from "./policy.js";
import { drive, driverFacts } from "./recovery/drive.js";
import type { DriverFacts } from "./recovery/driver.js";
import { openRequest, passApproval } from "./stages/approval.js";
import { capability, capabilityAtCommit, passCapability, setCapability } from "./stages/capability.js";
import {
  commit,
  type Executed,
  execute,
  insertEffect,
  isCurrentAtCommit,
  isExpiredAtCommit,
  lookup,
  recordUse,
  type StoredEffect,
  write,
} from "./stages/execute.js";
import { dispose, mayRegenerate, passOutput, settleOutput } from "./stages/output.js";
import { conclude, effectExists, receipt, receiptRow } from "./stages/receipt.js";
import { passRunGate, type StartedCall, startedCalls, startStep } from "./stages/run-gate.js";
import { validate } from "./stages/validate.js";
import type { StepStore } from "./store.js";
import type { Registry, ToolArguments } from "./tools/registry.js";

export type Environment = {
  readonly store: StepStore;
  readonly stages: GuardedStages;
  /** The host's clock; a request for approval lives `lifetime` of its units. */
  readonly clock: () => number;
  readonly lifetime: number;
  readonly registry: Registry;
  /** The engine that decides capabilities, by the rows that were just read. */
  readonly capabilities: (asked: Grant, rows: readonly unknown[], correlationId: string) => LayerDecision;
  /** Judges a value against what its tool promises. */
  readonly judgeOutput: (value: Json, expected: Json) => Disposition;
};

type On<Answer> = (passage: Passage, environment: Environment) => Answer;

/** The steps of the pipeline as one record, so that a variant replaces exactly one of them. */
export type GuardedStages = {
  readonly enter: (call: Call, environment: Environment) => Passage;
  /** From the request to a decision; never throws. */
  readonly pass: On<Promise<Ending>>;
  readonly runGate: On<void>;
  readonly startedCalls: On<readonly StartedCall[]>;
  readonly startStep: On<void>;
  readonly validate: On<ToolArguments>;
  readonly digest: (args: ToolArguments) => string;
  /** Arguments as they will be executed, settled before anything is judged by them. */
  readonly atExecution: On<void>;
  readonly check: On<Promise<void>>;
  readonly passCapability: On<Promise<void>>;
  readonly capability: On<LayerDecision>;
  readonly passApproval: On<Promise<void>>;
  readonly standing: On<Standing>;
  readonly denial: (call: CallRow, environment: Environment) => "denied" | "revoked" | undefined;
  readonly mismatch: On<"tool_mismatch" | "digest_mismatch" | undefined>;
  readonly useOf: (call: CallRow, environment: Environment) => StoredUse | undefined;
  readonly policy: (store: StepStore) => GuardedPolicy | undefined;
  readonly needsApproval: (passage: Passage, policy: GuardedPolicy | undefined) => boolean;
  /** The request by which this attempt may go on. */
  readonly requestFor: On<RequestRow | undefined>;
  readonly latestOf: (call: CallRow, environment: Environment) => RequestRow | undefined;
  readonly isExpired: (request: RequestRow, now: number) => boolean;
  readonly isCurrent: (request: RequestRow, policy: GuardedPolicy | undefined) => boolean;
  readonly isGranted: (request: RequestRow, environment: Environment) => boolean;
  readonly openRequest: On<Standing>;
  readonly stop: (passage: Passage, at: Checkpoint, environment: Environment) => Promise<void>;
  readonly execute: On<Executed | Promise<Executed>>;
  readonly write: On<Executed>;
  readonly useAtCommit: On<StoredUse | undefined>;
  readonly mismatchAtCommit: On<"tool_mismatch" | "digest_mismatch" | undefined>;
  readonly denialAtCommit: (call: CallRow, environment: Environment) => "denied" | "revoked" | undefined;
  readonly isExpiredAtCommit: On<boolean>;
  readonly capabilityAtCommit: On<void>;
  readonly isCurrentAtCommit: On<boolean>;
  readonly lookup: On<StoredEffect | undefined>;
  readonly insert: On<Json>;
  readonly recordUse: On<void>;
  readonly recordReuse: On<void>;
  readonly commit: On<void>;
  readonly deliver: (passage: Passage, executed: Executed, environment: Environment) => Promise<void>;
  readonly passOutput: (passage: Passage, stored: Json, environment: Environment) => Promise<Ending>;
  readonly dispose: (passage: Passage, value: Json, environment: Environment) => Disposition;
  /** `regenerations`: how often the attempt has done so already. */
  readonly mayRegenerate: (passage: Passage, regenerations: number) => boolean;
  readonly settleOutput: (
    passage: Passage,
    value: Json,
    disposition: Exclude<Disposition, { kind: "regenerate" }>,
  ) => Ending;
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
    said: { readonly status: Status; readonly code: Code; readonly effectExists: boolean },
    environment: Environment,
  ) => Parameters;
  readonly effectExists: On<boolean>;
  readonly decide: (
    decision: Decision,
    hooks: DecisionHooks,
    environment: Environment,
  ) => Promise<DecisionAnswer>;
  readonly record: (decision: Decision, environment: Environment) => DecisionAnswer;
  readonly objection: (
    decision: Decision,
    request: RequestRow | undefined,
    environment: Environment,
  ) => DecisionRefusal | undefined;
  readonly lateObjection: (
    decision: Decision,
    request: RequestRow,
    environment: Environment,
  ) => DecisionRefusal | undefined;
  readonly isEntitled: (decision: Decision, request: RequestRow) => boolean;
  readonly isDenied: (call: CallRow, environment: Environment) => boolean;
  readonly waiting: (environment: Environment) => readonly RequestRow[];
  readonly writeOut: (environment: Environment) => string;
  readonly restore: (text: string, environment: Environment) => "restored" | "refused";
  readonly drive: (
    call: Pick<Call, "context" | "delivery" | "request">,
    environment: Environment,
  ) => "repeats" | "rests";
  readonly driverFacts: (
    call: Pick<Call, "context" | "delivery" | "request">,
    environment: Environment,
  ) => DriverFacts;
  readonly setPolicy: (setting: PolicySetting, environment: Environment) => void;
  readonly setCapability: (capability: Grant, held: boolean, environment: Environment) => void;
};

/** The sound pipeline. */
export const guardedStages: GuardedStages = {
  enter,
  pass,
  runGate: passRunGate,
  startedCalls,
  startStep,
  validate,
  digest,
  atExecution: () => {},
  check,
  passCapability,
  capability,
  passApproval,
  standing,
  denial,
  mismatch,
  useOf,
  policy: readPolicy,
  needsApproval,
  requestFor,
  latestOf: (call, { store }) => requestsOf(call, store).at(-1),
  isExpired,
  isCurrent,
  isGranted,
  openRequest,
  stop,
  execute,
  write,
  useAtCommit: (passage, environment) => environment.stages.useOf(callOf(passage), environment),
  mismatchAtCommit: (passage, environment) => environment.stages.mismatch(passage, environment),
  denialAtCommit: (call, environment) => environment.stages.denial(call, environment),
  isExpiredAtCommit,
  capabilityAtCommit,
  isCurrentAtCommit,
  lookup,
  insert: insertEffect,
  recordUse,
  recordReuse: (passage, environment) => environment.stages.recordUse(passage, environment),
  commit,
  deliver,
  passOutput,
  dispose,
  mayRegenerate,
  settleOutput,
  classify,
  conclude,
  receipt,
  receiptRow,
  effectExists,
  decide,
  record,
  objection,
  lateObjection,
  isEntitled,
  isDenied: (call, environment) => denial(call, environment) !== undefined,
  waiting: waitingRequests,
  writeOut,
  restore,
  drive,
  driverFacts,
  setPolicy,
  setCapability,
};

/** Where a call goes that the runtime dispatched nowhere: to no tool. */
const nowhere = { tool: "", step: 0, replaces: "none", sideEffects: "not_permitted" } as const;

function enter(call: Call): Passage {
  return {
    call,
    dispatch: call.context.dispatch ?? nowhere,
    events: [],
    layers: new Map(),
    tool: undefined,
    args: undefined,
    digest: "",
    snapshot: undefined,
    matched: undefined,
    withheld: [],
    place: "unforeseen",
  };
}

async function pass(passage: Passage, environment: Environment): Promise<Ending> {
  const { stages: step } = environment;
  const { events } = passage;
  try {
    step.runGate(passage, environment);
    passage.args = step.validate(passage, environment);
    passage.digest = step.digest(passage.args);
    events.push("arguments_valid");
    await step.check(passage, environment);
    events.push("input_allowed");
    await step.passCapability(passage, environment);
    events.push("capability_granted");
    await step.passApproval(passage, environment);
    await step.stop(passage, "before_business", environment);
    events.push("business_started");
    step.atExecution(passage, environment);
    const executed = await step.execute(passage, environment);
    await step.deliver(passage, executed, environment);
    await step.stop(passage, "after_business", environment);
    return await step.passOutput(passage, executed.value, environment);
  } catch (error) {
    return step.classify(passage, error);
  }
}

/** SHA-256, as lower-case hex, of the RFC 8785 canonical JSON of validated arguments. */
function digest(args: ToolArguments): string {
  return createHash("sha256")
    .update(canonicalize(args) ?? "")
    .digest("hex");
}

/** Takes the policy snapshot and asks the business check; holds no lock meanwhile. */
async function check(passage: Passage, { store, stages: step }: Environment): Promise<void> {
  const { hooks } = passage.call;
  const { tool, args } = validated(passage);
  const policy = step.policy(store);
  if (policy === undefined) throw refusedByRule(passage, "missing_policy");
  passage.snapshot = policy;
  hooks.snapshotTaken(policy.revision);
  const honest = (): GuardVerdict =>
    tool.weight(args) <= policy.maxCopies ? { action: "allow" } : { action: "block", code: "batch_limit" };
  const verdict = await readAnswer(
    () => hooks.ask("check", honest),
    hooks.patience("check"),
    isVerdict,
    () => note(passage, "business", "block", "no_verdict"),
  );
  if (verdict.action === "block") throw refusedByRule(passage, verdict.code);
  note(passage, "business", "allow", "within_limit");
}

function refusedByRule(passage: Passage, code: Code): Refusal {
  note(passage, "business", "block", code);
  return new Refusal("input_rejected", code);
}

/** Stops at a checkpoint; an abort that arrived by then takes hold when the stop is over. */
async function stop(passage: Passage, at: Checkpoint): Promise<void> {
  passage.place = at;
  await passage.call.hooks.checkpoint(at);
  passage.call.signal.throwIfAborted();
}

/** Carries a committed effect out of the store; what cannot be carried out is an error, and the effect stays. */
async function deliver(passage: Passage, { delivery }: Executed): Promise<void> {
  if (delivery === "none") return;
  const { tool, args } = validated(passage);
  try {
    await tool.deliver?.(args, { tenant: passage.call.context.tenant, again: delivery === "again" });
  } catch {
    throw new Failure("delivery_failed");
  }
}

/** Anything unforeseen is an error at the place where the attempt stood, never a pass. */
function classify(passage: Passage, error: unknown): Ending {
  const { signal } = passage.call;
  if (signal.aborted && error === signal.reason) return { kind: "cancelled", reason: error };
  if (error instanceof Refusal) return finished(error.status, error.code);
  if (error instanceof Failure) return finished("error", error.code);
  return finished("error", driverCode(error) ?? passage.place);
}

function isVerdict(value: unknown): value is GuardVerdict {
  if (typeof value !== "object" || value === null || !("action" in value)) return false;
  return (
    value.action === "allow" ||
    (value.action === "block" && "code" in value && typeof value.code === "string")
  );
}
