import { stringify } from "yaml";
import type { RuleClaim, RuleFlaw, RuleSetting, RuleWord } from "../../model/vocabulary.js";
import { toolName } from "../ledger/effects.js";
import type { RuleText } from "./rows.js";

const keys = {
  none: { said: "intent_any", turns: "turn_range" },
  unknown_key: { said: "intent", turns: "turns" },
} as const;
const brokenLine = "description: [never closed\n";
const endless = 1_000_000;

/** The rules as files of the rules' language, one a rule, with that flaw; a flawed set is never an empty one. */
export function ruleTexts(to: RuleSetting, flaw: RuleFlaw): readonly RuleText[] {
  switch (flaw) {
    case "none":
      return named(to.map((word) => textOf(word)));
    case "broken_file": {
      const [first = "", ...rest] = to.map((word) => textOf(word));
      return named([first + brokenLine, ...rest]);
    }
    case "unknown_key":
      return named(misspelt(to));
  }
}

function named(texts: readonly string[]): readonly RuleText[] {
  return texts.map((text, index) => ({ file: `rule-${index + 1}.yaml`, text }));
}

/** The condition of the first rule that has one; if none has, a key more that means nothing. */
function misspelt(to: RuleSetting): readonly string[] {
  const at = to.findIndex(({ saidAny, fromTurn }) => saidAny.length > 0 || fromTurn > 0);
  if (at >= 0) return to.map((word, index) => textOf(word, index === at ? "unknown_key" : "none"));
  const [first = textOf(needless), ...rest] = to.map((word) => textOf(word));
  return [`${first}remark: no condition\n`, ...rest];
}

const needless: RuleWord = {
  name: "roomy",
  saidAny: [],
  fromTurn: 0,
  claim: { kind: "budget", most: 1_000 },
};

function textOf({ name, saidAny, fromTurn, claim }: RuleWord, spelling: keyof typeof keys = "none"): string {
  const spelt = keys[spelling];
  const condition = new Map<string, unknown>([
    ...(saidAny.length > 0 ? [[spelt.said, saidAny] as const] : []),
    // The executor's conversations begin with a turn in which nothing has been said yet, so the first text is turn 2.
    ...(fromTurn > 0 ? [[spelt.turns, [fromTurn + 1, endless]] as const] : []),
  ]);
  return stringify(
    new Map<string, unknown>([
      ["rule", name],
      ...(condition.size > 0 ? [["when", condition] as const] : []),
      ["then", new Map([claimed(claim)])],
    ]),
  );
}

function claimed(claim: RuleClaim): readonly [string, unknown] {
  switch (claim.kind) {
    case "idempotent":
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as a rule spells it
      return ["idempotent", { tool: toolName, key: "${tenant}/${job}" }];
    case "forbid":
      return ["forbid_tool", toolName];
    case "allow_others":
      return ["allow_tool", ["get_order"]];
    case "budget":
      return ["max_tool_calls", claim.most];
  }
}
