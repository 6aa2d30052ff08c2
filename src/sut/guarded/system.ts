import { join } from "node:path";
import {
  type ApprovalRule,
  checkpoints,
  crashPoints,
  faultKinds,
  type Outcome,
  type Profile,
} from "../../model/vocabulary.js";
import type { Footprint } from "../footprint.js";
import type { Hooks, Settled } from "../gate.js";
import { type InProcessSystem, inProcessPort } from "../in-process.js";
import { ledgerProfile, outcomeOf } from "../ledger/system.js";
import type { Port, Submission } from "../port.js";
import { sqliteProcess } from "../sqlite-process.js";
import { type CapabilityEngine, loadCapabilityEngine } from "./capability/engine.js";
import { type Call, createGuarded, type Guarded } from "./guarded.js";
import { openGuardedObserver } from "./observer.js";
import { type Detector, defaultDetector } from "./output/detector.js";
import { disposeOf } from "./output/disposition.js";
import { guardedTables } from "./sql.js";
import { type GuardedStages, guardedStages } from "./stages.js";
import {
  type GuardedSql,
  type GuardedStatement,
  openStore,
  type StatementName,
  type StepStore,
  type Store,
} from "./store.js";
import { builtInTools } from "./tools/built-in-tools.js";
import {
  type NotificationService,
  notifyOver,
  openNotificationService,
} from "./tools/notification-service.js";
import { createRegistry, type GuardedTool, type Registry } from "./tools/registry.js";
import { workspaceWriter } from "./tools/workspace-writer.js";

/** How long a request for approval can be granted and used, in units of the host's clock. */
const approvalLifetime = 2;

export const guardedProfile: Profile = {
  name: "guarded",
  layers: ["run", "validate", "check", "capability", "approval", "execute", "output", "receipt"],
  checkpoints,
  crashPoints,
  faults: faultKinds.filter((kind) => kind !== "bad_output"),
  abilities: [
    ...ledgerProfile.abilities,
    "approvals",
    "runs",
    "capabilities",
    "clock",
    "separate_approver",
    "round_trip",
    "driver",
    "layer_results",
  ],
  approvalLifetime,
};

/** How an executor differs from the sound one. */
export type GuardedVariant = {
  readonly sql?: Partial<GuardedSql>;
  readonly schema?: string;
  /** Called at every start of the executor's process, so that what it remembers dies with it. */
  readonly stages?: () => Partial<GuardedStages>;
  /** Runs when the executor opens its store. */
  readonly onOpen?: (store: StepStore) => void;
  /** What the harness would be told instead. */
  readonly outcomeOf?: (settled: Settled, signal: AbortSignal) => Outcome;
  /** What is reported of a statement in place of the truth. */
  readonly footprint?: (statement: GuardedStatement, footprint: Footprint) => Footprint;
  /** Tools in place of those of the same name. */
  readonly tools?: readonly GuardedTool[];
  readonly detector?: Detector;
};

export type GuardedOptions = {
  readonly directory: string;
  readonly budgetMs: number;
  readonly variant?: GuardedVariant;
};

/** The built-in guarded executor, or a variant of it, behind the port; its files live in `directory`, which must exist. */
export function openGuardedPort({ directory, budgetMs, variant = {} }: GuardedOptions): Port {
  return inProcessPort(guardedSystem(directory, variant), budgetMs);
}

/** What outlives a kill of the process that the executor runs in: its store, its workspace and the host's clock. */
export type LeftBehind = { readonly file: string; readonly run: number; readonly now: number };

/** The guarded executor with what a process of its own needs besides. */
export type SurvivingSystem = InProcessSystem & {
  readonly leaves: () => LeftBehind;
  /** A process begins on what a killed one left behind. Throws the driver's error if the store cannot be opened. */
  readonly takeUp: (left: LeftBehind) => Promise<void>;
};

