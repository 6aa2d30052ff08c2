import { resolve } from "node:path";
import { UsageError } from "../../config/usage-error.js";
import { oneOf } from "../../config/values.js";
import { type Language, languages } from "../../report/rules/labels.js";
import { counted } from "../../report/text.js";
import { loadRules } from "../../rules/load/load-rules.js";
import type { RuleMistake } from "../../rules/load/rule-mistake.js";
import { type RuleWarning, ruleWarnings } from "../../rules/load/rule-warnings.js";
import { type Region, type Rule, type Severity, severities } from "../../rules/rule.js";
import { note, type Session, shownPath } from "../session.js";

export const defaultRules = "rules";

export type RulesHere =
  | { readonly kind: "loaded"; readonly rules: readonly Rule[]; readonly warnings: readonly RuleWarning[] }
  | { readonly kind: "refused"; readonly mistakes: readonly RuleMistake[] };

/** The rules at paths as seen from where the person is, with places that are short in the same way. */
export function rulesHere({ io }: Session, paths: readonly string[] = [defaultRules]): RulesHere {
  const loaded = loadRules(paths.map((path) => resolve(io.cwd, path)));
  const short = (file: string) => shownPath(io, file);
  if (loaded.kind === "refused") {
    return { kind: "refused", mistakes: loaded.mistakes.map((one) => ({ ...one, file: short(one.file) })) };
  }
  const at = (region: Region): Region => ({ ...region, file: short(region.file) });
  const rules = loaded.rules.map((rule) => ({
    ...rule,
    at: at(rule.at),
    // biome-ignore lint/suspicious/noThenProperty: the word of the language; it is no function
    then: rule.then.map((assertion) => ({ ...assertion, at: at(assertion.at) })),
  }));
  // Some name another place in their text.
  return { kind: "loaded", rules, warnings: ruleWarnings(rules) };
}

/** The same for verbs that need sound rules; warnings are counted on stderr. @throws UsageError with every mistake */
export function soundRules(session: Session, paths: readonly string[] | undefined): readonly Rule[] {
  const { rules, warnings } = sound(rulesHere(session, paths));
  if (warnings.length > 0) {
    note(session, `${counted(warnings.length, "warning")} about these rules: see commitpoint rules check`);
  }
  return rules;
}

/** @throws UsageError with every mistake */
export function sound(here: RulesHere): Extract<RulesHere, { readonly kind: "loaded" }> {
  if (here.kind === "loaded") return here;
  throw new UsageError({
    message: [
      `the rules have ${counted(here.mistakes.length, "mistake")}, so none of them is used`,
      ...here.mistakes.map(mistakeLine),
    ].join("\n"),
    nextStep:
      "Correct them; a wrong rule is never skipped. If there is none yet, begin with commitpoint rules init.",
  });
}

export function mistakeLine({ file, line, column, path, message }: RuleMistake): string {
  return `${file}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
}

export function warningLine({ at, rule, message }: RuleWarning): string {
  return `${at.file}:${at.line}:${at.column}: rule ${rule}: ${message}`;
}

/** `critical,warning` or the default, which is the same. @throws UsageError */
export function severitiesOf(text: string | undefined): readonly Severity[] {
  if (text === undefined) return ["critical", "warning"];
  const place = `--enforce-severity ${text}`;
  return text.split(",").map((word) => oneOf({ text: word.trim(), place }, "severity", severities));
}

/** English if nothing is said. @throws UsageError with the nearest language */
export function languageOf(text: string | undefined): Language {
  return text === undefined ? "en" : oneOf({ text, place: `--lang ${text}` }, "language", languages);
}

/** Help of the options that several verbs of `rules` share. */
export const optionHelp = {
  rules: `rule files, or folders of them; repeatable (default: ${defaultRules})`,
  severity: "severities that are enforced, separated by commas (default: critical,warning)",
  format: "format of the traces (default: detected)",
  lang: "language of what people read: en or zh (default: en)",
} as const;
