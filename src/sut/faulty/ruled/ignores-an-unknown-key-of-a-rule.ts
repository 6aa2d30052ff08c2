import { parseAllDocuments, stringify } from "yaml";
import { ruledStages as sound } from "../../ruled/stages.js";
import type { RuledBug } from "./ruled-bug.js";
import { changeRules, rule } from "./ruled-steps.js";

const ruleKeys = ["rule", "description", "severity", "when", "then", "where"];
const conditionKeys = ["intent_any", "turn_range"];

/** The mistake: a misspelt condition is no condition, so the rule that it was to limit fires always. */
export const ignoresAnUnknownKeyOfARule: RuledBug = {
  name: "ignores-an-unknown-key-of-a-rule",
  says: "leaves out the keys of a rule that it does not know",
  caughtBy: ["gate-equals-guard"],
  witness: [changeRules([rule("forbid", "order")], "unknown_key")],
  variant: {
    stages: () => ({
      readRules: (files) => sound.readRules(files.map(({ file, text }) => ({ file, text: known(text) }))),
    }),
  },
};

/** A text that is no YAML stays as it is. */
function known(text: string): string {
  const documents = [...parseAllDocuments(text)];
  if (documents.some(({ errors }) => errors.length > 0)) return text;
  return documents.map((document) => stringify(knownRule(document.toJS()))).join("---\n");
}

function knownRule(value: unknown): unknown {
  const rule = only(value, ruleKeys);
  const when = only(rule.when, conditionKeys);
  const { when: _, ...rest } = rule;
  return Object.keys(when).length > 0 ? { ...rest, when } : rest;
}

function only(value: unknown, keys: readonly string[]): { readonly [key: string]: unknown } {
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(fields.filter(([key]) => keys.includes(key)));
}
