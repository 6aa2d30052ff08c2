import type { Assertion, Exit, KeyTemplate, Rule, Severity } from "./rule.js";
import { severities } from "./rule.js";
import { type Kept, type Standing, standing } from "./standing.js";
import { fold, type WordsInText, wordsInText } from "./words-in-text.js";

/** The rules that one exit enforces, with what a decision looks up. It holds caches and may be shared by sessions. */
export type RuleSet = RuleIndex & {
  /** Where a session begins: no rule with a condition is on. */
  readonly beginning: Readonly<Record<"known" | "unknown", Standing>>;
};

/** Every list of rules is in the order of reporting: by severity, then as in the rule set. */
export type RuleIndex = {
  readonly exit: Exit;
  readonly rules: readonly EnforcedRule[];
  /** Every tool that some rule of this exit names, enforced or not. */
  readonly named: ReadonlySet<string>;
  readonly forbidding: ReadonlyMap<string, readonly EnforcedRule[]>;
  readonly allowing: readonly EnforcedRule[];
  readonly limiting: readonly EnforcedRule[];
  readonly keyed: ReadonlyMap<string, readonly KeyGroup[]>;
  readonly words: WordsInText;
  readonly byWord: ReadonlyMap<string, readonly EnforcedRule[]>;
  /** Rules with a turn range, by the turn that begins it. */
  readonly byFirstTurn: ReadonlyMap<number, readonly EnforcedRule[]>;
  readonly kept: Kept;
};

export type EnforcedRule = {
  readonly rule: Rule;
  /** Place in the order of reporting. */
  readonly rank: number;
  readonly isConditional: boolean;
  /** Folded; empty: no such condition. */
  readonly words: readonly string[];
  readonly firstTurn: number;
  readonly forbids: ReadonlySet<string>;
  readonly allows: readonly { readonly tools: ReadonlySet<string>; readonly list: readonly string[] }[];
  readonly limits: readonly number[];
  /** The tools that its idempotent assertions are about. */
  readonly keyedTools: ReadonlySet<string>;
};

/** The idempotent assertions about one tool with one template: they share their keys. */
export type KeyGroup = {
  readonly tool: string;
  readonly template: KeyTemplate;
  readonly claims: readonly KeyClaim[];
};
export type KeyClaim = { readonly by: EnforcedRule };

/** Keeps the rules of the exit whose severity is among those given; the rest still count as naming their tools. */
export function ruleSet(
  rules: readonly Rule[],
  options: { readonly exit: Exit; readonly severities: readonly Severity[] },
): RuleSet {
  const here = rules.filter((rule) => rule.where[options.exit]);
  const ordered = severities
    .filter((severity) => options.severities.includes(severity))
    .flatMap((severity) => here.filter((rule) => rule.severity === severity));
  const enforced = ordered.map(enforce);
  const named = new Set(here.flatMap((rule) => rule.then.flatMap(toolsOf)));
  const index = indexed(enforced, options.exit, named);
  return { ...index, beginning: { known: standing(index, "known"), unknown: standing(index, "unknown") } };
}

function enforce(rule: Rule, rank: number): EnforcedRule {
  const { intentAny, turnRange } = rule.when;
  const allows: { tools: ReadonlySet<string>; list: readonly string[] }[] = [];
  const forbids = new Set<string>();
  const keyedTools = new Set<string>();
  const limits: number[] = [];
  for (const assertion of rule.then) {
    switch (assertion.kind) {
      case "forbid_tool":
        for (const tool of assertion.tools) forbids.add(tool);
        break;
      case "allow_tool":
        allows.push({ tools: new Set(assertion.tools), list: assertion.tools });
        break;
      case "max_tool_calls":
        limits.push(assertion.most);
        break;
      case "idempotent":
        keyedTools.add(assertion.tool);
        break;
      // Only a whole trace can be judged by these: see obligations.ts.
      case "require_tool":
      case "memory_persistence":
        break;
    }
  }
  const isConditional = intentAny.length > 0 || turnRange !== undefined;
  const firstTurn = turnRange?.first ?? 1;
  const words = [...new Set(intentAny.map(fold))];
  return { rule, rank, isConditional, words, firstTurn, forbids, allows, limits, keyedTools };
}

function indexed(rules: readonly EnforcedRule[], exit: Exit, named: ReadonlySet<string>): RuleIndex {
  const byWord = new Map<string, EnforcedRule[]>();
  const byFirstTurn = new Map<number, EnforcedRule[]>();
  const forbidding = new Map<string, EnforcedRule[]>();
  for (const rule of rules) {
    for (const word of rule.words) listed(byWord, word).push(rule);
    for (const tool of rule.forbids) listed(forbidding, tool).push(rule);
    if (rule.rule.when.turnRange !== undefined) listed(byFirstTurn, rule.firstTurn).push(rule);
  }
  return {
    exit,
    rules,
    named,
    forbidding,
    allowing: rules.filter((rule) => rule.allows.length > 0),
    limiting: rules.filter((rule) => rule.limits.length > 0),
    keyed: keyGroups(rules),
    words: wordsInText(byWord.keys()),
    byWord,
    byFirstTurn,
    kept: { caches: new Set(), weight: 0 },
  };
}

function keyGroups(rules: readonly EnforcedRule[]): ReadonlyMap<string, readonly KeyGroup[]> {
  const groups = new Map<string, { tool: string; template: KeyTemplate; claims: KeyClaim[] }>();
  for (const by of rules) {
    for (const assertion of by.rule.then) {
      if (assertion.kind === "idempotent") {
        const { tool, key: template } = assertion;
        const name = JSON.stringify([tool, template.text]);
        const group = groups.get(name) ?? { tool, template, claims: [] };
        group.claims.push({ by });
        groups.set(name, group);
      }
    }
  }
  const byTool = new Map<string, KeyGroup[]>();
  for (const group of groups.values()) listed(byTool, group.tool).push(group);
  return byTool;
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

function listed<Key, Value>(map: Map<Key, Value[]>, key: Key): Value[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
