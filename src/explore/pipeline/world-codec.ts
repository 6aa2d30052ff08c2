import assert from "node:assert/strict";
import type { AttemptName, Policy } from "../../model/vocabulary.js";
import {
  type Attempt,
  type Effect,
  inFlight,
  type Receipt,
  type Waiting,
  type World,
} from "../../model/world.js";
import { sameDriverFault, stageOf } from "../../sut/fault-kinds.js";
import type { Slots } from "../machine.js";
import { type Bounded, onlyContext } from "./bounded.js";
import { attemptSlots, type Layout, ofAttempt, type Phase, phases } from "./layout.js";
import { eventsIn, eventsValue, placeOf, placeValue } from "./slot-values.js";
import { standInAttempt, standInReceipt } from "./stand-ins.js";

/** What a state holds beside the world: how much of the bounds is spent, and how far the recovery has come. */
export type Counters = {
  readonly submitted: number;
  readonly arms: number;
  readonly faultyAttempts: number;
  readonly phase: Phase;
  /** The request of the attempt that tries the recovery, counted from 1; 0 before. */
  readonly probe: number;
};

export type Decoded = { readonly world: World; readonly counters: Counters };

/** Turns worlds into states and states into the worlds that stand for them. */
export type WorldCodec = {
  /** The plainest world with this future: numbers of the policy and rows of the past are those of a stand-in. */
  readonly decode: (state: Slots) => Decoded;
  /** Writes a world that came of `before`, in which every waiting attempt keeps its slot. */
  readonly encode: (world: World, counters: Counters, before: Slots, into: Slots) => void;
  readonly initial: (into: Slots) => void;
};

/** A snapshot of the policy in force, and one of any policy before it. */
const currentRevision = 2;
const olderRevision = 1;

