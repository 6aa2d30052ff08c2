import { type StageEvent, stageEvents } from "../../model/vocabulary.js";
import type { Field, Schema } from "../machine.js";
import type { Bounded } from "./bounded.js";

/**
 * How far the recovery of a world has come: `open`, nothing was given up yet; `faults_gone`, everything is driven to
 * its end; `probed`, one more attempt is under way; the others say how it ended.
 */
export const phases = ["open", "faults_gone", "probed", "probe_justified", "probe_stuck"] as const;
export type Phase = (typeof phases)[number];

/** Checkpoints and checkers of a pipeline without approvals; no other is packed here. */
export const packedCheckpoints = ["before_business", "after_business", "output_check"] as const;
export const packedCheckers = ["check", "output"] as const;

/** Said by layers that such a pipeline does not have. */
const othersEvents: readonly StageEvent[] = [
  "capability_granted",
  "rules_passed",
  "approval_matched",
  "key_reserved",
  "output_regenerated",
];

/** Stage events of such a pipeline, in their order. */
export const packedEvents = stageEvents.filter((event) => !othersEvents.includes(event));

/** Where an attempt can wait; 0 stands for one that is over or was never submitted. */
export const places = ["nowhere", ...packedCheckpoints, ...packedCheckers] as const;

/** What a waiting attempt knows of the policy: nothing, an older one, or the one in force. */
export const snapshots = ["none", "stale", "current"] as const;

/** Slots of one attempt, counted from its first. */
export const ofAttempt = { place: 0, request: 1, plan: 2, snapshot: 3, events: 4, cancel: 5 } as const;
export const attemptSlots = Object.keys(ofAttempt).length;

/** Where everything stands in a state of the bounded machine. */
export type Layout = {
  readonly schema: Schema;
  readonly phase: number;
  readonly probe: number;
  readonly executor: number;
  readonly policy: number;
  readonly policyChanges: number;
  readonly crashes: number;
  readonly arms: number;
  readonly faultyAttempts: number;
  readonly submitted: number;
  /** What is spent of the bounds lies between these, each slot counting up to its bound. */
  readonly firstCounter: number;
  readonly endOfCounters: number;
  readonly armedExecute: number;
  readonly armedReceipt: number;
  /** One slot for each key: 0, or 1 + the variant of the request that it is bound to. */
  readonly effects: number;
  /** One slot for each key and a last one for receipts without a key: whether there is one. */
  readonly receipts: number;
  /** Everything before the first attempt is shared by all. */
  readonly attempts: number;
  readonly slots: number;
};

/** Effects and receipts of attempts that are over keep only what a promise can still ask about. */
export function layoutOf({ bounds, requests, workload }: Bounded): Layout {
  const counter = (most: number): number => most + 1;
  const { faultPlans, driverFaults, limits } = workload;
  const shared = {
    phase: [1, phases.length],
    probe: [1, counter(requests.length)],
    executor: [1, 2],
    policy: [1, counter(limits.length)],
    policyChanges: [1, counter(bounds.policyChanges)],
    crashes: [1, counter(bounds.crashes)],
    arms: [1, counter(bounds.arms)],
    faultyAttempts: [1, counter(bounds.faultyAttempts)],
    submitted: [1, counter(bounds.attempts)],
    armedExecute: [1, counter(driverFaults.length)],
    armedReceipt: [1, counter(driverFaults.length)],
    effects: [bounds.keys, counter(2)],
    receipts: [bounds.keys + 1, 2],
  } as const;
  const attempt: readonly Field[] = [
    { name: "place", length: 1, values: places.length },
    { name: "request", length: 1, values: requests.length },
    { name: "plan", length: 1, values: faultPlans.length },
    { name: "snapshot", length: 1, values: snapshots.length },
    { name: "events", length: 1, values: 2 ** packedEvents.length },
    { name: "cancel", length: 1, values: 2 },
  ];
  const fields: Field[] = [];
  const at: { [name: string]: number } = {};
  let slots = 0;
  const add = (field: Field): number => {
    fields.push(field);
    slots += field.length;
    return slots - field.length;
  };
  for (const [name, [length, values]] of Object.entries(shared)) at[name] = add({ name, length, values });
  const attempts = slots;
  for (let n = 1; n <= bounds.attempts; n++) {
    for (const field of attempt) add({ ...field, name: `a${n} ${field.name}` });
  }
  const place = (name: keyof typeof shared): number => at[name] ?? 0;
  return {
    schema: { fields },
    phase: place("phase"),
    probe: place("probe"),
    executor: place("executor"),
    policy: place("policy"),
    policyChanges: place("policyChanges"),
    crashes: place("crashes"),
    arms: place("arms"),
    faultyAttempts: place("faultyAttempts"),
    submitted: place("submitted"),
    firstCounter: place("policyChanges"),
    endOfCounters: place("armedExecute"),
    armedExecute: place("armedExecute"),
    armedReceipt: place("armedReceipt"),
    effects: place("effects"),
    receipts: place("receipts"),
    attempts,
    slots,
  };
}
