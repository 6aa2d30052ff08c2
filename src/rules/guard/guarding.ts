import type { RuleDecision } from "../decision.js";
import type { Rule, Severity } from "../rule.js";
import { type RuleSet, ruleSet } from "../rule-set.js";
import { beginSession, type LedgerKey, type ProposedCall } from "../session.js";
import { english } from "../wording/english.js";
import type { Eventually } from "./eventually.js";
import { type Conversation, decision, execution, refuses, type Ward } from "./execution.js";
import { type GuardWarning, guardWarnings, type Loosened } from "./guard-warnings.js";
import { lane } from "./lane.js";
import { type EffectSeen, type Reconciled, reconciling } from "./reconciling.js";
import type { ReservationStore } from "./reservation-store.js";
import { type ToolArguments, toolArguments } from "./tool-arguments.js";
import type { Work } from "./work.js";

export type GuardOptions<Store = ReservationStore> = {
  readonly rules: readonly Rule[];
  readonly store: Store;
  /** Default true. False: `allow_tool` refuses nothing here, though it does in CI. */
  readonly enforceAllowList?: boolean;
  /** Default critical and warning. */
  readonly enforceSeverity?: readonly Severity[];
  /** Default false. True: whatever a tool throws frees its keys, as if it proved that nothing happened. */
  readonly releaseOnThrow?: boolean;
  /** Whether `execute` runs a call about which a rule cannot be decided; default `block`. */
  readonly onInconclusive?: "block" | "allow";
  /** Whether what a tool threw proves that it had no effect; `NothingHappened` always does. */
  readonly provesNothingHappened?: (error: unknown) => boolean;
};

/** What is known of the conversation that a single call belongs to. */
export type CallContext = {
  /** What the user said in the current turn. */
  readonly user?: string | undefined;
  /** What the user said in the turns before it, the earliest first; not given: not known. */
  readonly history?: readonly string[] | undefined;
  /** How many calls the conversation has had before this one, refused ones too. */
  readonly earlierCalls?: number | undefined;
};

export type CallWarning = {
  readonly code: "no_history" | "calls_not_counted";
  readonly message: string;
};

export type GuardDecision = {
  /** Whether `execute` would run the call. */
  readonly allowed: boolean;
  readonly code: RuleDecision["code"];
  /** A stable English sentence. */
  readonly reason: string;
  readonly decision: RuleDecision;
  /** What the guard would have to be told to be sure. */
  readonly warnings: readonly CallWarning[];
};

/** A guard as work that is still to be done, at once or later. */
export type Guarding = {
  readonly warnings: readonly GuardWarning[];
  readonly begin: (context: CallContext | "whole_conversation") => Asked;
  readonly check: (asked: Asked, tool: string | undefined, given: ToolArguments) => Work<GuardDecision>;
  readonly execute: <Value>(
    asked: Asked,
    tool: string | undefined,
    given: ToolArguments,
    run: () => Eventually<Value>,
  ) => Work<Value>;
  readonly reconcile: (look: (key: LedgerKey) => Eventually<EffectSeen>) => Work<Reconciled>;
};
export type Asked = { readonly conversation: Conversation; readonly warnings: readonly CallWarning[] };

export function guarding(options: GuardOptions): Guarding {
  const loosened: Loosened = {
    enforceAllowList: options.enforceAllowList ?? true,
    enforceSeverity: options.enforceSeverity ?? ["critical", "warning"],
    releaseOnThrow: options.releaseOnThrow ?? false,
    onInconclusive: options.onInconclusive ?? "block",
  };
  const ward: Ward = {
    store: options.store,
    onInconclusive: loosened.onInconclusive,
    releaseOnThrow: loosened.releaseOnThrow,
    provesNothingHappened: options.provesNothingHappened ?? (() => false),
    running: new Set(),
  };
  const rules = loosened.enforceAllowList ? options.rules : options.rules.map(withoutAllowList);
  const set = ruleSet(rules, { exit: "runtime", severities: loosened.enforceSeverity });
  return {
    warnings: guardWarnings(options.rules, options.store.warnings, loosened),
    begin: (context) => beginning(set, context),
    *check({ conversation, warnings }, tool, given) {
      const answer = yield* decision(ward.store, conversation.session, proposed(tool, given));
      return told(answer.decision, loosened.onInconclusive, warnings);
    },
    execute: ({ conversation }, tool, given, run) =>
      execution(ward, conversation, proposed(tool, given), run),
    reconcile: (look) => reconciling(ward, look),
  };
}

function withoutAllowList(rule: Rule): Rule {
  const then = rule.then.filter(({ kind }) => kind !== "allow_tool");
  return { ...rule, then };
}

/** A blank name names nothing. */
function proposed(tool: string | undefined, given: ToolArguments): ProposedCall {
  return { tool: tool?.trim() === "" ? undefined : tool, arguments: toolArguments(given) };
}

function told(
  decision: RuleDecision,
  onInconclusive: Ward["onInconclusive"],
  warnings: readonly CallWarning[],
): GuardDecision {
  const reason = english.decision(decision);
  return { allowed: !refuses(decision, onInconclusive), code: decision.code, reason, decision, warnings };
}

function beginning(set: RuleSet, context: CallContext | "whole_conversation"): Asked {
  if (context === "whole_conversation") {
    return { conversation: { session: beginSession(set, "known"), lane: lane() }, warnings: [] };
  }
  const { user, history, earlierCalls } = context;
  const session = beginSession(set, history === undefined ? "unknown" : "known");
  for (const text of history ?? []) session.user(text);
  if (user !== undefined) session.user(user);
  for (let call = 0; call < (earlierCalls ?? 0); call += 1) session.note(someCall, "refused");
  return { conversation: { session, lane: lane() }, warnings: callWarnings(set, context) };
}

/** Of a call that is only counted nothing else matters. */
const someCall: ProposedCall = { tool: undefined, arguments: { kind: "missing" } };

function callWarnings(set: RuleSet, { history, earlierCalls }: CallContext): readonly CallWarning[] {
  const counts = set.limiting.length > 0;
  if (history === undefined) {
    return counts || set.rules.some(({ isConditional }) => isConditional) ? [noHistory] : [];
  }
  return counts && earlierCalls === undefined ? [callsNotCounted] : [];
}

const noHistory: CallWarning = {
  code: "no_history",
  message:
    "the earlier turns are not known, and rules depend on them; give `history`, also an empty one, or use a session",
};
const callsNotCounted: CallWarning = {
  code: "calls_not_counted",
  message:
    "max_tool_calls takes this for the first call of its conversation; give `earlierCalls`, or use a session",
};
