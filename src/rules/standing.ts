import type { Doubt, RuleDecision, Violation } from "./decision.js";
import type { EnforcedRule, KeyGroup, RuleIndex } from "./rule-set.js";
import { doubt, violations } from "./violations.js";

/** Which rules are on at a moment of a conversation. Shared by all conversations that got there the same way. */
export type Standing = {
  readonly history: "known" | "unknown";
  /** The conditional rules that are on. */
  readonly switchedOn: ReadonlySet<EnforcedRule>;
  /** Rules that limit the calls, and the smallest of their limits. */
  readonly limiting: readonly EnforcedRule[];
  readonly lowestLimit: number;
  readonly cache: Cache;
};

/** What can be said of a call by its tool alone. */
export type ByTool = {
  readonly violations: readonly Violation[];
  readonly doubts: readonly Doubt[];
  /** What is still to be judged by the call's key. */
  readonly groups: readonly KeyGroup[];
  readonly hint: "none" | "no_rule_names_this_tool";
  /** The decision if key and number of calls give no reason. */
  readonly decision: RuleDecision;
};

type Cache = {
  readonly byTool: Map<string | undefined, ByTool>;
  readonly next: Map<string, Standing>;
};

/** What the standings of one rule set keep together. */
export type Kept = {
  readonly caches: Set<Cache>;
  /** How many violations and doubts they hold. */
  weight: number;
};

/** Tool names and conversations come from outside, so what is kept of them is bounded; then everything begins anew. */
const mostKept = 200_000;
const mostNext = 256;
/** Conversations switch rules on in ever other orders; only how they begin is worth sharing. */
const deepestShared = 2;

export function standing(
  index: RuleIndex,
  history: Standing["history"],
  switchedOn: ReadonlySet<EnforcedRule> = new Set(),
): Standing {
  const limiting = index.limiting.filter((rule) => !rule.isConditional || switchedOn.has(rule));
  const lowestLimit = limiting.reduce(
    (lowest, rule) => Math.min(lowest, ...rule.limits),
    Number.POSITIVE_INFINITY,
  );
  const cache = { byTool: new Map(), next: new Map() };
  return { history, switchedOn, limiting, lowestLimit, cache };
}

export function isOn(at: Standing, rule: EnforcedRule): boolean {
  return !rule.isConditional || at.switchedOn.has(rule);
}

/** The standing after these rules switched on too; `depth` says how many times that happened before. */
export function switchOn(
  index: RuleIndex,
  from: Standing,
  rules: ReadonlySet<EnforcedRule>,
  depth: number,
): Standing {
  const make = () => standing(index, from.history, new Set([...from.switchedOn, ...rules]));
  if (depth >= deepestShared) {
    return make();
  }
  const name = Array.from(rules, (rule) => rule.rank)
    .sort((one, other) => one - other)
    .join();
  const known = from.cache.next.get(name);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  if (from.cache.next.size < mostNext) {
    from.cache.next.set(name, made);
    keep(index.kept, from.cache, 1 + made.switchedOn.size);
  }
  return made;
}

/** Takes time only for the first call of a tool after a rule switched on. */
export function byTool(index: RuleIndex, at: Standing, tool: string | undefined): ByTool {
  const { cache } = at;
  const known = cache.byTool.get(tool);
  if (known !== undefined) {
    return known;
  }
  const made = judgeTool(index, at, tool);
  cache.byTool.set(tool, made);
  keep(index.kept, cache, 1 + made.violations.length + made.doubts.length);
  return made;
}

function keep(kept: Kept, cache: Cache, weight: number): void {
  kept.caches.add(cache);
  kept.weight += weight;
  if (kept.weight > mostKept) {
    for (const { byTool, next } of kept.caches) {
      byTool.clear();
      next.clear();
    }
    kept.caches.clear();
    kept.weight = 0;
  }
}

function judgeTool(index: RuleIndex, at: Standing, tool: string | undefined): ByTool {
  const found = tool === undefined ? [] : refusals(index, at, tool);
  const doubts = [
    ...(at.history === "unknown" ? unknownHistory(index, at, tool) : []),
    ...(tool === undefined ? unnamed(index, at) : []),
  ];
  const groups = tool === undefined ? [] : groupsOn(index.keyed.get(tool) ?? [], at);
  const hint = tool !== undefined && index.named.has(tool) ? "none" : "no_rule_names_this_tool";
  return { violations: found, doubts, groups, hint, decision: conclude(found, doubts, hint) };
}

function refusals(index: RuleIndex, at: Standing, tool: string): readonly Violation[] {
  const forbidding = index.forbidding.get(tool) ?? [];
  const forbidden = forbidding
    .filter((one) => isOn(at, one))
    .map(({ rule }) => violations.forbidden(rule, tool));
  const notAllowed = index.allowing
    .filter((one) => isOn(at, one))
    .flatMap(({ rule, allows }) =>
      allows
        .filter(({ tools }) => !tools.has(tool))
        .map(({ list }) => violations.notAllowed(rule, tool, list)),
    );
  return [...forbidden, ...notAllowed];
}

/** A rule that is off may be on in truth, and a limit may have been reached by calls that nobody tells of. */
function unknownHistory(index: RuleIndex, at: Standing, tool: string | undefined): readonly Doubt[] {
  return index.rules
    .filter((one) => one.limits.length > 0 || (!isOn(at, one) && mayRefuse(one, tool)))
    .map(({ rule }) => doubt("no_history", rule, { tool: tool ?? null }));
}

function mayRefuse(one: EnforcedRule, tool: string | undefined): boolean {
  return tool === undefined
    ? judgesNames(one)
    : one.forbids.has(tool) || one.keyedTools.has(tool) || one.allows.some(({ tools }) => !tools.has(tool));
}

function unnamed(index: RuleIndex, at: Standing): readonly Doubt[] {
  return index.rules
    .filter((one) => isOn(at, one) && judgesNames(one))
    .map(({ rule }) => doubt("unnamed_call", rule, { tool: null }));
}

function judgesNames(one: EnforcedRule): boolean {
  return one.forbids.size > 0 || one.keyedTools.size > 0 || one.allows.length > 0;
}

function groupsOn(groups: readonly KeyGroup[], at: Standing): readonly KeyGroup[] {
  return groups
    .map((group) => ({ ...group, claims: group.claims.filter(({ by }) => isOn(at, by)) }))
    .filter(({ claims }) => claims.length > 0);
}

/** The verdict that reasons in their order of reporting come to. */
export function conclude(
  found: readonly Violation[],
  doubts: readonly Doubt[],
  hint: ByTool["hint"],
): RuleDecision {
  const [first, ...alsoViolated] = found;
  if (first !== undefined) {
    return { verdict: "block", code: first.code, first, alsoViolated, doubts };
  }
  const [firstDoubt, ...alsoInDoubt] = doubts;
  return firstDoubt === undefined
    ? { verdict: "allow", code: "allowed", hint }
    : { verdict: "inconclusive", code: firstDoubt.because, first: firstDoubt, alsoInDoubt };
}
