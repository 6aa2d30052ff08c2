import type { LedgerKey } from "../ledger-key.js";
import type { Eventually } from "./eventually.js";
import type { GuardWarning } from "./guard-warnings.js";
import { type CallContext, type GuardDecision, type GuardOptions, guarding } from "./guarding.js";
import type { EffectSeen, Reconciled } from "./reconciling.js";
import type { SyncReservationStore } from "./reservation-store.js";
import type { ToolArguments } from "./tool-arguments.js";
import { atOnce, later } from "./work.js";

/** Stands before the calls of an agent: asks the rules, and lets one transaction run once. */
export type Guard = {
  /** What this guard does not do, though one might think so. */
  readonly warnings: readonly GuardWarning[];
  /** A conversation from its beginning; the guard has to be told every turn of it. */
  readonly session: () => GuardSession;
  /** Only asks: it writes nothing, counts nothing and reserves nothing. */
  readonly check: (
    tool: string | undefined,
    args: ToolArguments,
    context?: CallContext,
  ) => Promise<GuardDecision>;
  /** Runs the tool, or rejects with `ToolBlocked` before it runs. */
  readonly execute: <Value>(
    tool: string | undefined,
    args: ToolArguments,
    run: () => Eventually<Value>,
    context?: CallContext,
  ) => Promise<Value>;
  /**
   * Settles the keys that a dead process or an unknown outcome left, as the effects tell. `look` is given the ledger key,
   * the JSON text of `[tool, template, values]`. For when no other process executes: what still runs there may yet happen.
   */
  readonly reconcile: (look: (key: LedgerKey) => Eventually<EffectSeen>) => Promise<Reconciled>;
};

/** One conversation; its calls are decided one after the other and run side by side. */
export type GuardSession = {
  /** Begins a turn; it counts for every call that is not decided yet. */
  readonly user: (text: string) => void;
  readonly check: (tool: string | undefined, args: ToolArguments) => Promise<GuardDecision>;
  readonly execute: <Value>(
    tool: string | undefined,
    args: ToolArguments,
    run: () => Eventually<Value>,
  ) => Promise<Value>;
};

export function createGuard(options: GuardOptions): Guard {
  const guarded = guarding(options);
  return {
    warnings: guarded.warnings,
    session: () => {
      const asked = guarded.begin("whole_conversation");
      return {
        user: (text) => void asked.conversation.session.user(text),
        check: (tool, args) => later(guarded.check(asked, tool, args)),
        execute: (tool, args, run) => later(guarded.execute(asked, tool, args, run)),
      };
    },
    check: (tool, args, context = {}) => later(guarded.check(guarded.begin(context), tool, args)),
    execute: (tool, args, run, context = {}) =>
      later(guarded.execute(guarded.begin(context), tool, args, run)),
    reconcile: (look) => later(guarded.reconcile(look)),
  };
}

/** A guard whose every answer is there at once: for synchronous tools and stores. Else the same. */
export type SyncGuard = {
  readonly warnings: readonly GuardWarning[];
  readonly session: () => SyncGuardSession;
  readonly check: (tool: string | undefined, args: ToolArguments, context?: CallContext) => GuardDecision;
  /** Throws `ToolBlocked` before the tool runs. A tool that returns a promise is an error, its outcome unknown. */
  readonly execute: <Value>(
    tool: string | undefined,
    args: ToolArguments,
    run: () => Value,
    context?: CallContext,
  ) => Value;
  readonly reconcile: (look: (key: LedgerKey) => EffectSeen) => Reconciled;
};

export type SyncGuardSession = {
  readonly user: (text: string) => void;
  readonly check: (tool: string | undefined, args: ToolArguments) => GuardDecision;
  readonly execute: <Value>(tool: string | undefined, args: ToolArguments, run: () => Value) => Value;
};

export function createSyncGuard(options: GuardOptions<SyncReservationStore>): SyncGuard {
  const guarded = guarding(options);
  return {
    warnings: guarded.warnings,
    session: () => {
      const asked = guarded.begin("whole_conversation");
      return {
        user: (text) => void asked.conversation.session.user(text),
        check: (tool, args) => atOnce(guarded.check(asked, tool, args)),
        execute: (tool, args, run) => atOnce(guarded.execute(asked, tool, args, run)),
      };
    },
    check: (tool, args, context = {}) => atOnce(guarded.check(guarded.begin(context), tool, args)),
    execute: (tool, args, run, context = {}) =>
      atOnce(guarded.execute(guarded.begin(context), tool, args, run)),
    reconcile: (look) => atOnce(guarded.reconcile(look)),
  };
}
