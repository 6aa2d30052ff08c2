import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ToolContract } from "../../contract/tool.js";
import type {
  Ability,
  Checkpoint,
  Context,
  CrashPoint,
  EffectRow,
  Json,
  Observation,
  Outcome,
  Policy,
  PolicySetting,
  Profile,
  ReceiptRow,
} from "../../model/vocabulary.js";
import type { Footprint } from "../footprint.js";
import type { Hooks, Settled } from "../gate.js";
import { type InProcessSystem, inProcessPort } from "../in-process.js";
import type { Port, Submission } from "../port.js";
import { definedFootprints } from "./defined-footprints.js";

/** What an executor can do and show; everything that is left out is not asked for, and what needs it is not checked. */
export type ClaimedAbilities = {
  /** Where `call` awaits `checkpoint`, in pipeline order. */
  readonly checkpoints?: readonly Checkpoint[];
  /** Where `call` calls `crashPoint`; needs `sever`. */
  readonly crashPoints?: readonly CrashPoint[];
  /** The call's signal is honoured at its checkpoints. */
  readonly cancel?: boolean;
  /** In-flight calls can be abandoned and the executor opened again on the same directory. */
  readonly crash?: boolean;
  /** The executor keeps tenants apart. */
  readonly tenants?: boolean;
  /** Columns of an effect that `observe` reads besides its key. */
  readonly effectColumns?: readonly ("digest" | "body" | "revision" | "call")[];
  /** `observe` reads receipts, one for each finished attempt, and `outcome` tells their numbers. */
  readonly receipts?: boolean;
  /** `outcome` tells the stage events of an attempt, in the vocabulary's words. */
  readonly stageEvents?: boolean;
};

/** An effect as a store shows it; columns that are not claimed may be left out. */
export type EffectReading = Pick<EffectRow, "key"> & Partial<EffectRow>;

export type Reading = {
  readonly effects: readonly EffectReading[];
  readonly receipts?: readonly ReceiptRow[];
  readonly policy?: Policy;
};

export type CallOptions = {
  readonly context: Context;
  /** New for each attempt; store it with the receipt. */
  readonly delivery: string;
  readonly signal: AbortSignal;
  /** Await it where the executor may be held; it resolves at once at points that are not claimed. */
  readonly checkpoint: (at: Checkpoint) => Promise<void>;
  /** Call it at a durable write; a throw there must be treated like any other error. */
  readonly crashPoint: (at: CrashPoint) => void;
};

export type ExecutorDefinition<Executor, Reader> = {
  readonly tool: ToolContract;
  readonly abilities?: ClaimedAbilities;
  /** Opens the executor on a directory, empty or left behind by a crash. Clock (ms) and ids come from the harness. */
  readonly open: (world: {
    readonly directory: string;
    readonly clock: () => number;
    readonly newId: () => string;
  }) => Executor | Promise<Executor>;
  /** Runs one call. `request` is the parsed JSON of the arguments, or their text where it is not JSON. */
  readonly call: (executor: Executor, request: Json, options: CallOptions) => Promise<unknown>;
  /** A second reader of the same store, in a connection of its own. */
  readonly openObserver: (world: { readonly directory: string }) => Reader | Promise<Reader>;
  readonly observe: (reader: Reader) => Reading | Promise<Reading>;
  readonly close: (executor: Executor) => unknown;
  readonly closeObserver?: (reader: Reader) => unknown;
  /** Makes the policy an ability. A removed policy is `{ kind: "remove" }`. */
  readonly setPolicy?: (executor: Executor, setting: PolicySetting) => void | Promise<void>;
  /** Cuts the executor from its store at once, in the middle of a call; makes crash points an ability. */
  readonly sever?: (executor: Executor) => void;
  /**
   * What the executor read and wrote in its store since it was last asked; asked after each step of a search over
   * schedules. It must leave nothing out that another step could notice; without it every step counts as dependent.
   */
  readonly footprint?: (executor: Executor) => Footprint;
  /** The proof, in words, that a call which rejected with this error changed nothing; undefined if there is none. */
  readonly refusal?: (error: unknown) => string | undefined;
  /**
   * What the caller knows, if the rules below do not fit. A call that resolves is `completed`, its value released;
   * one that rejects with the signal's reason is `cancelled`; with a proof from `refusal` it is `refused`; any other
   * rejection is `unknown`, since it proves nothing.
   */
  readonly outcome?: (settled: Settled, signal: AbortSignal) => Outcome;
};

/** An executor that the harness can open, with its contract and what it claims. */
export type DefinedExecutor = {
  readonly contract: ToolContract;
  readonly profile: Profile;
  readonly open: (options: { readonly directory: string; readonly budgetMs: number }) => Promise<Port>;
};

/**
 * Plugs an executor of this process in. Throws if it claims crash points but has no `sever`. Whether `observe` really
 * reads what is claimed shows in the first run, as a disagreement with the machine.
 */
export function defineExecutor<Executor, Reader>(
  definition: ExecutorDefinition<Executor, Reader>,
): DefinedExecutor {
  const profile = profileOf(definition);
  return {
    contract: definition.tool,
    profile,
    open: async ({ directory, budgetMs }) =>
      inProcessPort(systemOf(definition, profile, directory), budgetMs),
  };
}

