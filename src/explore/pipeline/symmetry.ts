import type { Slots } from "../machine.js";
import type { Bounded } from "./bounded.js";
import { attemptSlots, type Layout, ofAttempt } from "./layout.js";

/** How a state is turned into the one that stands for its mirror images. */
export type Mirroring = {
  /** The slot from which the attempt in slot n comes. */
  readonly slotFrom: readonly number[];
  /** The request that request n becomes. */
  readonly requestTo: readonly number[];
};

export type Symmetry = {
  /** Rewrites a state to the least of its mirror images: attempts in another order, keys under other names. */
  readonly toCanonical: (state: Slots) => void;
  /** How `toCanonical` would rewrite this state. */
  readonly mirroring: (state: Slots) => Mirroring;
};

/** Attempts are told apart by nothing but what they carry; keys by nothing, if each is asked for with equal weights. */
export function symmetryOf(bounded: Bounded, layout: Layout): Symmetry {
  const attempts = bounded.bounds.attempts;
  const exchanges = exchangesOf(bounded);
  const trial = new Uint8Array(layout.slots);
  const best = new Uint8Array(layout.slots);
  const toCanonical = (state: Slots): void => {
    best.set(state);
    sortAttempts(best, layout, attempts);
    for (let n = 1; n < exchanges.length; n++) {
      const exchange = exchanges[n];
      if (exchange === undefined) continue;
      exchangeKeys(state, trial, layout, attempts, exchange);
      sortAttempts(trial, layout, attempts);
      if (isLess(trial, best)) best.set(trial);
    }
    state.set(best);
  };
  const mirroring = (state: Slots): Mirroring => {
    const canonical = state.slice();
    toCanonical(canonical);
    for (const exchange of exchanges) {
      exchangeKeys(state, trial, layout, attempts, exchange);
      const slotFrom = orderOf(trial, layout, attempts);
      const sorted = trial.slice();
      sortAttempts(sorted, layout, attempts);
      if (sorted.every((value, slot) => value === canonical[slot])) {
        return { slotFrom, requestTo: [...exchange.requestTo] };
      }
    }
    throw new Error("a state has no mirroring to its canonical form");
  };
  return { toCanonical, mirroring };
}

type Exchange = { readonly keyTo: Uint8Array; readonly requestTo: Uint8Array };

/** Every exchange of keys under which the requests stay as heavy as they were; the first one changes nothing. */
function exchangesOf({ requests, contract, bounds }: Bounded): readonly Exchange[] {
  const weightOf = (text: string): number => {
    const facts = contract.interpret(text);
    return facts.kind === "valid" ? facts.weight : 0;
  };
  const numberOf = (key: number, variant: number): number =>
    requests.findIndex(
      (request) => request.kind === "valid" && request.key === key && request.variant === variant,
    );
  return permutations(Array.from({ length: bounds.keys }, (_, key) => key)).flatMap((keyTo) => {
    const requestTo = requests.map((request, number) =>
      request.kind === "valid" ? numberOf(keyTo[request.key] ?? 0, request.variant) : number,
    );
    const isEven = requests.every(
      ({ text }, number) => weightOf(text) === weightOf(requests[requestTo[number] ?? 0]?.text ?? ""),
    );
    return isEven ? [{ keyTo: Uint8Array.from(keyTo), requestTo: Uint8Array.from(requestTo) }] : [];
  });
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

function exchangeKeys(
  from: Slots,
  into: Slots,
  layout: Layout,
  attempts: number,
  { keyTo, requestTo }: Exchange,
): void {
  into.set(from);
  for (let key = 0; key < keyTo.length; key++) {
    const to = keyTo[key] ?? 0;
    into[layout.effects + to] = from[layout.effects + key] ?? 0;
    into[layout.receipts + to] = from[layout.receipts + key] ?? 0;
  }
  const probe = from[layout.probe] ?? 0;
  if (probe > 0) into[layout.probe] = 1 + (requestTo[probe - 1] ?? 0);
  for (let slot = 0; slot < attempts; slot++) {
    const at = layout.attempts + slot * attemptSlots;
    if (from[at] === 0) continue;
    into[at + ofAttempt.request] = requestTo[from[at + ofAttempt.request] ?? 0] ?? 0;
  }
}

/** Attempts that wait come first, the greatest of them at the front. */
function sortAttempts(state: Slots, layout: Layout, attempts: number): void {
  for (let slot = 1; slot < attempts; slot++) {
    for (let at = slot; at > 0 && isBehind(state, layout, at - 1, at); at--)
      swapWithNext(state, layout, at - 1);
  }
}

function isBehind(state: Slots, { attempts }: Layout, slot: number, other: number): boolean {
  const [at, to] = [attempts + slot * attemptSlots, attempts + other * attemptSlots];
  for (let n = 0; n < attemptSlots; n++) {
    const difference = (state[at + n] ?? 0) - (state[to + n] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function swapWithNext(state: Slots, { attempts }: Layout, slot: number): void {
  const at = attempts + slot * attemptSlots;
  for (let n = at; n < at + attemptSlots; n++) {
    const held = state[n] ?? 0;
    state[n] = state[n + attemptSlots] ?? 0;
    state[n + attemptSlots] = held;
  }
}

/** The order in which `sortAttempts` leaves them: the same insertion, done on numbers. */
function orderOf(state: Slots, layout: Layout, attempts: number): readonly number[] {
  const order: number[] = [];
  for (let slot = 0; slot < attempts; slot++) {
    let at = order.length;
    while (at > 0 && isBehind(state, layout, order[at - 1] ?? 0, slot)) at--;
    order.splice(at, 0, slot);
  }
  return order;
}

function isLess(one: Slots, other: Slots): boolean {
  for (let at = 0; at < one.length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
