import { type RuleWarningCode, ruleWarnings } from "../load/rule-warnings.js";
import type { Rule, Severity } from "../rule.js";
import type { StoreWarning } from "./reservation-store.js";

export type GuardWarningCode =
  | RuleWarningCode
  | StoreWarning["code"]
  | "counts_in_sessions"
  | "allow_list_off"
  | "release_on_throw"
  | "inconclusive_allowed";

/** What a guard does not do, though one might think so; for a log, when the guard is made. */
export type GuardWarning = {
  readonly code: GuardWarningCode;
  readonly about: { readonly kind: "rule"; readonly rule: string } | { readonly kind: "store" | "options" };
  readonly message: string;
};

export type Loosened = {
  readonly enforceAllowList: boolean;
  readonly enforceSeverity: readonly Severity[];
  readonly releaseOnThrow: boolean;
  readonly onInconclusive: "block" | "allow";
};

/** The warnings about rules that a guard is given, then about its store, then about its options. */
export function guardWarnings(
  rules: readonly Rule[],
  store: readonly StoreWarning[],
  options: Loosened,
): readonly GuardWarning[] {
  return [
    ...aboutRules(rules, options.enforceSeverity),
    ...store.map((warning): GuardWarning => ({ ...warning, about: { kind: "store" } })),
    ...aboutOptions(rules, options),
  ];
}

function aboutRules(rules: readonly Rule[], enforced: readonly Severity[]): readonly GuardWarning[] {
  const known = ruleWarnings(rules);
  return rules
    .filter(({ where }) => where.runtime)
    .flatMap((rule) => {
      const warning = (code: GuardWarningCode, message: string): GuardWarning => ({
        code,
        about: { kind: "rule", rule: rule.name },
        message,
      });
      if (!enforced.includes(rule.severity)) {
        return [warning("not_enforced", notEnforced(rule.severity))];
      }
      return [
        ...known
          // Said above, and by what this guard enforces.
          .filter((one) => one.rule === rule.name && one.code !== "not_enforced")
          .map(({ code, message }) => warning(code, message)),
        ...(rule.then.some(({ kind }) => kind === "max_tool_calls")
          ? [warning("counts_in_sessions", countsInSessions)]
          : []),
      ];
    });
}

function notEnforced(severity: Severity): string {
  return (
    `this guard does not enforce severity ${severity}, so the rule refuses nothing; ` +
    `add ${severity} to enforceSeverity, or write \`where: { runtime: false }\``
  );
}

const countsInSessions =
  "max_tool_calls counts the calls that the guard knows of: all of a session, and none before a single check or execute " +
  "unless it is given `earlierCalls`; use a session";

function aboutOptions(rules: readonly Rule[], options: Loosened): readonly GuardWarning[] {
  const about = { kind: "options" } as const;
  const hasAllowList = rules.some(
    ({ where, then }) => where.runtime && then.some(({ kind }) => kind === "allow_tool"),
  );
  const found: GuardWarning[] = [];
  if (!options.enforceAllowList && hasAllowList) {
    const message =
      "enforceAllowList is off: calls that CI refuses because no list names their tool pass here; " +
      "write forbid_tool where a single tool is meant, and leave the option on";
    found.push({ code: "allow_list_off", about, message });
  }
  if (options.releaseOnThrow) {
    const message =
      "releaseOnThrow is on: a tool that throws after its effect can run again; " +
      "leave it off and throw NothingHappened where that is certain";
    found.push({ code: "release_on_throw", about, message });
  }
  if (options.onInconclusive === "allow") {
    const message =
      "onInconclusive is allow: calls run about which a rule could not be decided; " +
      "leave it at block, and give the guard the history and the arguments";
    found.push({ code: "inconclusive_allowed", about, message });
  }
  return found;
}
