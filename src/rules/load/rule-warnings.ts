import type { Assertion, Condition, Region, Rule } from "../rule.js";
import { alwaysHolds, runtimeJudges } from "./rules-list.js";

export type RuleWarningCode =
  | "idempotent_under_when"
  | "forbid_and_allow_in_one_rule"
  | "duplicate_assertion"
  | "runtime_blind"
  | "needs_history"
  | "not_enforced";

/** What is likely not meant in a sound rule; it refuses nothing. */
export type RuleWarning = {
  readonly code: RuleWarningCode;
  readonly rule: string;
  /** What is so, why it matters and what to do next. */
  readonly message: string;
  readonly at: Region;
};

type Said = Omit<RuleWarning, "rule">;

/** The warnings about a rule set, rule by rule in its order. */
export function ruleWarnings(rules: readonly Rule[]): readonly RuleWarning[] {
  const duplicates = duplicateAssertions(rules);
  return rules.flatMap((rule) =>
    [
      ...idempotentUnderWhen(rule),
      ...forbidBesideAllow(rule),
      ...(duplicates.get(rule) ?? []),
      ...runtimeBlind(rule),
      ...needsHistory(rule),
      ...notEnforced(rule),
    ].map((said) => ({ ...said, rule: rule.name })),
  );
}

function idempotentUnderWhen({ then, when }: Rule): readonly Said[] {
  if (alwaysHolds(when)) {
    return [];
  }
  return then.flatMap((assertion) =>
    assertion.kind === "idempotent"
      ? [
          {
            code: "idempotent_under_when",
            message:
              `\`when\` switches the whole rule, so a call of ${assertion.tool} before the condition holds leaves no key ` +
              "and its repetition is not seen; move `idempotent` to a rule of its own without `when`",
            at: assertion.at,
          },
        ]
      : [],
  );
}

function forbidBesideAllow({ then }: Rule): readonly Said[] {
  const allow = then.find((assertion) => assertion.kind === "allow_tool");
  const forbid = then.find((assertion) => assertion.kind === "forbid_tool");
  if (allow === undefined || forbid === undefined) {
    return [];
  }
  const listed = forbid.tools.filter((tool) => allow.tools.includes(tool));
  const message =
    listed.length > 0
      ? `${listed.join(", ")} stands in allow_tool and in forbid_tool of one rule, and is refused; name a tool in one of them`
      : "allow_tool is a closed list: it refuses every tool that it does not name, also those that come later or have " +
        "other names, and forbid_tool adds nothing to it; keep forbid_tool alone unless every other tool is to be refused";
  return [{ code: "forbid_and_allow_in_one_rule", message, at: forbid.at }];
}

function duplicateAssertions(rules: readonly Rule[]): ReadonlyMap<Rule, readonly Said[]> {
  const first = new Map<string, { readonly rule: Rule; readonly at: Region }>();
  const found = new Map<Rule, Said[]>();
  for (const rule of rules) {
    for (const assertion of rule.then) {
      const meaning = JSON.stringify([
        meaningOf(assertion),
        conditionMeaning(rule.when),
        rule.where.ci,
        rule.where.runtime,
      ]);
      const earlier = first.get(meaning);
      if (earlier === undefined) {
        first.set(meaning, { rule, at: assertion.at });
        continue;
      }
      const { file, line, column } = earlier.at;
      const message =
        `${assertion.kind} says exactly what rule ${JSON.stringify(earlier.rule.name)} says at ${file}:${line}:${column}, ` +
        "so that one incident counts as two violations; remove one of them";
      found.set(rule, [
        ...(found.get(rule) ?? []),
        { code: "duplicate_assertion", message, at: assertion.at },
      ]);
    }
  }
  return found;
}

/** Equal for assertions that mean the same: the order of a list is no difference. */
function meaningOf(assertion: Assertion): readonly unknown[] {
  switch (assertion.kind) {
    case "forbid_tool":
    case "allow_tool":
    case "require_tool":
      return [assertion.kind, unique(assertion.tools)];
    case "max_tool_calls":
      return [assertion.kind, assertion.most];
    case "idempotent":
      return [assertion.kind, assertion.tool, assertion.key.text];
    case "memory_persistence": {
      const fact = unique(assertion.fact.map((spelling) => spelling.normalize("NFC")));
      return [assertion.kind, fact, assertion.saidBy, assertion.stillAt];
    }
  }
}

/** Letter case of words does not count; nor does where a range ends, for what is switched on stays on. */
function conditionMeaning({ intentAny, turnRange }: Condition): readonly unknown[] {
  return [unique(intentAny.map((word) => word.normalize("NFC").toLowerCase())), turnRange?.first ?? 1];
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}

function runtimeBlind({ then, where }: Rule): readonly Said[] {
  if (!where.runtime) {
    return [];
  }
  return then.flatMap((assertion) =>
    runtimeJudges(assertion)
      ? []
      : [
          {
            code: "runtime_blind",
            message:
              `${assertion.kind} is judged by whole conversations, so the guard never enforces it and only CI does; ` +
              "put it in a rule of its own with `where: { runtime: false }`",
            at: assertion.at,
          },
        ],
  );
}

function needsHistory({ when, then, where, at }: Rule): readonly Said[] {
  if (alwaysHolds(when) || !where.runtime || !then.some(runtimeJudges)) {
    return [];
  }
  const message =
    "`when` is decided by all turns so far, so a guard that is asked without the earlier ones answers `inconclusive` " +
    "where they could switch this rule on; give it the history, or a session that is told every turn";
  return [{ code: "needs_history", message, at }];
}

function notEnforced({ where, severity, at }: Rule): readonly Said[] {
  if (!where.ci && !where.runtime) {
    const message =
      "`where` switches off both exits, so nothing ever judges this rule; switch one on, or remove the rule";
    return [{ code: "not_enforced", message, at }];
  }
  if (severity !== "info" || !where.runtime) {
    return [];
  }
  const message =
    "severity info is enforced nowhere by default: the guard lets such calls pass and CI only notes them; " +
    "raise it to warning, add info to the enforced severities, or write `where: { runtime: false }` if a note is enough";
  return [{ code: "not_enforced", message, at }];
}
