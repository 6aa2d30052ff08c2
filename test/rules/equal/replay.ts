import type { RuleDecision } from "../../../src/rules/decision.js";
import type { Rule } from "../../../src/rules/rule.js";
import { ruleSet } from "../../../src/rules/rule-set.js";
import {
  beginSession,
  type CallFate,
  keysOf,
  type LedgerKey,
  type Session,
} from "../../../src/rules/session.js";
import type { Trace, TracedCall } from "../../../src/rules/trace.js";
import type { Reading } from "./whole-trace.js";

/** What a session said to a call of the trace, and what the ledger held when it was asked. */
export type Answered = {
  readonly call: TracedCall;
  /** What the user had said in the turn of the call. */
  readonly user: string;
  readonly decision: RuleDecision;
  readonly ledger: ReadonlyMap<LedgerKey, "done" | "unknown">;
};

/**
 * Drives one session with known history through the trace, as a guard would that stood by and stopped nothing: every
 * call that may have happened leaves its keys.
 */
export function replay(rules: readonly Rule[], trace: Trace, reading: Reading): readonly Answered[] {
  const session = beginSession(ruleSet(rules, reading), "known");
  const ledger = new Map<LedgerKey, "done" | "unknown">();
  return trace.turns.flatMap(({ user, items }) => {
    session.user(user);
    return items.flatMap((item) =>
      item.kind === "called" ? [answer(session, ledger, user, item.call)] : [],
    );
  });
}

const fates: Readonly<Record<TracedCall["outcome"], CallFate>> = {
  done: "happened",
  unknown: "may_have_happened",
  nothing_happened: "nothing_happened",
};

function answer(
  session: Session,
  ledger: Map<LedgerKey, "done" | "unknown">,
  user: string,
  call: TracedCall,
): Answered {
  const held = new Map(ledger);
  const decision = session.decide(call, (key) => ledger.get(key) ?? "free");
  const { outcome } = call;
  if (outcome !== "nothing_happened") {
    for (const key of keysOf(session, call)) ledger.set(key, ledger.get(key) === "done" ? "done" : outcome);
  }
  session.note(call, fates[outcome]);
  return { call, user, decision, ledger: held };
}

/** The trace up to and with its call of this number, counted from 0: what there is when the call has been made. */
export function cutAfter(trace: Trace, call: number): Trace {
  let left = call + 1;
  const turns = trace.turns.flatMap((turn) => {
    if (left === 0) return [];
    const items = turn.items.filter((item) => {
      if (left === 0) return false;
      if (item.kind === "called") left -= 1;
      return true;
    });
    return [{ ...turn, items }];
  });
  return { ...trace, turns };
}
