import type {
  CheckerFault,
  Checkpoint,
  Context,
  CrashPoint,
  DriverStage,
  Fault,
  Json,
} from "../src/model/vocabulary.js";
import { isCheckerFault, isDriverFault, stageOf } from "../src/sut/fault-kinds.js";
import { checkLimit, checkOutput } from "../src/sut/ledger/guards.js";
import type { Call, Hooks } from "../src/sut/ledger/ledger.js";
import type { Bare } from "./bare-executor.js";

/** One attempt that is carried out by hand: what it is to suffer, and the resolver that lets it go on. */
export type BareAttempt = {
  readonly request: string;
  readonly context: Context;
  readonly abort: AbortController;
  faults: readonly Fault[];
  state: "moving" | "parked" | "blocked" | "ended" | "killed";
  /** A fault is planned for it or has struck it, or it ended badly: reason enough to probe the lock. */
  isSuspect: boolean;
  kill: CrashPoint | undefined;
  /** Lets it go on from where it stands. */
  resume: () => void;
  /** Told whenever it has come to rest. */
  rested: () => void;
};

export function bareAttempt(request: string, context: Context, faults: readonly Fault[]): BareAttempt {
  return {
    request,
    context,
    abort: new AbortController(),
    faults,
    state: "moving",
    isSuspect: faults.length > 0,
    kill: undefined,
    resume: unheld,
    rested: unheld,
  };
}

/** The call of an attempt on the ledger itself, with the attempt's faults in its hooks. */
export function bareCall(bare: Bare, attempt: BareAttempt, delivery: string): Call {
  const { request, context, abort } = attempt;
  return {
    request,
    delivery,
    tenant: context.tenant,
    runId: context.runId,
    callId: context.callId,
    signal: abort.signal,
    hooks: hooksOf(bare, attempt),
    guards: {
      check: (args, policy) => misbehaved(attempt, "check") ?? checkLimit(args, policy),
      output: (value, args) => misbehaved(attempt, "output") ?? checkOutput(value, args),
    },
  };
}

function hooksOf(bare: Bare, attempt: BareAttempt): Hooks {
  return {
    checkpoint: async (at) => {
      if (attempt.state === "killed") throw killed;
      bare.faults.lift();
      await parked(attempt);
      if (attempt.abort.signal.aborted) return;
      throwIfPlanned(attempt, at);
      if (at === "before_business") enforce(bare, attempt, "execute");
    },
    crashPoint: (at) => {
      if (attempt.state === "killed") throw killed;
      if (at !== "inside_transaction") bare.faults.lift();
      if (attempt.kill === at) {
        bare.store.close();
        attempt.state = "killed";
        attempt.rested();
        throw killed;
      }
      throwIfPlanned(attempt, at);
      if (at === "before_receipt") enforce(bare, attempt, "receipt");
    },
    snapshotTaken: unheld,
    returned: (value) => {
      if (attempt.faults.every(({ kind }) => kind !== "bad_output")) return value;
      return isRecord(value) ? { ...value, text: "not what was promised" } : "not what was promised";
    },
    patience: () => ({
      over: new Promise((resolve) => {
        attempt.resume = resolve;
      }),
      dismiss: unheld,
    }),
  };
}

/** At rest until somebody resumes it. */
function parked(attempt: BareAttempt): Promise<void> {
  return new Promise((resolve) => {
    attempt.resume = resolve;
    attempt.state = "parked";
    attempt.rested();
  });
}

/** What a faulty checker answers; undefined if none is planned. A checker that hangs is at rest at once. */
function misbehaved(attempt: BareAttempt, stage: CheckerFault["stage"]): unknown {
  const fault = attempt.faults.filter(isCheckerFault).find((planned) => planned.stage === stage);
  if (fault === undefined) return undefined;
  switch (fault.kind) {
    case "checker_throws":
      throw new Error("the checker threw");
    case "checker_rejects_falsy":
      return Promise.reject(undefined);
    case "checker_garbled":
      return "unreadable";
    case "checker_hangs":
      attempt.state = "blocked";
      attempt.rested();
      return new Promise(() => {});
  }
}

function throwIfPlanned(attempt: BareAttempt, at: Checkpoint | CrashPoint): void {
  if (attempt.faults.some((fault) => fault.kind === "throw_at" && fault.at === at)) {
    throw new Error(`thrown at ${at}`);
  }
}

function enforce(bare: Bare, attempt: BareAttempt, stage: DriverStage): void {
  for (const fault of [...attempt.faults, ...bare.armed]) {
    if (!isDriverFault(fault) || stageOf(fault) !== stage) continue;
    bare.faults.enforce(fault);
    attempt.isSuspect = true;
    return;
  }
}

const killed = new Error("the process was killed here");

function unheld(): void {}

function isRecord(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
