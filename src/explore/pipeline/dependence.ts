import assert from "node:assert/strict";
import type { Slots } from "../machine.js";
import type { Bounded } from "./bounded.js";
import { attemptSlots, type Layout, ofAttempt } from "./layout.js";

/** The part of a state on which the steps of a group depend, as two numbers; equal parts have equal numbers. */
export type Part = { high: number; low: number };

/**
 * Tells of a state what the steps of each group of actions can depend on: the executor, the policy and the armed
 * faults; of the effects only that of the key asked for, and whether there are others; of the receipts whether there are any; of the attempts only the one
 * that moves, and whether any is over; of the bounds only what is not spent.
 */
export type Dependence = {
  /** Takes up a state; what the others tell is told of it. */
  readonly look: (state: Slots) => void;
  readonly ofAttempt: (slot: number, into: Part) => void;
  readonly ofSubmission: (request: number, into: Part) => void;
  readonly ofProbe: (request: number, into: Part) => void;
  readonly ofControls: (into: Part) => void;
  readonly waiting: () => number;
};

/** Both numbers of a part stay below this, so that they are whole and take 32 bits. */
const most = 2 ** 32;

/** What there can be of a key, of others, of receipts, and of attempts that are over: 3 times 2 times 2 times 2. */
const keyParts = 24;

export function createDependence({ bounds, requests }: Bounded, layout: Layout): Dependence {
  const radix = radixOf(layout);
  const { attempts, keys } = bounds;
  const keyOf = Uint8Array.from(requests, (request) => (request.kind === "valid" ? request.key : keys));
  const shared = [
    layout.phase,
    layout.probe,
    layout.executor,
    layout.policy,
    layout.armedExecute,
    layout.armedReceipt,
  ];
  const atOnce = Uint8Array.from(shared);
  const combinations = shared.reduce((product, at) => product * (radix[at] ?? 1), 1);
  assert(
    combinations * keyParts < most && attemptNumbers(radix, layout) * 2 < most,
    "the bounds are too wide to remember steps by",
  );
  let state: Slots = new Uint8Array(layout.slots);
  let [base, effects, receipts, waiting, past, left] = [0, 0, 0, 0, 0, 0];
  const crashesLeft = (): number => isLeft(layout.crashes);
  const isLeft = (counter: number): number => ((state[counter] ?? 0) + 1 < (radix[counter] ?? 0) ? 1 : 0);

  /** What there is of the key of a request, and whether there is anything of another. */
  const ofKey = (request: number): number => {
    const key = keyOf[request] ?? keys;
    const ownEffect = key < keys ? (state[layout.effects + key] ?? 0) : 0;
    const others = effects > (ownEffect > 0 ? 1 : 0) ? 1 : 0;
    return ((ownEffect * 2 + others) * 2 + receipts) * 2 + past;
  };
  return {
    look: (looked) => {
      state = looked;
      base = 0;
      for (let n = 0; n < atOnce.length; n++) {
        const at = atOnce[n] ?? 0;
        base = base * (radix[at] ?? 1) + (looked[at] ?? 0);
      }
      [effects, receipts, waiting, left] = [0, 0, 0, 0];
      for (let key = 0; key < keys; key++) if (looked[layout.effects + key] !== 0) effects++;
      for (let key = 0; key <= keys; key++) if (looked[layout.receipts + key] !== 0) receipts = 1;
      for (let slot = 0; slot < attempts; slot++) {
        if (looked[layout.attempts + slot * attemptSlots] !== 0) waiting++;
      }
      for (let at = layout.firstCounter; at < layout.endOfCounters; at++) left = 2 * left + isLeft(at);
      past = (looked[layout.submitted] ?? 0) > waiting ? 1 : 0;
    },
    ofAttempt: (slot, into) => {
      const at = layout.attempts + slot * attemptSlots;
      let number = 0;
      for (let n = at; n < at + attemptSlots; n++) number = number * (radix[n] ?? 1) + (state[n] ?? 0);
      into.high = base * keyParts + ofKey(state[at + ofAttempt.request] ?? 0);
      into.low = number * 2 + crashesLeft();
    },
    ofSubmission: (request, into) => {
      into.high = base * keyParts + ofKey(request);
      into.low = request * 4 + isLeft(layout.submitted) * 2 + isLeft(layout.faultyAttempts);
    },
    ofProbe: (request, into) => {
      into.high = base * keyParts + ofKey(request);
      into.low = request * 2 + (waiting > 0 ? 1 : 0);
    },
    ofControls: (into) => {
      into.high = base * 8 + (effects > 0 ? 4 : 0) + receipts * 2 + past;
      into.low = left * 2 + (waiting > 0 ? 1 : 0);
    },
    waiting: () => waiting,
  };
}

function attemptNumbers(radix: Uint16Array, { attempts }: Layout): number {
  let product = 1;
  for (let at = attempts; at < attempts + attemptSlots; at++) product *= radix[at] ?? 1;
  return product;
}

/** How many values each slot takes. */
function radixOf({ schema, slots }: Layout): Uint16Array {
  const radix = new Uint16Array(slots);
  let slot = 0;
  for (const { length, values } of schema.fields) for (let n = 0; n < length; n++) radix[slot++] = values;
  return radix;
}