function profileOf<Executor, Reader>(definition: ExecutorDefinition<Executor, Reader>): Profile {
  const { tool, abilities = {}, setPolicy, sever } = definition;
  const { checkpoints = [], crashPoints = [], effectColumns = [], receipts = false } = abilities;
  if (crashPoints.length > 0 && sever === undefined) {
    throw new Error(
      `the executor of ${tool.name} claims crash points but has no sever: without it the executor's own error ` +
        "handling would write on after the crash; add sever, or claim no crash points",
    );
  }
  const claimed: readonly (readonly [Ability, boolean])[] = [
    ["second_observer", true],
    ["fault_reports", true],
    ["cancel", abilities.cancel === true],
    ["crash", abilities.crash === true],
    ["tenants", abilities.tenants === true],
    ["policy", setPolicy !== undefined],
    ["receipts", receipts],
    ["delivery_ids", receipts],
    ["stage_events", abilities.stageEvents === true],
    ["effect_digest", effectColumns.includes("digest")],
    ["effect_body", effectColumns.includes("body")],
    ["effect_revision", effectColumns.includes("revision")],
    ["effect_call", effectColumns.includes("call")],
  ];
  return {
    name: tool.name,
    layers: ["validate", "execute", ...(receipts ? (["receipt"] as const) : [])],
    checkpoints,
    crashPoints,
    // What the gate can do to any executor; faults of a store need one that the harness knows.
    faults: ["throw_at"],
    abilities: claimed.filter(([, isClaimed]) => isClaimed).map(([ability]) => ability),
  };
}

function systemOf<Executor, Reader>(
  definition: ExecutorDefinition<Executor, Reader>,
  profile: Profile,
  root: string,
): InProcessSystem {
  let generation = 0;
  let directory = "";
  let open: { readonly executor: Executor } | undefined;
  let reader: { readonly reader: Reader } | undefined;
  let now = 0;
  let ids = 0;
  const { footprints, drew } = definedFootprints(definition.footprint, () => open);

  const openExecutor = async (): Promise<void> => {
    const clock = (): number => {
      drew("#clock");
      return ++now;
    };
    const newId = (): string => {
      drew("#ids");
      return `id-${++ids}`;
    };
    open = { executor: await definition.open({ directory, clock, newId }) };
  };
  const closeAll = async (): Promise<void> => {
    const closing = open;
    open = undefined;
    if (closing !== undefined) await definition.close(closing.executor);
    if (reader !== undefined) await definition.closeObserver?.(reader.reader);
    reader = undefined;
    if (directory !== "") rmSync(directory, { recursive: true, force: true });
  };
  const executor = (): Executor => {
    if (open === undefined) throw new Error("the executor is down");
    return open.executor;
  };

  return {
    profile,
    begin: async ({ policy }) => {
      await closeAll();
      directory = join(root, `run-${++generation}`);
      mkdirSync(directory);
      now = 0;
      ids = 0;
      await openExecutor();
      if (definition.setPolicy !== undefined) await definition.setPolicy(executor(), policy);
      reader = { reader: await definition.openObserver({ directory }) };
    },
    call: async (submission, hooks, signal) =>
      definition.call(executor(), requestOf(submission.request), callOptions(submission, hooks, signal)),
    outcomeOf:
      definition.outcome ?? ((settled, signal) => defaultOutcome(settled, signal, definition.refusal)),
    observe: () => {
      if (reader === undefined) throw new Error("the observer has not been opened");
      const reading = definition.observe(reader.reader);
      const whole = (one: Reading): Observation => observationOf(one, definition.tool.name);
      return reading instanceof Promise ? reading.then(whole) : whole(reading);
    },
    probeLock: () => "not_probed",
    setPolicy: (setting) => definition.setPolicy?.(executor(), setting),
    faults: { enforce: () => "store_locked", lift: () => {} },
    sever: () => {
      const severed = open;
      open = undefined;
      if (severed === undefined) return;
      if (definition.sever !== undefined) definition.sever(severed.executor);
      else void definition.close(severed.executor);
    },
    reopen: openExecutor,
    close: closeAll,
    footprints,
  };
}

function requestOf(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function callOptions({ context, delivery }: Submission, hooks: Hooks, signal: AbortSignal): CallOptions {
  return { context, delivery, signal, checkpoint: hooks.checkpoint, crashPoint: hooks.crashPoint };
}

function defaultOutcome(
  settled: Settled,
  signal: AbortSignal,
  refusal: ((error: unknown) => string | undefined) | undefined,
): Outcome {
  if (settled.kind === "resolved") {
    return {
      kind: "completed",
      receiptNumber: 0,
      status: "accepted",
      code: "ok",
      events: [],
      effectExists: true,
      released: { kind: "value", value: jsonOf(settled.value) },
    };
  }
  const { error } = settled;
  const errorText = error instanceof Error ? error.message : String(error);
  if (signal.aborted && error === signal.reason) return { kind: "cancelled", reason: "callers", errorText };
  const proof = refusal?.(error);
  if (proof !== undefined) return { kind: "refused", proof, errorText };
  return { kind: "unknown", cause: "rejected", errorText };
}

/** The value as JSON says it: what a caller over any wire would get. */
function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function observationOf(reading: Reading, tool: string): Observation {
  return {
    effects: reading.effects.map((effect) => ({
      tenant: "t1",
      tool,
      digest: "",
      body: "",
      revision: 0,
      runId: "",
      callId: "",
      ...effect,
    })),
    receipts: reading.receipts ?? [],
    policy: reading.policy ?? { kind: "missing" },
    writeLock: "not_probed",
  };
}
