import { type Step, step } from "../../src/model/step.js";
import type {
  Action,
  AttemptName,
  Context,
  Facts,
  Fault,
  PolicySetting,
  Profile,
  StageEvent,
} from "../../src/model/vocabulary.js";
import { initialWorld, type World } from "../../src/model/world.js";

/** The ledger profile as the spec of the machine states it: everything but kill, approvals and reconcile. */
export const ledger: Profile = {
  name: "ledger",
  layers: ["validate", "check", "execute", "output", "receipt"],
  checkpoints: ["before_business", "after_business", "output_check"],
  crashPoints: ["inside_transaction", "after_commit", "before_receipt", "after_receipt"],
  faults: [
    "throw_at",
    "bad_output",
    "receipt_ignored",
    "receipt_aborted",
    "effect_ignored",
    "busy",
    "commit_refused",
    "disk_full",
    "read_only",
    "checker_throws",
    "checker_rejects_falsy",
    "checker_hangs",
    "checker_garbled",
  ],
  abilities: [
    "cancel",
    "policy",
    "recheck_at_commit",
    "crash",
    "delivery_ids",
    "snapshot_revision",
    "fault_reports",
    "second_observer",
    "lock_probe",
    "receipts",
    "stage_events",
    "effect_digest",
    "effect_body",
    "effect_revision",
    "effect_call",
    "tenants",
  ],
};

export function without<Key extends "layers" | "checkpoints" | "crashPoints" | "faults" | "abilities">(
  key: Key,
  ...words: readonly string[]
): Profile {
  return { ...ledger, [key]: ledger[key].filter((word) => !words.includes(word)) };
}

export const river2 = '{"job":"JOB-001","topic":"river","copies":2}';
export const river3 = '{"job":"JOB-001","topic":"river","copies":3}';
export const river4 = '{"job":"JOB-001","topic":"river","copies":4}';
export const forest1 = '{"job":"JOB-002","topic":"forest","copies":1}';
export const shapeless = '{"job":"JOB-001"}';

const meanings: ReadonlyMap<string, Facts> = new Map<string, Facts>([
  [river2, { kind: "valid", key: "JOB-001", digest: "river-2", weight: 2 }],
  [river3, { kind: "valid", key: "JOB-001", digest: "river-3", weight: 3 }],
  [river4, { kind: "valid", key: "JOB-001", digest: "river-4", weight: 4 }],
  [forest1, { kind: "valid", key: "JOB-002", digest: "forest-1", weight: 1 }],
]);

/** A contract as a table: what is not in it has no shape. */
export function interpret(request: string): Facts {
  return meanings.get(request) ?? { kind: "invalid", code: "shape" };
}

export function call(callId: string, tenant = "t1"): Context {
  return { tenant, runId: "r1", callId, principal: "p1" };
}

export const three: PolicySetting = { kind: "limit", maxCopies: 3 };

export const empty: World = initialWorld(ledger, three, "drafts");

export function submit(attempt: AttemptName, request: string, ...faults: readonly Fault[]): Action {
  return { kind: "submit", attempt, request, context: call(`c-${attempt}`), faults };
}

export function advance(attempt: AttemptName): Action {
  return { kind: "advance", attempt };
}

export function finish(attempt: AttemptName): Action {
  return { kind: "finish", attempt };
}

export function cancel(attempt: AttemptName): Action {
  return { kind: "cancel", attempt };
}

export function expire(attempt: AttemptName): Action {
  return { kind: "expire", attempt };
}

export function retry(attempt: AttemptName, of: AttemptName, ...faults: readonly Fault[]): Action {
  return { kind: "retry", attempt, of, faults };
}

export function limit(maxCopies: number): Action {
  return { kind: "change_policy", to: { kind: "limit", maxCopies } };
}

export const removePolicy: Action = { kind: "change_policy", to: { kind: "remove" } };

export type Moved = Extract<Step, { kind: "moved" }>;

/** All that the actions bring about, one after the other. A refusal is a mistake of the test. */
export function take(world: World, ...actions: readonly Action[]): Moved {
  let all: Moved = { kind: "moved", world, events: [], transitions: [] };
  for (const action of actions) {
    const next = step(all.world, action, interpret);
    if (next.kind === "refused") throw new Error(`${action.kind} refused: ${next.reason}`);
    all = {
      kind: "moved",
      world: next.world,
      events: [...all.events, ...next.events],
      transitions: [...all.transitions, ...next.transitions],
    };
  }
  return all;
}

/** The world after the actions. */
export function worldAfter(world: World, ...actions: readonly Action[]): World {
  return take(world, ...actions).world;
}

/** Why the last action is refused after the others. */
export function refusal(world: World, ...actions: readonly Action[]): Step {
  const last = actions.at(-1);
  if (last === undefined) throw new Error("no action");
  return step(worldAfter(world, ...actions.slice(0, -1)), last, interpret);
}

/** How far the stage events of an attempt go that meets nothing else. */
export const valid: readonly StageEvent[] = ["arguments_valid"];
export const allowed: readonly StageEvent[] = [...valid, "input_allowed"];
export const begun: readonly StageEvent[] = [...allowed, "business_started"];
export const committed: readonly StageEvent[] = [...begun, "effect_committed"];
export const shown: readonly StageEvent[] = [...committed, "output_started"];
export const complete: readonly StageEvent[] = [...shown, "output_allowed"];
export const reused: readonly StageEvent[] = [...begun, "effect_reused"];
