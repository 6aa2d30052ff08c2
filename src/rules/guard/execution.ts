import { randomUUID } from "node:crypto";
import type { RuleDecision } from "../decision.js";
import { keysOf, type LedgerKey, type ProposedCall, type Session } from "../session.js";
import type { Eventually } from "./eventually.js";
import type { Lane } from "./lane.js";
import { NotSettled } from "./not-settled.js";
import { NothingHappened } from "./nothing-happened.js";
import type { HeldState, ReservationStore } from "./reservation-store.js";
import { type Refusal, ToolBlocked } from "./tool-blocked.js";
import { ask, type Work } from "./work.js";

/** What all calls of a guard have in common. */
export type Ward = {
  readonly store: ReservationStore;
  readonly onInconclusive: "block" | "allow";
  readonly releaseOnThrow: boolean;
  readonly provesNothingHappened: (error: unknown) => boolean;
  /** The holders whose calls run at this moment in this process. */
  readonly running: Set<string>;
};

export type Conversation = {
  readonly session: Session;
  /** Between the decision about a call and its count no other call is decided. */
  readonly lane: Lane;
};

/**
 * Decides about the call, reserves its keys, runs it, and settles the keys: `done` when it returns, freed when nothing
 * happened, else `unknown`. Throws `ToolBlocked` before it runs, what the tool threw, or `NotSettled` after it ran.
 */
export function* execution<Value>(
  ward: Ward,
  conversation: Conversation,
  call: ProposedCall,
  run: () => Eventually<Value>,
): Work<Value> {
  const holder = randomUUID();
  ward.running.add(holder);
  try {
    const keys = yield* admission(ward, conversation, call, holder);
    let value: Value;
    try {
      value = yield* ask(run);
    } catch (error) {
      yield* settleThrown(ward, keys, holder, error);
      throw error;
    }
    yield* settleDone(ward.store, keys, holder, value);
    return value;
  } finally {
    ward.running.delete(holder);
  }
}

/** The decision about a call at this moment, with what the ledger holds under its keys. */
export function* decision(
  store: ReservationStore,
  session: Session,
  call: ProposedCall,
): Work<{ readonly decision: RuleDecision; readonly ledger: Map<LedgerKey, Kept> }> {
  const ledger = new Map<LedgerKey, Kept>();
  for (;;) {
    // While the store was read, a turn may have begun and switched on a rule with another key.
    const unread = keysOf(session, call).filter((key) => !ledger.has(key));
    if (unread.length === 0) {
      return { decision: decided(session, call, ledger), ledger };
    }
    for (const key of unread) {
      const state = yield* ask(() => store.read(key));
      ledger.set(key, state === "free" ? "free" : kept(state));
    }
  }
}

type Kept = "free" | "done" | "unknown";

/** A reserved key is of a call that runs, or of a process that died: either may have had its effect. */
function kept(state: HeldState): "done" | "unknown" {
  return state === "done" ? "done" : "unknown";
}

function decided(session: Session, call: ProposedCall, ledger: ReadonlyMap<LedgerKey, Kept>): RuleDecision {
  return session.decide(call, (key) => ledger.get(key) ?? "unknown");
}

/** Whether a guard refuses a call about which this was decided. */
export function refuses(decision: RuleDecision, onInconclusive: Ward["onInconclusive"]): decision is Refusal {
  return decision.verdict === "block" || (decision.verdict === "inconclusive" && onInconclusive === "block");
}

/** The keys that are now reserved for the call. It counts, whatever comes of it, before the next one is decided. */
function* admission(
  ward: Ward,
  { session, lane }: Conversation,
  call: ProposedCall,
  holder: string,
): Work<readonly LedgerKey[]> {
  yield* ask(() => lane.enter());
  let isAdmitted = false;
  try {
    const before = yield* decision(ward.store, session, call);
    if (refuses(before.decision, ward.onInconclusive)) {
      throw new ToolBlocked(before.decision);
    }
    const keys = keysOf(session, call);
    const held = yield* reserveAll(ward.store, keys, holder);
    if (held.kind === "held") {
      const after = decided(session, call, before.ledger.set(held.key, held.by));
      if (after.verdict === "allow") throw new Error(`allowed although ${held.key} is held`);
      throw new ToolBlocked(after);
    }
    isAdmitted = true;
    return keys;
  } finally {
    session.note(call, isAdmitted ? "may_have_happened" : "refused");
    lane.leave();
  }
}

type Reserved =
  | { readonly kind: "reserved" }
  | { readonly kind: "held"; readonly key: LedgerKey; readonly by: "done" | "unknown" };

/** All of the keys or none. They come sorted, so that two calls cannot each hold what the other waits for. */
function* reserveAll(store: ReservationStore, keys: readonly LedgerKey[], holder: string): Work<Reserved> {
  const taken: LedgerKey[] = [];
  for (const key of keys) {
    // Before it is known to be ours: an answer that is lost on its way may have reserved it.
    taken.push(key);
    try {
      const answer = yield* ask(() => store.reserve(key, holder));
      if (answer.kind === "held") {
        yield* releaseAll(store, taken, holder);
        return { kind: "held", key, by: kept(answer.state) };
      }
    } catch (error) {
      yield* quietly(releaseAll(store, taken, holder));
      throw error;
    }
  }
  return { kind: "reserved" };
}

function* releaseAll(store: ReservationStore, keys: readonly LedgerKey[], holder: string): Work<void> {
  for (const key of keys) {
    yield* ask(() => store.release(key, holder));
  }
}

function* settleThrown(ward: Ward, keys: readonly LedgerKey[], holder: string, error: unknown): Work<void> {
  const { store } = ward;
  const isUndone = ward.releaseOnThrow || isProof(ward, error);
  for (const key of keys) {
    yield* quietly(ask(() => (isUndone ? store.release(key, holder) : store.settle(key, holder, "unknown"))));
  }
}

function isProof(ward: Ward, error: unknown): boolean {
  try {
    return error instanceof NothingHappened || ward.provesNothingHappened(error) === true;
  } catch {
    return false;
  }
}

/** Where the ledger fails, the key stays reserved, which the next call is told as unknown; the first error tells more. */
function* quietly(work: Work<void>): Work<void> {
  try {
    yield* work;
  } catch {}
}

function* settleDone(
  store: ReservationStore,
  keys: readonly LedgerKey[],
  holder: string,
  value: unknown,
): Work<void> {
  const failures: unknown[] = [];
  for (const key of keys) {
    try {
      yield* ask(() => store.settle(key, holder, "done"));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new NotSettled(value, keys, failures[0]);
  }
}
