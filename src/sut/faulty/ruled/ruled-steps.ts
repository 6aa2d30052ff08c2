import type { Action, RuleClaim, RuleFlaw, RuleWord, TraceFlaw } from "../../../model/vocabulary.js";

/** A rule that is on from the start, or once one of these words was said. */
export function rule(kind: Exclude<RuleClaim["kind"], "budget">, ...saidAny: readonly string[]): RuleWord {
  return { name: `${kind} ${saidAny.join(" ")}`.trim(), saidAny, fromTurn: 0, claim: { kind } };
}

export function changeRules(to: readonly RuleWord[], flaw: RuleFlaw = "none"): Action {
  return { kind: "change_rules", to, flaw };
}

/** At most one transaction under the key of a call. */
export const once: Action = changeRules([rule("idempotent")]);

export function say(text: string): Action {
  return { kind: "say", text };
}

export function gate(flaw: TraceFlaw = "none"): Action {
  return { kind: "gate", flaw };
}

export const damageLedger: Action = { kind: "damage_ledger" };