export function worldCodec(bounded: Bounded, layout: Layout, start: World): WorldCodec {
  const { requests, workload, keyNames, profile, contract, bounds } = bounded;
  const { limits, driverFaults, faultPlans } = workload;
  const facts = requests.map(({ text }) => contract.interpret(text));
  const digests = keyNames.map((_, key) =>
    requests.flatMap((request, index) => {
      const meant = facts[index];
      return request.kind === "valid" && request.key === key && meant?.kind === "valid" ? [meant.digest] : [];
    }),
  );
  const plans = faultPlans.map((plan) => JSON.stringify(plan));

  const policyOf = (value: number): Policy => {
    const setting = limits[value - 1];
    return setting?.kind === "limit"
      ? { kind: "present", revision: currentRevision, maxCopies: setting.maxCopies }
      : { kind: "missing" };
  };
  const policyValue = (policy: Policy): number =>
    policy.kind === "missing"
      ? 0
      : 1 + found(limits, (limit) => limit.kind === "limit" && limit.maxCopies === policy.maxCopies, "limit");

  const effectsOf = (state: Slots): readonly Effect[] =>
    keyNames.flatMap((key, index) => {
      const value = state[layout.effects + index] ?? 0;
      const digest = digests[index]?.[value - 1];
      if (digest === undefined) return [];
      const { tenant, runId, callId } = onlyContext;
      return [{ tenant, tool: contract.name, key, digest, revision: olderRevision, runId, callId }];
    });

  const receiptsOf = (state: Slots): readonly Receipt[] => {
    const kept = [
      ...keyNames.map((key) => ({ kind: "key", key }) as const),
      { kind: "none" } as const,
    ].filter((_, index) => state[layout.receipts + index] === 1);
    return kept.map((key, index) => standInReceipt(key, index + 1));
  };

  const waitingAt = (state: Slots, slot: number): readonly Waiting[] => {
    const at = layout.attempts + slot * attemptSlots;
    const place = placeOf(state[at + ofAttempt.place] ?? 0);
    if (place === "nowhere") return [];
    const request = state[at + ofAttempt.request] ?? 0;
    const snapshot = state[at + ofAttempt.snapshot] ?? 0;
    return [
      {
        name: nameOf(slot),
        context: onlyContext,
        request: requests[request]?.text ?? "",
        facts: facts[request] ?? { kind: "invalid", code: "shape" },
        faults: faultPlans[state[at + ofAttempt.plan] ?? 0] ?? [],
        snapshot:
          snapshot === 0
            ? { kind: "none" }
            : { kind: "seen", revision: snapshot === 2 ? currentRevision : olderRevision },
        events: eventsIn(state[at + ofAttempt.events] ?? 0),
        cancel: state[at + ofAttempt.cancel] === 1 ? "requested" : "none",
        place,
      },
    ];
  };

  const decode = (state: Slots): Decoded => {
    const slots = Array.from({ length: bounds.attempts }, (_, slot) => slot);
    const waiting = slots.flatMap((slot) => waitingAt(state, slot));
    const submitted = state[layout.submitted] ?? 0;
    const free = slots.map(nameOf).filter((name) => waiting.every((attempt) => attempt.name !== name));
    const over = free.slice(0, Math.max(0, submitted - waiting.length)).map(standInAttempt);
    const byNumber = (one: Attempt, other: Attempt): number => numberOf(one.name) - numberOf(other.name);
    const armed = [layout.armedExecute, layout.armedReceipt].flatMap(
      (at) => driverFaults[(state[at] ?? 0) - 1] ?? [],
    );
    const world: World = {
      ...start,
      profile,
      executor: state[layout.executor] === 1 ? "down" : "up",
      policy: policyOf(state[layout.policy] ?? 0),
      revision: currentRevision,
      effects: effectsOf(state),
      receipts: receiptsOf(state),
      armed,
      attempts: [...waiting, ...over].sort(byNumber),
      policyChanges: state[layout.policyChanges] ?? 0,
      crashes: state[layout.crashes] ?? 0,
    };
    const counters: Counters = {
      submitted,
      arms: state[layout.arms] ?? 0,
      faultyAttempts: state[layout.faultyAttempts] ?? 0,
      phase: phases[state[layout.phase] ?? 0] ?? "open",
      probe: state[layout.probe] ?? 0,
    };
    return { world, counters };
  };

  const encodeAttempt = (attempt: Waiting, { policy }: World, into: Slots, slot: number): void => {
    const at = layout.attempts + slot * attemptSlots;
    const { place, snapshot, faults, events, cancel, request } = attempt;
    const current =
      snapshot.kind === "seen" && policy.kind === "present" && snapshot.revision === policy.revision;
    into[at + ofAttempt.place] = placeValue(place);
    into[at + ofAttempt.request] = found(requests, ({ text }) => text === request, "request");
    into[at + ofAttempt.plan] = found(plans, (plan) => plan === JSON.stringify(faults), "plan of faults");
    into[at + ofAttempt.snapshot] = snapshot.kind === "none" ? 0 : current ? 2 : 1;
    into[at + ofAttempt.events] = eventsValue(events);
    into[at + ofAttempt.cancel] = cancel === "requested" ? 1 : 0;
  };

  const encodeStore = ({ effects, receipts }: World, into: Slots): void => {
    for (const { key, digest } of effects) {
      const index = found(keyNames, (name) => name === key, "key");
      into[layout.effects + index] = 1 + found(digests[index] ?? [], (one) => one === digest, "digest");
    }
    for (const { key } of receipts) {
      const index =
        key.kind === "none" ? keyNames.length : found(keyNames, (name) => name === key.key, "key");
      into[layout.receipts + index] = 1;
    }
  };

  const encodeSpent = (world: World, counters: Counters, into: Slots): void => {
    into[layout.policyChanges] = world.policyChanges;
    into[layout.crashes] = world.crashes;
    into[layout.arms] = counters.arms;
    into[layout.faultyAttempts] = counters.faultyAttempts;
    into[layout.submitted] = counters.submitted;
  };

  const encode: WorldCodec["encode"] = (world, counters, before, into) => {
    const slots = slotsOf(world, before, layout, bounds.attempts);
    into.fill(0);
    into[layout.phase] = phases.indexOf(counters.phase);
    into[layout.probe] = counters.probe;
    into[layout.executor] = world.executor === "down" ? 1 : 0;
    into[layout.policy] = policyValue(world.policy);
    for (const fault of world.armed) {
      const at = stageOf(fault) === "execute" ? layout.armedExecute : layout.armedReceipt;
      into[at] = 1 + found(driverFaults, (one) => sameDriverFault(one, fault), "fault");
    }
    encodeStore(world, into);
    // Once nothing more is spent, neither what was spent nor who wrote a receipt makes a difference.
    if (counters.phase === "open") encodeSpent(world, counters, into);
    else into.fill(0, layout.receipts, layout.receipts + keyNames.length + 1);
    for (const [attempt, slot] of slots) encodeAttempt(attempt, world, into, slot);
  };

  const initial = (into: Slots): void => {
    const counters: Counters = { submitted: 0, arms: 0, faultyAttempts: 0, phase: "open", probe: 0 };
    encode(start, counters, new Uint8Array(layout.slots), into);
  };
  return { decode, encode, initial };
}

/** Waiting attempts stay where they were; one that is new takes the first free slot. */
function slotsOf(
  world: World,
  before: Slots,
  layout: Layout,
  most: number,
): readonly (readonly [Waiting, number])[] {
  const isTaken = (slot: number): boolean => before[layout.attempts + slot * attemptSlots] !== 0;
  const waiting = inFlight(world);
  const staying = waiting.filter(({ name }) => numberOf(name) <= most && isTaken(numberOf(name) - 1));
  const newcomers = waiting.filter((attempt) => !staying.includes(attempt));
  const taken = new Set(staying.map(({ name }) => numberOf(name) - 1));
  const free = Array.from({ length: most }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  return [
    ...staying.map((attempt) => [attempt, numberOf(attempt.name) - 1] as const),
    ...newcomers.map((attempt, index) => {
      const slot = free[index];
      assert(slot !== undefined, `no slot is left for ${attempt.name}`);
      return [attempt, slot] as const;
    }),
  ];
}

/** The name under which the attempt of a slot goes in the world of a state. */
export function nameOf(slot: number): AttemptName {
  return `a${slot + 1}`;
}

function numberOf(name: AttemptName): number {
  return Number(name.slice(1));
}

/** The index of what the bounds name; a world that holds anything else does not fit its bounds. */
function found<T>(list: readonly T[], is: (item: T) => boolean, what: string): number {
  const index = list.findIndex(is);
  assert(index >= 0, `the world holds a ${what} that is not in the bounds`);
  return index;
}
