import { type Action, type RuleClaim, type RuleWord, ruleFlaws, traceFlaws } from "../model/vocabulary.js";
import { someText } from "./name-format.js";
import { byShape, described, list, made, type Reader, read } from "./reader.js";
import { oneKey, record } from "./record.js";
import { text, whole, word } from "./scalars.js";

const plainClaims = ["idempotent", "forbid", "allow_others"] as const;

const claim: Reader<RuleClaim> = byShape<RuleClaim>("what the rule claims", {
  scalar: made(word(plainClaims, "what the rule claims"), (kind) => read<RuleClaim>({ kind })),
  map: oneKey<RuleClaim>("what the rule claims", {
    budget: made(whole("the most calls of the conversation, from 0", 0), (most) =>
      read<RuleClaim>({ kind: "budget", most }),
    ),
  }),
});

const rule: Reader<RuleWord> = made(
  record(
    "a rule",
    {
      rule: described(someText, "Its name."),
      // biome-ignore lint/suspicious/noThenProperty: a word of the rules' language.
      then: described(claim, "Of the calls of the profile's tool."),
    },
    {
      said_any: described(
        list(someText, "a list of words", 1),
        "Switches the rule on: one of these was said.",
      ),
      from_turn: described(
        whole("a turn, from 1", 1),
        "Switches the rule on: the conversation has come to this turn.",
      ),
    },
  ),
  ({ rule: name, then, saidAny = [], fromTurn = 0 }) =>
    read<RuleWord>({ name, saidAny, fromTurn, claim: then }),
);

/** A turn of the conversation. */
export const say: Reader<Action> = made(text("what the user says, a text"), (said) =>
  read<Action>({ kind: "say", text: said }),
);

/** A whole rule set, with what is wrong with its text. */
export const changeRules: Reader<Action> = made(
  record(
    "a rule set",
    { rules: described(list(rule, "a list of rules"), "All rules; those before are gone.") },
    { flaw: described(word(ruleFlaws, "what is wrong with the text"), "none if not written") },
  ),
  ({ rules, flaw = "none" }) => read<Action>({ kind: "change_rules", to: rules, flaw }),
);

/** What the trace that the gate reads does not show of its last call. */
export const gateFlaw: Reader<Action> = made(
  word(traceFlaws, "what the trace does not show of its last call"),
  (flaw) => read<Action>({ kind: "gate", flaw }),
);
