import type { ProposedCall } from "./decide.js";
import type { Doubt, RuleDecision, Violation } from "./decision.js";
import type { LedgerKey } from "./ledger-key.js";
import type { EnforcedRule, RuleSet } from "./rule-set.js";
import { beginSession, type CallFate, keysOf, type Session } from "./session.js";
import type { Trace, TracedCall } from "./trace.js";

/** A call with its turn, from 1. */
export type PlacedCall = { readonly turn: number; readonly call: TracedCall };

/** What the decisions on a trace's calls come to. */
export type FoldedTrace = {
  /** One for each call, in order. */
  readonly decisions: readonly RuleDecision[];
  /** Rules that switched on after that many calls, at least one. */
  readonly late: readonly { readonly rule: EnforcedRule; readonly callsBefore: number }[];
  /** When the trace has ended. */
  readonly isActive: (rule: EnforcedRule) => boolean;
};

/** Asks the session before each call, as the guard does, then tells it what the trace says became of the call. */
export function foldTrace(set: RuleSet, trace: Trace): FoldedTrace {
  const session = beginSession(set, "known");
  const ledger = new Map<LedgerKey, "done" | "unknown">();
  const decisions: RuleDecision[] = [];
  const late: { rule: EnforcedRule; callsBefore: number }[] = [];
  for (const turn of trace.turns) {
    for (const rule of session.user(turn.user)) {
      if (decisions.length > 0) {
        late.push({ rule, callsBefore: decisions.length });
      }
    }
    for (const item of turn.items) {
      if (item.kind === "called") {
        decisions.push(session.decide(item.call, (key) => ledger.get(key) ?? "free"));
        record(session, ledger, item.call, item.call.outcome);
      }
    }
  }
  return { decisions, late, isActive: session.isActive };
}

const fates: Readonly<Record<TracedCall["outcome"], CallFate>> = {
  done: "happened",
  unknown: "may_have_happened",
  nothing_happened: "nothing_happened",
};

/** A traced call was made, whatever the rules say of it: its keys are taken. */
function record(
  session: Session,
  ledger: Map<LedgerKey, "done" | "unknown">,
  call: ProposedCall,
  outcome: TracedCall["outcome"],
): void {
  if (outcome !== "nothing_happened") {
    for (const key of keysOf(session, call)) {
      ledger.set(key, ledger.get(key) === "done" ? "done" : outcome);
    }
  }
  session.note(call, fates[outcome]);
}

export function callsOf(trace: Trace): readonly PlacedCall[] {
  const calls: PlacedCall[] = [];
  trace.turns.forEach(({ items }, index) => {
    for (const item of items) {
      if (item.kind === "called") {
        calls.push({ turn: index + 1, call: item.call });
      }
    }
  });
  return calls;
}

/** All reasons of a decision, in order. */
export function reasonsOf(decision: RuleDecision): {
  readonly violations: readonly Violation[];
  readonly doubts: readonly Doubt[];
} {
  switch (decision.verdict) {
    case "allow":
      return { violations: [], doubts: [] };
    case "block":
      return { violations: [decision.first, ...decision.alsoViolated], doubts: decision.doubts };
    case "inconclusive":
      return { violations: [], doubts: [decision.first, ...decision.alsoInDoubt] };
  }
}