/** The system behind the port; notifications go to a service of its own unless `send` takes them elsewhere. */
export function guardedSystem(
  directory: string,
  variant: GuardedVariant,
  send?: ReturnType<typeof notifyOver>,
): SurvivingSystem {
  let initial: { maxCopies: number; approval: ApprovalRule } | "none" = "none";
  let now = 0;
  let engine: CapabilityEngine | undefined;
  let service: NotificationService | undefined;
  let run = 0;

  const notify = async (note: { service: string; message: string }): Promise<void> => {
    if (send !== undefined) return send(note);
    service ??= await openNotificationService();
    await notifyOver(service.url)(note);
  };
  /** A workspace of its own for each run. */
  const registry = (): Registry => {
    const writeFile = workspaceWriter(join(directory, `workspace-${run}`));
    const replaced = new Set((variant.tools ?? []).map(({ name }) => name));
    const tools = builtInTools({ notify, writeFile }).filter(({ name }) => !replaced.has(name));
    return createRegistry([...tools, ...(variant.tools ?? [])]);
  };
  const process = sqliteProcess<StatementName, Store, Guarded>(directory, {
    name: "guarded",
    emptied: guardedTables,
    openObserver: openGuardedObserver,
    openStore: (file, watch) =>
      openStore(file, {
        ...watch,
        ...(variant.sql === undefined ? {} : { sql: variant.sql }),
        ...(variant.schema === undefined ? {} : { schema: variant.schema }),
      }),
    start: (store, draw) => {
      store.initialise(initial);
      variant.onOpen?.(store);
      const own = variant.stages === undefined ? guardedStages : { ...guardedStages, ...variant.stages() };
      if (engine === undefined) throw new Error("the capability engine has not been loaded");
      return createGuarded({
        store,
        stages: own,
        lifetime: approvalLifetime,
        registry: registry(),
        capabilities: engine,
        judgeOutput: (value, expected) => disposeOf(value, expected, variant.detector ?? defaultDetector),
        clock: () => {
          draw("#clock");
          return now;
        },
      });
    },
    ...(variant.footprint === undefined ? {} : { footprint: variant.footprint }),
  });

  return {
    ...process,
    profile: guardedProfile,
    begin: async ({ policy, capabilities = [] }) => {
      engine ??= await loadCapabilityEngine();
      initial =
        policy.kind === "limit"
          ? { maxCopies: policy.maxCopies, approval: policy.approval ?? "not_required" }
          : "none";
      now = 0;
      run++;
      process.begin();
      for (const capability of capabilities) process.running().setCapability(capability, true);
    },
    leaves: () => ({ file: process.file(), run, now }),
    takeUp: async (left) => {
      engine ??= await loadCapabilityEngine();
      run = left.run;
      now = left.now;
      process.takeUp(left.file);
    },
    call: (submission, hooks, signal) => process.running().run(guardedCall(submission, hooks, signal)),
    outcomeOf: variant.outcomeOf ?? guardedOutcome,
    setPolicy: (setting) => process.running().setPolicy(setting),
    close: async () => {
      process.close();
      await service?.close();
      service = undefined;
    },
    guarded: {
      decide: (decision, hooks) => process.running().decide(decision, hooks),
      setClock: (to) => {
        now = to;
      },
      setCapability: (capability, isHeld) => process.running().setCapability(capability, isHeld),
      writeOut: () => process.running().writeOut(),
      restore: (text) => process.running().restore(text),
      drive: ({ request, context, delivery }) => process.running().drive({ request, context, delivery }),
    },
  };
}

function guardedCall({ request, delivery, context }: Submission, hooks: Hooks, signal: AbortSignal): Call {
  return { request, context, delivery, signal, hooks };
}

/** What the guarded executor told its caller, in the vocabulary's words. */
function guardedOutcome(settled: Settled, signal: AbortSignal): Outcome {
  const outcome = outcomeOf(settled, signal);
  if (outcome.kind !== "completed" || settled.kind !== "resolved" || !hasLayers(settled.value))
    return outcome;
  return { ...outcome, layers: settled.value.layers };
}

function hasLayers(
  value: unknown,
): value is { readonly layers: NonNullable<Extract<Outcome, { kind: "completed" }>["layers"]> } {
  return typeof value === "object" && value !== null && "layers" in value;
}
