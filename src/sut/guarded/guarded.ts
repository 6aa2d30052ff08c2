import type {
  CheckerStage,
  Checkpoint,
  Code,
  Context,
  CrashPoint,
  Decision,
  DecisionAnswer,
  Grant,
  Json,
  LayerResults,
  PolicySetting,
  StageEvent,
  Status,
} from "../../model/vocabulary.js";
import type { DecisionHooks } from "../decision-gate.js";
import type { Environment } from "./stages.js";

/** Where a host may watch or interrupt a call. In production each does nothing. */
export type Hooks = {
  /** Awaited at ◆; an abort of the call's signal takes hold when it returns. */
  readonly checkpoint: (name: Checkpoint) => Promise<void>;
  /** Called synchronously at ▲; a throw ends the attempt as an error at that place. */
  readonly crashPoint: (name: CrashPoint) => void;
  readonly snapshotTaken: (revision: number) => void;
  /** A value made of the stored result, on its way out. */
  readonly returned: (value: Json) => Json;
  /** Asks a layer; what comes back is not trusted to be readable. */
  readonly ask: (stage: CheckerStage, honest: () => unknown) => unknown;
  /** Resolves when a layer has had its time. */
  readonly patience: (stage: CheckerStage) => { readonly over: Promise<void>; readonly dismiss: () => void };
};

export type Call = {
  /** Arguments as JSON text, untrusted. */
  readonly request: string;
  readonly context: Context;
  /** Ties the receipt to this attempt; unique. */
  readonly delivery: string;
  readonly signal: AbortSignal;
  readonly hooks: Hooks;
};

export type Result = {
  readonly receipt: number;
  readonly status: Status;
  readonly code: Code;
  readonly events: readonly StageEvent[];
  readonly effectExists: boolean;
  readonly released: Json;
  readonly layers: LayerResults;
};

export type Guarded = {
  /**
   * Runs one attempt. Resolves with its receipt, whatever the decision was; an attempt that has to wait for an approval
   * ends with `waiting_for_approval`. Rejects as the ledger does: with the caller's abort reason after a cancelled
   * receipt, with `AuditUnavailable`, or with `ReleaseFailed`.
   */
  readonly run: (call: Call) => Promise<Result>;
  /** Records what an approver decided, or says why not. Rejects with what the store says. */
  readonly decide: (decision: Decision, hooks: DecisionHooks) => Promise<DecisionAnswer>;
  readonly setPolicy: (setting: PolicySetting) => void;
  readonly setCapability: (capability: Grant, held: boolean) => void;
  /** All that waits, as text that only points at rows of the store. */
  readonly writeOut: () => string;
  /** Whether the text tells exactly what waits now; it is believed in nothing. */
  readonly restore: (text: string) => "restored" | "refused";
  /** Whether the driver would repeat the call of an ended attempt. */
  readonly drive: (call: Pick<Call, "context" | "delivery" | "request">) => "repeats" | "rests";
};

/** A guarded executor over an open store. */
export function createGuarded(environment: Environment): Guarded {
  const { stages } = environment;
  return {
    run: async (call) => {
      const passage = stages.enter(call, environment);
      const ending = await stages.pass(passage, environment);
      return stages.conclude(passage, ending, environment);
    },
    decide: (decision, hooks) => stages.decide(decision, hooks, environment),
    setPolicy: (setting) => stages.setPolicy(setting, environment),
    setCapability: (capability, held) => stages.setCapability(capability, held, environment),
    writeOut: () => stages.writeOut(environment),
    restore: (text) => stages.restore(text, environment),
    drive: (call) => stages.drive(call, environment),
  };
}
