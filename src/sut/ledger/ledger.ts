import type { Code, CrashPoint, Json, PolicySetting, StageEvent, Status } from "../../model/vocabulary.js";
import type { Guards } from "./guards.js";
import type { Stages } from "./stages.js";
import type { StepStore } from "./store.js";

/** Where a host may watch or interrupt a call. In production each does nothing. */
export type Hooks = {
  /** Awaited at ◆; an abort of the call's signal takes hold when it returns. */
  readonly checkpoint: (name: "before_business" | "after_business" | "output_check") => Promise<void>;
  /** Called synchronously at ▲; a throw ends the attempt as an error at that place. */
  readonly crashPoint: (name: CrashPoint) => void;
  readonly snapshotTaken: (revision: number) => void;
  /** The tool's return value on its way out. */
  readonly returned: (value: Json) => Json;
  /** Resolves when a checker has had its time. */
  readonly patience: (stage: "check" | "output") => {
    readonly over: Promise<void>;
    readonly dismiss: () => void;
  };
};

export type Call = {
  /** Arguments as JSON text, untrusted. */
  readonly request: string;
  readonly tenant: string;
  readonly runId: string;
  readonly callId: string;
  /** Ties the receipt to this attempt; unique. */
  readonly delivery: string;
  readonly signal: AbortSignal;
  readonly hooks: Hooks;
  readonly guards: Guards;
};

export type Result = {
  readonly receipt: number;
  readonly status: Status;
  readonly code: Code;
  readonly events: readonly StageEvent[];
  readonly effectExists: boolean;
  readonly released: Json;
};

export type Ledger = {
  /**
   * Runs one attempt. Resolves with its receipt, whatever the decision was. Rejects with the caller's abort reason
   * after a cancelled receipt, with `AuditUnavailable` if no receipt could be written, and with `ReleaseFailed` if
   * the receipt is durable but the result could not be handed over. Nothing is released without a receipt.
   */
  readonly run: (call: Call) => Promise<Result>;
  /** Sets or removes the policy; every setting takes a revision never used before. */
  readonly setPolicy: (setting: PolicySetting) => void;
};

/** A ledger over an open store. `clock` gives milliseconds since the epoch. */
export function createLedger(store: StepStore, stages: Stages, clock: () => number): Ledger {
  const environment = { store, clock, stages };
  return {
    run: async (call) => {
      const passage = stages.enter(call);
      const ending = await stages.pass(passage, environment);
      return stages.conclude(passage, ending, environment);
    },
    setPolicy: (setting) => stages.setPolicy(setting, environment),
  };
}
