import type { Json } from "../../../src/model/vocabulary.js";
import type { Assertion, Region, Rule } from "../../../src/rules/rule.js";
import type { Trace, TracedCall, Turn } from "../../../src/rules/trace.js";

const at: Region = { file: "made-by-hand", line: 1, column: 1, endLine: 1, endColumn: 2 };

/** A critical rule without condition at both exits, unless `differences` says otherwise. */
export function rule(name: string, then: readonly Assertion[], differences: Partial<Rule> = {}): Rule {
  return {
    name,
    when: { intentAny: [], turnRange: undefined },
    then,
    where: { ci: true, runtime: true },
    severity: "critical",
    description: "",
    at,
    ...differences,
  };
}

export const forbid = (...tools: readonly string[]): Assertion => ({ kind: "forbid_tool", tools, at });
export const allow = (...tools: readonly string[]): Assertion => ({ kind: "allow_tool", tools, at });
export const requires = (...tools: readonly string[]): Assertion => ({ kind: "require_tool", tools, at });
export const atMost = (most: number): Assertion => ({ kind: "max_tool_calls", most, at });
export const once = (tool: string, argument: string): Assertion => ({
  kind: "idempotent",
  tool,
  key: { text: `\${${argument}}`, parts: [{ kind: "argument", name: argument }] },
  at,
});
export const remembers = (fact: string): Assertion => ({
  kind: "memory_persistence",
  fact: [fact],
  saidBy: 2,
  stillAt: 20,
  at,
});

export function call(tool: string | undefined, known: Readonly<Record<string, Json>> = {}): TracedCall {
  return { tool, arguments: { kind: "known", value: known }, outcome: "done", at };
}

export function turn(user: string, ...calls: readonly TracedCall[]): Turn {
  return { user, at, items: calls.map((each) => ({ kind: "called", call: each })) };
}

export function trace(...turns: readonly Turn[]): Trace {
  return { file: "made-by-hand", name: "1", format: "plain", turns, warnings: [] };
}
