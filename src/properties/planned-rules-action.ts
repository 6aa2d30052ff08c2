import type { Action, RuleClaim, RuleSetting, RuleWord } from "../model/vocabulary.js";
import { ruleFlaws, traceFlaws } from "../model/vocabulary.js";
import type { Chooser } from "./chooser.js";

/** What a user says, with and without the words that switch rules on, in either letter case. */
const texts = [
  "Where is my Order?",
  "and the weather?",
  "我想查订单物流",
  "status, please",
  "thanks",
] as const;
const words: readonly (readonly string[])[] = [
  [],
  [],
  [],
  ["order", "订单"],
  ["status"],
  ["weather", "order"],
];

type RulesAction = Extract<Action, { kind: "say" | "change_rules" | "reconcile" | "damage_ledger" | "gate" }>;

/** An action about rules, the conversation or reservations; all of them apply wherever the executor is up. */
export function planRulesAction(kind: RulesAction["kind"], pick: Chooser): RulesAction {
  switch (kind) {
    case "say":
      return { kind, text: texts[pick(texts.length)] ?? texts[0] };
    case "change_rules":
      return { kind, to: pickRules(pick), flaw: pick(6) === 0 ? (ruleFlaws[1 + pick(2)] ?? "none") : "none" };
    case "gate":
      return { kind, flaw: pick(3) === 0 ? (traceFlaws[1 + pick(2)] ?? "none") : "none" };
    case "reconcile":
    case "damage_ledger":
      return { kind };
  }
}

/** Mostly one transaction for each key; besides it now and then a rule that refuses, under a condition or a bound. */
function pickRules(pick: Chooser): RuleSetting {
  const rules: RuleWord[] = [];
  if (pick(5) > 0) rules.push(ruleOf({ kind: "idempotent" }, pick(4) === 0 ? pick : undefined));
  if (pick(2) === 0) rules.push(ruleOf(pickRefusal(pick), pick));
  return rules.map((rule, index) => ({ ...rule, name: `rule-${index + 1}` }));
}

function pickRefusal(pick: Chooser): RuleClaim {
  const most = 2 + pick(5);
  const claims: readonly RuleClaim[] = [
    { kind: "forbid" },
    { kind: "allow_others" },
    { kind: "budget", most },
  ];
  return claims[pick(claims.length)] ?? { kind: "forbid" };
}

function ruleOf(claim: RuleClaim, pick: Chooser | undefined): RuleWord {
  const plain = { name: "rule", saidAny: [], fromTurn: 0, claim };
  if (pick === undefined) return plain;
  return { ...plain, saidAny: words[pick(words.length)] ?? [], fromTurn: pick(3) === 0 ? 1 + pick(3) : 0 };
}
