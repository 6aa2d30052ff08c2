import type { Assertion, AssertionKind, Condition, Rule, Severity } from "../rule.js";

/** What an exit does with a rule: `noted` findings are shown and fail nothing. */
export type Enforcement = "enforced" | "noted" | "off";

export type RuleRow = {
  readonly rule: string;
  readonly severity: Severity;
  readonly ci: Enforcement;
  /** Off as well where the rule has nothing that can be judged before a call. */
  readonly runtime: Enforcement;
  /** Every tool that the rule names, once each. */
  readonly tools: readonly string[];
  /** The condition in words; `always` if nothing has to happen first. */
  readonly when: string;
};

export type RulesList = {
  readonly rows: readonly RuleRow[];
  /** Tools named by a rule that some exit enforces, sorted. */
  readonly guardedTools: readonly string[];
};

/** What `rules list` shows: for each rule, in the set's order, where it is enforced and which tools it names. */
export function rulesList(rules: readonly Rule[], enforced: readonly Severity[]): RulesList {
  const rows = rules.map((rule) => rowOf(rule, enforced.includes(rule.severity)));
  const guarding = rows.filter(({ ci, runtime }) => ci === "enforced" || runtime === "enforced");
  const guardedTools = [...new Set(guarding.flatMap(({ tools }) => tools))].sort();
  return { rows, guardedTools };
}

function rowOf({ name, severity, where, then, when }: Rule, isEnforced: boolean): RuleRow {
  return {
    rule: name,
    severity,
    ci: !where.ci ? "off" : isEnforced ? "enforced" : "noted",
    // The guard does not evaluate what it would not enforce.
    runtime: where.runtime && isEnforced && then.some(runtimeJudges) ? "enforced" : "off",
    tools: [...new Set(then.flatMap(toolsOf))],
    when: conditionText(when),
  };
}

const judgedAtRuntime: { readonly [K in AssertionKind]: boolean } = {
  forbid_tool: true,
  allow_tool: true,
  max_tool_calls: true,
  idempotent: true,
  require_tool: false,
  memory_persistence: false,
};

/** Whether an assertion can be decided before a call; the others need the whole conversation. */
export function runtimeJudges({ kind }: Assertion): boolean {
  return judgedAtRuntime[kind];
}

function toolsOf(assertion: Assertion): readonly string[] {
  switch (assertion.kind) {
    case "forbid_tool":
    case "allow_tool":
    case "require_tool":
      return assertion.tools;
    case "idempotent":
      return [assertion.tool];
    case "max_tool_calls":
    case "memory_persistence":
      return [];
  }
}

/** Whether a condition holds from the first turn on, as that of a range that begins with it. */
export function alwaysHolds({ intentAny, turnRange }: Condition): boolean {
  return intentAny.length === 0 && (turnRange?.first ?? 1) === 1;
}

function conditionText(when: Condition): string {
  if (alwaysHolds(when)) {
    return "always";
  }
  const words = when.intentAny.map((word) => JSON.stringify(word)).join(" or ");
  const said = words === "" ? [] : [`the user has said ${words}`];
  // The end of the range changes nothing: a rule that is on stays on.
  const first = when.turnRange?.first ?? 1;
  const turn = first === 1 ? [] : [`turn ${first} is reached`];
  return `once ${[...said, ...turn].join(" and ")}`;
}
