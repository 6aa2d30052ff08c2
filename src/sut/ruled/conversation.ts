import { parseRules } from "../../rules/load/parse-rules.js";
import type { Rule, Severity } from "../../rules/rule.js";
import { type RuleSet, ruleSet } from "../../rules/rule-set.js";
import { beginSession, type ProposedCall, type Session } from "../../rules/session.js";
import { toolName } from "../ledger/effects.js";
import { validated } from "../ledger/passage.js";
import type { RuledPassage } from "./passage.js";
import { type CallRow, parseCall, parseRuleText, parseTurn, type RuleText } from "./rows.js";
import type { RuledEnvironment } from "./stages.js";
import { inTransaction, type StepStore, writeAlone } from "./store.js";

/** The rules in force and the guard's place in the conversation; mutable, owned by one process of the executor. */
export type Conversation = { rules: readonly Rule[]; set: RuleSet; session: Session };

export type ReadRules =
  | { readonly kind: "loaded"; readonly rules: readonly Rule[] }
  | { readonly kind: "refused" };

const enforced: readonly Severity[] = ["critical", "warning"];

/** One mistake in one file refuses all of them. */
export function readRules(files: readonly RuleText[]): ReadRules {
  const parsed = files.map(({ file, text }) => parseRules(text, file));
  const rules: Rule[] = [];
  for (const one of parsed) {
    if (one.kind === "refused") return { kind: "refused" };
    rules.push(...one.rules);
  }
  return { kind: "loaded", rules };
}

/** What a fresh process knows: what its store says. Throws if the stored rules cannot be read any more. */
export function openConversation({
  store,
  stages,
}: Pick<RuledEnvironment, "store" | "stages">): Conversation {
  const read = stages.readRules(store.rows("readRules").map(parseRuleText));
  if (read.kind === "refused") throw new Error("the store holds rules that cannot be read");
  const { rules } = read;
  const set = ruleSet(stages.guarding(rules), { exit: "runtime", severities: enforced });
  return { rules, set, session: replayed(set, stages.heard(turnsOf(store)), callsOf(store)) };
}

/** Takes a whole rule set in place of the one before and judges the conversation anew by it; or changes nothing. */
export function setRules(files: readonly RuleText[], environment: RuledEnvironment): "taken" | "refused" {
  const { store, stages, conversation } = environment;
  if (stages.readRules(files).kind === "refused") return "refused";
  inTransaction(store, () => {
    store.run("removeRules");
    files.forEach(({ file, text }, place) => {
      store.run("insertRule", { place, file, text });
    });
  });
  Object.assign(conversation, openConversation(environment));
  return "taken";
}

/** Begins a turn with this text of the user. */
export function say(text: string, { store, stages, conversation }: RuledEnvironment): void {
  writeAlone(store, "insertTurn", { text });
  conversation.session = replayed(conversation.set, stages.heard(turnsOf(store)), callsOf(store));
}

/** A call of the tool as the rules see it; whose it is stands beside its arguments, where no request can put it. */
export function proposed(passage: RuledPassage): ProposedCall {
  const value = { ...validated(passage), tenant: passage.call.tenant };
  return { tool: toolName, arguments: { kind: "known", value } };
}

export function turnsOf(store: StepStore): readonly string[] {
  return store.rows("readTurns").map(parseTurn);
}

export function callsOf(store: StepStore): readonly CallRow[] {
  return store.rows("readCalls").map(parseCall);
}

function replayed(set: RuleSet, texts: readonly string[], calls: readonly CallRow[]): Session {
  const session = beginSession(set, "known");
  // A session puts calls that come before anything was said into a turn of their own; here it is always there.
  ["", ...texts].forEach((text, turn) => {
    session.user(text);
    for (const call of calls) {
      if (call.turn !== turn) continue;
      session.note(
        { tool: toolName, arguments: { kind: "known", value: call.arguments } },
        "may_have_happened",
      );
    }
  });
  return session;
}
